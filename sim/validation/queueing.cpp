#include "sim/validation/queueing.hpp"

#include <algorithm>
#include <cmath>
#include <deque>
#include <limits>
#include <queue>
#include <tuple>

#include "models/random/distributions.hpp"
#include "models/random/stream.hpp"
#include "models/statistics/interval.hpp"
#include "models/statistics/queueing.hpp"
#include "models/workload/lengths.hpp"
#include "sim/serving/target_engine.hpp"

namespace specroute::sim::validation {
namespace {

constexpr Seconds kPass{0.005};
constexpr std::uint64_t kArrivals = 10'000;
constexpr std::uint64_t kWarmUp = kArrivals / 10;
constexpr std::uint64_t kSeeds = 10;

struct Case {
  const char* queue;
  models::LengthSpec lengths;  ///< in tokens, one pass each
  std::uint32_t engines;
  double utilisation;
  const char* load;  ///< the same, as text
};

/// Some engines behind one line, driven by hand: what the world does, without the world.
class Line {
 public:
  Line(const Case& queue, double rate_per_s, std::uint64_t seed)
      : lengths_(queue.lengths),
        rate_per_s_(rate_per_s),
        gaps_(models::Seed{seed}.stream("arrivals")),
        words_(models::Seed{seed}.stream("lengths")) {
    alone_.rows.resize(2);
    binding_.alone = binding_.tables = &alone_;
    binding_.counts.resize(2);
    models::StepModel step;
    step.device_fixed = kPass.count();
    for (std::uint32_t e = 0; e < queue.engines; ++e) {
      engines_.emplace_back(TargetEngineSettings{.step = step,
                                                 .index = e,
                                                 .half_batches = 1,
                                                 .max_sequences = 1,
                                                 .prefill_chunk_tokens = 1,
                                                 .kv_blocks = 1U << 20U,
                                                 .kv_block_tokens = 16,
                                                 .decode_key = models::Seed{seed}.key("decode")});
      engines_.back().bind(&binding_);
      idle_.push_back(e);
    }
  }

  /// Mean wait of the requests after the warm-up.
  double mean_wait() {
    Seconds arrival{0.0};
    for (std::uint64_t request = 0; request < kArrivals; ++request) {
      arrival += models::poisson_gap(rate_per_s_, gaps_.uniform());
      run_until(arrival);
      waiting_.push_back({request, arrival, lengths_.sample(words_())});
      serve(arrival);
    }
    run_until(Seconds{std::numeric_limits<double>::infinity()});
    return waited_.count() / static_cast<double>(kArrivals - kWarmUp);
  }

 private:
  struct Waiting {
    std::uint64_t request;
    Seconds arrival;
    std::uint32_t length;
  };
  struct Event {
    Seconds date;
    std::uint64_t order;
    std::uint32_t engine;
    EngineActions::Due due;
    bool operator<(const Event& other) const {  // the earliest on top
      return std::tie(date, order) > std::tie(other.date, other.order);
    }
  };

  void serve(Seconds now) {
    while (!waiting_.empty() && !idle_.empty()) {
      const Waiting next = waiting_.front();
      waiting_.pop_front();
      const std::uint32_t engine = idle_.front();
      idle_.pop_front();
      if (next.request >= kWarmUp) waited_ += now - next.arrival;
      Sequence sequence;
      sequence.request = RequestId{next.request};
      sequence.prompt_tokens = 1;
      sequence.length = sequence.limit = next.length;
      sequence.arrival = next.arrival;
      actions_.clear();
      engines_[engine].submit(sequence, now, actions_);
      carry_out(engine);
    }
  }

  void run_until(Seconds date) {
    while (!events_.empty() && events_.top().date <= date) {
      const Event event = events_.top();
      events_.pop();
      actions_.clear();
      engines_[event.engine].on_due(event.due, 0, event.date, actions_);
      carry_out(event.engine);
      serve(event.date);
    }
  }

  void carry_out(std::uint32_t engine) {
    for (const auto& scheduled : actions_.scheduled)
      events_.push({scheduled.date, order_++, engine, scheduled.due});
    if (!actions_.finished.empty()) idle_.push_back(engine);
  }

  models::LengthDistribution lengths_;
  double rate_per_s_;
  models::Stream gaps_;
  models::Stream words_;
  StepTables alone_;
  Binding binding_;
  std::deque<TargetEngine> engines_;
  std::deque<std::uint32_t> idle_;
  std::deque<Waiting> waiting_;
  std::priority_queue<Event> events_;
  EngineActions actions_;
  std::uint64_t order_ = 0;
  Seconds waited_{0.0};
};

/// Exact moments of a service of one pass per token.
models::ServiceTime service_of(const models::LengthSpec& spec) {
  const models::LengthDistribution lengths(spec);
  constexpr std::uint64_t kQuantiles = std::uint64_t{1} << 18U;
  constexpr std::uint64_t kStep = std::uint64_t{1} << 46U;
  models::ServiceTime service;
  for (std::uint64_t i = 0; i < kQuantiles; ++i) {
    const double time = lengths.sample(i * kStep + kStep / 2) * kPass.count();
    service.mean += Seconds{time / static_cast<double>(kQuantiles)};
    service.second_moment += time * time / static_cast<double>(kQuantiles);
  }
  return service;
}

std::vector<Case> cases() {
  const models::LengthSpec fixed{.kind = models::LengthKind::fixed, .mean = 4.0, .limit = 4};
  const models::LengthSpec wide{
      .kind = models::LengthKind::lognormal, .mean = 8.0, .cv = 1.0, .limit = 128};
  const models::LengthSpec memoryless{
      .kind = models::LengthKind::geometric, .mean = 32.0, .limit = 4096};
  return {{"M/D/1", fixed, 1, 0.5, "0.5"},
          {"M/D/1", fixed, 1, 0.8, "0.8"},
          {"M/G/1", wide, 1, 0.5, "0.5"},
          {"M/G/1", wide, 1, 0.8, "0.8"},
          {"M/M/4", memoryless, 4, 0.75, "0.75"}};
}

/// Of a case, in the run's own terms. Geometric lengths make the service exponential but for a
/// squared variation of 31/32.
Seconds exact_wait(const Case& queue, double rate_per_s, const models::ServiceTime& service) {
  if (queue.lengths.kind == models::LengthKind::geometric)
    return models::mmc_wait(rate_per_s, service.mean, queue.engines);
  return models::mg1_wait(rate_per_s, service);
}

}  // namespace

Section queueing_section() {
  Section section{
      .id = "queueing",
      .title = "Engines as textbook queues",
      .question =
          "Does an engine that holds one sequence make its requests wait as long as queueing "
          "theory "
          "says? Poisson arrivals, ten seeds of 10,000 requests, the first tenth left out. The "
          "wait "
          "of M/D/1 and M/G/1 is Pollaczek and Khinchine's with the exact moments of the service, "
          "that of M/M/c Erlang's. Lengths of M/M/c are geometric, the discrete form of the "
          "exponential. Little's law is no row here: every run of the simulator checks it, for the "
          "system, each engine's waiting line and each batch, and does not end well without it.",
      .evidence = Evidence::own_check};
  Table table{.caption = "Mean wait",
              .header = {"queue", "utilisation", "squared variation of service", "exact, ms",
                         "simulated, ms", "95 % interval, +- ms"},
              .rows = {}};
  double farthest = 0.0;
  double widest = 0.0;
  for (const Case& queue : cases()) {
    const models::ServiceTime service = service_of(queue.lengths);
    const double rate = queue.utilisation * queue.engines / service.mean.count();
    const double exact = exact_wait(queue, rate, service).count();
    std::vector<double> waits;
    for (std::uint64_t seed = 1; seed <= kSeeds; ++seed)
      waits.push_back(Line(queue, rate, seed).mean_wait());
    const models::Interval found = models::student_interval(waits);
    farthest = std::max(farthest, std::abs(*found.mean - exact) / *found.half_width);
    widest = std::max(widest, *found.half_width / exact);
    section.comparisons.push_back({.group = {.system = queue.queue},
                                   .quantity = "mean wait",
                                   .condition = std::string("utilisation ") + queue.load,
                                   .unit = "ms",
                                   .ours = *found.mean * 1e3,
                                   .theirs = exact * 1e3,
                                   .place = "models/statistics/queueing.hpp"});
    table.rows.push_back({queue.queue,
                          {queue.utilisation, 2},
                          {service.squared_variation(), 3},
                          {exact * 1e3, 2},
                          {*found.mean * 1e3, 2},
                          {*found.half_width * 1e3, 2}});
  }
  section.tables.push_back(std::move(table));
  section.bounds = {{.name = "exact mean waits",
                     .statistic = "largest distance, in half-widths of the 95 % interval",
                     .measured = farthest,
                     .limit = 1.0},
                    {.name = "95 % intervals of mean waits",
                     .statistic = "largest half-width over the exact wait",
                     .measured = widest,
                     .limit = 0.1,
                     .percent = true}};
  return section;
}

}  // namespace specroute::sim::validation
