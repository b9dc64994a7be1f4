#include "models/statistics/queueing.hpp"

#include <gtest/gtest.h>

#include "models/statistics/occupancy.hpp"

namespace specroute::models {
namespace {

// One server: everybody who meets a busy server waits, C(1, a) = a.
TEST(ErlangC, IsTheUtilisationOfOneServer) {
  for (const double a : {0.0, 0.25, 0.5, 0.9}) EXPECT_NEAR(erlang_c(1, a), a, 1e-15);
}

// Two servers, a = 1: B(1) = 1/2, B(2) = (1/2) / (2 + 1/2) = 1/5, C = (2/5) / (2 - 4/5) = 1/3.
// By states: p0 = 1/3, p1 = 1/3, so P(wait) = 1 - 2/3.
TEST(ErlangC, IsAThirdOfTwoServersHalfBusy) {
  EXPECT_NEAR(erlang_c(2, 1.0), 1.0 / 3, 1e-15);
}

// Three servers, a = 2: p0 = 1 / (1 + 2 + 2 + (8/6) x 3) = 1/9, P(wait) = 4 p0 = 4/9.
TEST(ErlangC, IsFourNinthsOfThreeServersTwoThirdsBusy) {
  EXPECT_NEAR(erlang_c(3, 2.0), 4.0 / 9, 1e-15);
}

// M/M/1, lambda = 1/2, S = 1 s: rho S / (1 - rho) = 1 s. M/M/2, lambda = 1: (1/3) / (2 - 1) s.
TEST(MmcWait, IsByHand) {
  EXPECT_NEAR(mmc_wait(0.5, Seconds{1.0}, 1).count(), 1.0, 1e-15);
  EXPECT_NEAR(mmc_wait(1.0, Seconds{1.0}, 2).count(), 1.0 / 3, 1e-15);
}

// M/D/1 waits half as long. S = 1 or 3 s with equal chances: E[S] = 2, E[S^2] = 5; lambda = 1/4:
// rho = 1/2 and W = (5/4) / (2 x 1/2) = 5/4 s.
TEST(Mg1Wait, IsPollaczekKhinchine) {
  EXPECT_NEAR(md1_wait(0.5, Seconds{1.0}).count(), 0.5, 1e-15);
  const ServiceTime either{Seconds{2.0}, 5.0};
  EXPECT_NEAR(mg1_wait(0.25, either).count(), 1.25, 1e-15);
  EXPECT_NEAR(either.squared_variation(), 0.25, 1e-15);
}

TEST(MgcWait, IsThatOfMmcWhereServiceIsExponential) {
  const ServiceTime exponential{Seconds{2.0}, 8.0};
  EXPECT_EQ(mgc_wait(0.8, exponential, 3), mmc_wait(0.8, Seconds{2.0}, 3));
}

// [0, 2) one, [2, 3) two, [3, 7) one: 2 + 2 + 4 = 8 = (3 - 0) + (7 - 2).
TEST(Occupancy, HasTheAreaOfItsSojourns) {
  Occupancy room;
  room.enter(Seconds{0.0});
  room.enter(Seconds{2.0});
  room.leave(Seconds{3.0}, Seconds{0.0});
  EXPECT_FALSE(room.obeys_littles_law()) << "somebody is still in it";
  room.leave(Seconds{7.0}, Seconds{2.0});
  EXPECT_EQ(room.area(), Seconds{8.0});
  EXPECT_EQ(room.sojourns(), Seconds{8.0});
  EXPECT_EQ(room.entered(), 2U);
  EXPECT_TRUE(room.obeys_littles_law());
}

TEST(Occupancy, NoticesADateThatIsNotOnesOwn) {
  Occupancy room;
  room.enter(Seconds{0.0});
  room.enter(Seconds{2.0});
  room.leave(Seconds{3.0}, Seconds{2.0});
  room.leave(Seconds{7.0}, Seconds{2.0 + 1e-6});
  EXPECT_FALSE(room.obeys_littles_law());
}

// A million stays of a third of a second each beside one of 10^6 s: plain sums would be off by
// 1e-10 of the area and more.
TEST(Occupancy, KeepsItsDigitsOverALongRun) {
  Occupancy room;
  room.enter(Seconds{0.0});
  double now = 0.0;
  for (int i = 0; i < 1'000'000; ++i) {
    const double since = now + 1.0 / 7.0;
    room.enter(Seconds{since});
    now = since + 1.0 / 3.0;
    room.leave(Seconds{now}, Seconds{since});
  }
  room.leave(Seconds{now}, Seconds{0.0});
  EXPECT_TRUE(room.obeys_littles_law());
  EXPECT_NEAR(room.area() / room.sojourns(), 1.0, 1e-14);
}

}  // namespace
}  // namespace specroute::models
