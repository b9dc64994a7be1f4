#include "tests/sim/worlds/random_traffic.hpp"

#include <sstream>

#include "models/random/stream.hpp"
#include "sim/traces/make_trace.hpp"
#include "sim/traces/read_trace.hpp"

namespace specroute::sim {
namespace {

models::ArrivalSpec draw_open(std::uint64_t kind, models::Stream& dice) {
  models::ArrivalSpec spec;
  spec.rate_per_s = 5.0 + 80.0 * dice.uniform();
  switch (kind) {
    case 0:
      spec.kind = models::ArrivalKind::gamma;
      spec.cv = 0.3 + 4.0 * dice.uniform();
      break;
    case 1:
      spec.kind = models::ArrivalKind::markov_modulated;
      spec.states = {
          {5.0, Seconds{0.5}}, {150.0 * dice.uniform(), Seconds{0.3}}, {0.0, Seconds{0.2}}};
      break;
    case 2:
      spec.kind = models::ArrivalKind::diurnal;
      spec.amplitude = dice.uniform();
      spec.period = Seconds{2.0};
      break;
    default:
      spec.kind = models::ArrivalKind::piecewise;
      spec.points = {
          {Seconds{0.0}, 10.0}, {Seconds{1.0}, 100.0 * dice.uniform()}, {Seconds{2.0}, 0.0}};
      spec.linear = dice.uniform() < 0.5;
  }
  return spec;
}

void draw_bursts(models::ArrivalSpec& spec, models::Stream& dice) {
  if (dice.uniform() < 0.5)
    spec.rate_bursts.push_back({Seconds{dice.uniform()}, Seconds{0.5}, 3.0 * dice.uniform()});
  if (dice.uniform() < 0.5)
    spec.request_bursts.push_back({Seconds{dice.uniform()}, 40, Seconds{0.3 * dice.uniform()}});
}

ClosedLoop draw_users(models::Stream& dice) {
  return {.users = 1 + static_cast<std::uint32_t>(30.0 * dice.uniform()),
          .think = static_cast<ClosedLoop::Think>(dice() % 3),
          .mean_think = Seconds{0.05 + 0.5 * dice.uniform()},
          .cv = 1.0};
}

}  // namespace

std::shared_ptr<const Trace> made_up_trace(std::uint64_t seed, double rate_per_s) {
  TraceRecipe recipe{.format = TraceFormat::specroute, .requests = 300, .seed = seed};
  recipe.rate_per_s = rate_per_s;
  recipe.mean_prompt_tokens = 120.0;
  recipe.mean_output_tokens = 24.0;
  std::istringstream text(make_trace(recipe));
  auto rows = read_trace(text, "made up", TraceFormat::specroute, {});
  return std::make_shared<const Trace>(std::move(rows).value());
}

Arrivals trace_arrivals(std::shared_ptr<const Trace> rows) {
  Arrivals arrivals;
  arrivals.trace = TraceArrivals{.file = "made up",
                                 .format = TraceFormat::specroute,
                                 .slice = {},
                                 .start = Seconds{0.0},
                                 .time_scale = 1.0,
                                 .loop = false,
                                 .output_limit = 64,
                                 .rows = std::move(rows)};
  return arrivals;
}

void draw_traffic(Scenario& scenario, std::uint64_t seed) {
  for (std::size_t c = 0; c < scenario.classes.size(); ++c) {
    models::Stream dice = models::Seed{seed}.stream("traffic", c);
    RequestClass& one = scenario.classes[c];
    const std::uint64_t kind = dice() % 8;
    if (kind < 4) {
      one.arrivals.open = draw_open(kind, dice);
      draw_bursts(one.arrivals.open, dice);
    } else if (kind == 4) {
      one.arrivals = Arrivals{};
      one.arrivals.closed_loop = draw_users(dice);
    } else if (kind == 5) {
      one.arrivals = trace_arrivals(made_up_trace(seed, 60.0));
    }
    if (dice.uniform() < 0.5) one.tenants = {{"one", 1.0}, {"two", 2.0}};
    one.priority = static_cast<std::int32_t>(dice() % 3);
  }
}

}  // namespace specroute::sim
