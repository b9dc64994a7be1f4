// The simulator as M/D/1, M/G/1 and M/M/c queue: exact mean waits lie in its 95 % intervals. An
// interval that is narrow makes the claim mean something, so its width is bounded too. Seeds are
// 1 to 10 everywhere.
#include <gtest/gtest.h>

#include "tests/sim/queueing/queue_world.hpp"

namespace specroute::sim {
namespace {

void expect_wait(const QueueWorld& world, Seconds exact, double widest) {
  const models::Interval wait = simulated_wait(world);
  EXPECT_TRUE(wait.covers(exact.count()))
      << *wait.mean << " +- " << *wait.half_width << " s, exact " << exact.count() << " s";
  EXPECT_LT(*wait.half_width, widest * exact.count());
}

// Every output has 4 tokens, so every service takes the same passes.
TEST(Queue, WaitsAsMD1) {
  for (const double utilisation : {0.5, 0.8}) {
    const QueueWorld world{.output = {.kind = models::LengthKind::fixed, .mean = 4.0, .limit = 4},
                           .engines = 1,
                           .utilisation = utilisation,
                           .arrivals = 20'000};
    const QueueFacts facts = queue_facts(world);
    EXPECT_NEAR(facts.service.squared_variation(), 0.0, 1e-12);
    expect_wait(world, models::md1_wait(facts.rate_per_s, facts.service.mean), 0.04);
  }
}

TEST(Queue, WaitsAsMG1) {
  for (const double utilisation : {0.5, 0.8}) {
    const QueueWorld world{
        .output = {.kind = models::LengthKind::lognormal, .mean = 8.0, .cv = 1.0, .limit = 128},
        .engines = 1,
        .utilisation = utilisation,
        .arrivals = 20'000};
    const QueueFacts facts = queue_facts(world);
    expect_wait(world, models::mg1_wait(facts.rate_per_s, facts.service), 0.08);
  }
}

// Geometric lengths of mean 64: the discrete exponential, with a squared variation of 0.98 for 1.
TEST(Queue, WaitsAsMMc) {
  const QueueWorld world{
      .output = {.kind = models::LengthKind::geometric, .mean = 64.0, .limit = 4096},
      .engines = 4,
      .utilisation = 0.75,
      .arrivals = 12'000};
  const QueueFacts facts = queue_facts(world);
  EXPECT_NEAR(facts.service.squared_variation(), 0.98, 0.02);
  expect_wait(world, models::mmc_wait(facts.rate_per_s, facts.service.mean, 4), 0.08);
}

// One server more than in M/G/1, and the same mechanism: a queue at the router that engines empty.
// Served at once where a server is free: waits of nearly everybody are 0 at a low load.
TEST(Queue, IsEmptyWhereServersAreMany) {
  const QueueWorld world{.output = {.kind = models::LengthKind::fixed, .mean = 4.0, .limit = 4},
                         .engines = 16,
                         .utilisation = 0.1,
                         .arrivals = 2'000,
                         .seeds = 2};
  EXPECT_NEAR(*simulated_wait(world).mean, 0.0, 1e-9);
}

}  // namespace
}  // namespace specroute::sim
