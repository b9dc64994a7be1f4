#include "sim/engine/event_heap.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <limits>
#include <set>
#include <vector>

namespace specroute::sim {
namespace {

Event event_at(double date, std::uint64_t sequence) {
  return {Seconds{date}, sequence, 1, 0};
}

TEST(EventHeap, IsEmptyAtFirst) {
  const EventHeap heap;
  EXPECT_TRUE(heap.empty());
  EXPECT_EQ(heap.size(), 0U);
}

TEST(EventHeap, PopsByDateWhateverTheOrderOfPushing) {
  EventHeap heap;
  for (const double date : {5.0, 1.0, 4.0, 2.0, 3.0, 0.0}) heap.push(event_at(date, heap.size()));
  for (const double date : {0.0, 1.0, 2.0, 3.0, 4.0, 5.0}) {
    EXPECT_EQ(heap.top().date, Seconds{date});
    EXPECT_EQ(heap.pop().date, Seconds{date});
  }
  EXPECT_TRUE(heap.empty());
}

TEST(EventHeap, KeepsTheOrderOfSchedulingAtOneDate) {
  EventHeap heap;
  for (std::uint64_t sequence = 0; sequence < 1000; ++sequence) heap.push(event_at(7.0, sequence));
  for (std::uint64_t sequence = 0; sequence < 1000; ++sequence)
    EXPECT_EQ(heap.pop().sequence, sequence);
}

TEST(EventHeap, CarriesKindAndObject) {
  EventHeap heap;
  heap.push({Seconds{2.0}, 0, 3U | kPlatformBit, 9});
  heap.push({Seconds{1.0}, 1, 4U, 8});
  EXPECT_FALSE(is_platform(heap.top()));
  EXPECT_EQ(heap.pop().object, 8U);
  EXPECT_TRUE(is_platform(heap.top()));
  EXPECT_EQ(heap.pop().kind, 3U | kPlatformBit);
}

TEST(EventHeap, OrdersDatesThatDifferInTheLastBit) {
  const double next = std::nextafter(1.0, std::numeric_limits<double>::infinity());
  EXPECT_TRUE(before(event_at(1.0, 9), event_at(next, 0)));
  EXPECT_FALSE(before(event_at(next, 0), event_at(1.0, 9)));
  EXPECT_FALSE(before(event_at(1.0, 0), event_at(1.0, 0)));
}

TEST(EventHeapDeath, RefusesToPopNothing) {
  EXPECT_DEATH(EventHeap{}.pop(), "popped from a heap that has one");
}

// A handler schedules none, one or several events between `take` and `settle`: what leaves the heap
// is the same as with `pop` and pushes after it.
TEST(EventHeap, TakesAndSettlesAsItPops) {
  EventHeap taking;
  EventHeap popping;
  std::uint64_t word = 1;
  std::uint64_t sequence = 0;
  const auto push_both = [&](double after) {
    word = word * 6364136223846793005ULL + 1442695040888963407ULL;
    const Event event = event_at(after + static_cast<double>(word >> 60U), sequence++);
    taking.push(event);
    popping.push(event);
  };
  for (int i = 0; i < 50; ++i) push_both(0.0);
  for (int step = 0; step < 2000 && !popping.empty(); ++step) {
    const Event taken = taking.take();
    const Event popped = popping.pop();
    ASSERT_EQ(taken.sequence, popped.sequence);
    ASSERT_EQ(taking.size(), popping.size());
    for (std::uint64_t follow_ups = (word >> 40U) % 3; follow_ups > 0; --follow_ups)
      push_both(popped.date.count());
    taking.settle();
    ASSERT_EQ(taking.size(), popping.size());
    if (!popping.empty()) {
      ASSERT_EQ(taking.top().sequence, popping.top().sequence);
    }
  }
}

// Against an ordered set: any interleaving of pushes and pops yields the least event each time.
// Dates are drawn from few values, so that ties are common.
TEST(EventHeapProperty, AgreesWithAnOrderedSet) {
  const bool held = rc::check("pushes and pops agree with std::set", [] {
    const auto order = [](const Event& a, const Event& b) { return before(a, b); };
    std::set<Event, decltype(order)> oracle(order);
    EventHeap heap;
    const auto steps = *rc::gen::container<std::vector<int>>(rc::gen::inRange(-6, 12));
    std::uint64_t sequence = 0;
    for (const int step : steps) {
      if (step >= 0) {
        const Event event = event_at(step * 0.25, sequence++);
        heap.push(event);
        oracle.insert(event);
      } else if (!heap.empty()) {
        RC_ASSERT(heap.pop().sequence == oracle.begin()->sequence);
        oracle.erase(oracle.begin());
      }
      RC_ASSERT(heap.size() == oracle.size());
    }
    while (!heap.empty()) {
      RC_ASSERT(heap.pop().sequence == oracle.begin()->sequence);
      oracle.erase(oracle.begin());
    }
  });
  EXPECT_TRUE(held);
}

}  // namespace
}  // namespace specroute::sim
