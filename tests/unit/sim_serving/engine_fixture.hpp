/// @file
/// A target engine with a tiny event loop around it: what the world does, without the world.
#pragma once

#include <cstdint>
#include <optional>
#include <queue>
#include <tuple>
#include <utility>
#include <vector>

#include "sim/serving/target_engine.hpp"
#include "tests/unit/sim_serving/batch_fixture.hpp"

namespace specroute::sim {

/// A step model with round coefficients, so that passes can be computed by hand:
/// pass = 1 s a pass + 0.1 s a sequence + 0.01 s a prompt token.
inline models::StepModel slow_target() {
  models::StepModel model;
  model.device_fixed = 1.0;
  model.host_per_sequence = 0.1;
  model.host_per_prefill_token = 0.01;
  return model;
}

/// A draft: 0.2 s a pass, and 0.005 s a prompt token of its own catching up.
inline models::StepModel slow_draft() {
  models::StepModel model;
  model.device_fixed = 0.2;
  model.host_per_prefill_token = 0.005;
  return model;
}

inline TargetEngineSettings engine_settings(std::uint32_t half_batches = 1) {
  return {.step = slow_target(),
          .index = 0,
          .half_batches = half_batches,
          .max_sequences = 8,
          .prefill_chunk_tokens = 100,
          .kv_blocks = 1000,
          .kv_block_tokens = 10,
          .decode_key = {5, 6}};
}

/// Drives one engine. Dates of everything that left it are kept.
class EngineLoop {
 public:
  explicit EngineLoop(const TargetEngineSettings& settings, StepTables with_draft)
      : engine(settings), tables_(std::move(with_draft)), alone_(tables_) {
    alone_.draft_tokens = 0;
    for (StepRow& row : alone_.rows) row.accepted.fill(0);
    draft.step = slow_draft();
  }

  /// A binding of this loop's tables: with a draft, or alone.
  [[nodiscard]] Binding binding(std::uint32_t pairing, bool with_draft = true) {
    Binding result;
    result.pairing = PairingId{pairing};
    result.alone = &alone_;
    result.tables = with_draft ? &tables_ : &alone_;
    if (with_draft) result.drafts = {&draft};
    result.draft_tokens = with_draft ? tables_.draft_tokens : 0;
    result.counts.resize(tables_.rows.size());
    return result;
  }

  void submit(const Sequence& sequence, Seconds at) {
    run_until(at);
    actions_.clear();
    engine.submit(sequence, at, actions_);
    carry_out(at);
  }

  /// Calls the engine now, and carries out what it wants.
  template <class Call>
  void call(Call what) {
    actions_.clear();
    what(engine, actions_);
    carry_out(now);
  }

  /// Plays every event up to `date`, that date included.
  void run_until(Seconds date) {
    while (!events_.empty() && events_.top().date <= date) step();
    now = std::max(now, date);
  }
  void run() {
    while (!events_.empty()) step();
  }

  struct Left {
    Sequence sequence;
    Seconds at;
  };
  TargetEngine engine;
  DraftEngine draft;
  Seconds now{0.0};
  bool hung = false;           ///< the process: events are dropped
  bool drafts_silent = false;  ///< the draft: what it owes does not come
  Seconds flow_time{0.0};      ///< of drafts that leave as a flow
  std::vector<Left> finished, expired, rejected;
  std::vector<EngineActions::Emission> emissions;
  std::vector<EngineActions::CacheChange> cache_changes;
  bool kv_added_up = true;       ///< after every event so far
  std::size_t draft_events = 0;  ///< scheduled for the arrival of drafts
  /// [begin, end) of each verification pass, as scheduled.
  std::vector<std::pair<Seconds, Seconds>> passes;

 private:
  struct Event {
    Seconds date;
    std::uint64_t order;
    EngineActions::Due due;
    std::uint8_t half;
    std::optional<std::uint32_t> flow = {};  ///< that ends, by its round
    bool operator<(const Event& other) const {
      return std::tie(date, order) > std::tie(other.date, other.order);
    }
  };

  void step() {
    const Event event = events_.top();
    events_.pop();
    now = event.date;
    if (hung) return;
    if (event.due == EngineActions::Due::drafts_leave) {
      if (const auto flow = engine.forward(event.half, now))
        events_.push({now + flow_time, order_++, EngineActions::Due::drafts_arrive, event.half,
                      flow->round});
      return;
    }
    if (event.flow && !engine.forwarded(event.half, *event.flow, true, now)) return;
    actions_.clear();
    if (drafts_silent && event.due == EngineActions::Due::drafts_arrive)
      engine.miss_drafts(event.half, now, actions_);
    else
      engine.on_due(event.due, event.half, now, actions_);
    carry_out(now);
  }

  void carry_out(Seconds at) {
    kv_added_up = kv_added_up && engine.kv_adds_up();
    for (const auto& scheduled : actions_.scheduled) {
      events_.push({scheduled.date, order_++, scheduled.due, scheduled.half, {}});
      draft_events += scheduled.due == EngineActions::Due::drafts_arrive;
      if (scheduled.due == EngineActions::Due::pass_ends) passes.emplace_back(at, scheduled.date);
    }
    for (const Sequence& s : actions_.finished) finished.push_back({s, at});
    for (const Sequence& s : actions_.expired) expired.push_back({s, at});
    for (const Sequence& s : actions_.rejected) rejected.push_back({s, at});
    cache_changes.insert(cache_changes.end(), actions_.cache_changes.begin(),
                         actions_.cache_changes.end());
    emissions.insert(emissions.end(), actions_.emissions.begin(), actions_.emissions.end());
  }

  StepTables tables_;
  StepTables alone_;
  EngineActions actions_;
  std::priority_queue<Event> events_;
  std::uint64_t order_ = 0;
};

}  // namespace specroute::sim
