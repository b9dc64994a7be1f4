/// @file
/// One target engine: continuous batching with chunked prefill and speculative decode steps.
///
/// A plain object: event in, actions out. It never advances time; it says what is due when, and
/// the world calls back. A cycle of a half-batch is
///   admit -> gamma draft passes on the draft's device -> drafts cross the network
///         -> one verification pass (with a chunk of prefill) -> tokens emitted -> next cycle.
/// With two half-batches one drafts while the other is verified. With one, in an engine that
/// nothing disturbs, what follows the drafts' arrival is known when they are asked for: it takes no
/// event.
///
/// KV blocks are reserved at admission, or taken on demand: then a cycle first takes what its
/// sequences will write, and where nothing is left preempts the latest arrival of its half, which
/// waits in front of all others and is computed again (vLLM's recompute). A sequence whose limits
/// fit the pool alone always ends, so on demand there is no deadlock.
#pragma once

#include <cstdint>
#include <deque>
#include <limits>
#include <optional>
#include <vector>

#include "models/devices/step_time.hpp"
#include "models/random/philox.hpp"
#include "models/statistics/occupancy.hpp"
#include "models/workload/prefix_blocks.hpp"
#include "sim/scenario/engine_options.hpp"
#include "sim/serving/batch.hpp"
#include "sim/serving/binding.hpp"
#include "sim/serving/kv_blocks.hpp"
#include "sim/serving/prefix_cache.hpp"
#include "sim/serving/sequence.hpp"

namespace specroute::sim {

struct TargetEngineSettings {
  models::StepModel step;
  std::uint32_t index;          ///< among the engines of its backend
  std::uint32_t half_batches;   ///< 1 or 2
  std::uint32_t max_sequences;  ///< over both halves
  std::uint32_t prefill_chunk_tokens;
  std::uint64_t kv_blocks;
  std::uint32_t kv_block_tokens;
  models::StreamKey decode_key;
  LoopWatch loop_watch = {};
  RowLayout rows = {};  ///< of the tables that it will be bound to
  std::optional<Seconds> draft_timeout = {};
  bool undisturbed = false;  ///< nothing reaches into its cycles: no fault, no request taken back
  Admission admission = Admission::reserve;
  std::optional<std::uint32_t> max_batched_tokens = {};
  DraftSchedule schedule = {};
  const models::PrefixTable* prefixes = nullptr;  ///< null: no prefix cache
};

/// What scheduling did over an engine's life.
struct EngineCounters {
  std::uint64_t preemptions = 0;
  std::uint64_t recomputed_tokens = 0;  ///< computed once and given up by preemptions
  std::uint64_t context_tokens = 0;     ///< that admitted sequences began with
  std::uint64_t cached_tokens = 0;      ///< of them, found in the prefix cache
  EngineCounters& operator+=(const EngineCounters& other) {
    preemptions += other.preemptions;
    recomputed_tokens += other.recomputed_tokens;
    context_tokens += other.context_tokens;
    cached_tokens += other.cached_tokens;
    return *this;
  }
};

/// What an engine wants done. The caller clears it before each call and carries it out after.
struct EngineActions {
  /// Drafts that leave as a flow arrive when it ends: `forward`, then `forwarded`.
  enum class Due : std::uint8_t { drafts_arrive, pass_ends, drafts_leave };
  struct Scheduled {
    Seconds date;
    Due due;
    std::uint8_t half;
  };
  std::vector<Scheduled> scheduled;
  std::vector<Sequence> finished;  ///< emitted their last token now
  std::vector<Sequence> expired;   ///< passed their deadline
  std::vector<Sequence> rejected;  ///< could never fit into the KV cache
  /// An emission to `sequences` sequences of one kind, `gap` after their previous one (inter-token
  /// latency).
  struct Emission {
    Seconds gap;
    std::uint32_t sequences;
    std::uint32_t kind;  ///< of traffic
  };
  std::vector<Emission> emissions;
  /// The prefix cache gained or lost a block, in order.
  struct CacheChange {
    models::BlockHash hash;
    bool cached;
  };
  std::vector<CacheChange> cache_changes;

  void clear();
};

class TargetEngine {
 public:
  explicit TargetEngine(const TargetEngineSettings& settings);

  /// From the next cycle on, draft (or decode alone) under this binding.
  void bind(Binding* binding) { binding_ = binding; }

  void submit(const Sequence& sequence, Seconds now, EngineActions& out);
  /// An event that this engine scheduled is due. Events of an earlier life are ignored.
  void on_due(EngineActions::Due due, std::uint8_t half, Seconds now, EngineActions& out);
  /// The half's drafts leave now, as a flow. Nothing where the half has none: an earlier life's.
  struct Forwarding {
    Bytes size;
    std::uint32_t round;  ///< of this half: says which forwarding ends
    PairingId pairing;    ///< that drafted
  };
  [[nodiscard]] std::optional<Forwarding> forward(std::uint8_t half, Seconds now);
  /// That flow ended; the drafts of a broken one are lost. What is left of them arrives now: call
  /// `on_due`. @return the time that it took; none where it is of an earlier life
  [[nodiscard]] std::optional<Seconds> forwarded(std::uint8_t half, std::uint32_t round, bool whole,
                                                 Seconds now);
  /// After a restart.
  void start_slowly(SlowStart slow) { slow_ = slow; }

  /// The host died or the work moves away: everything the engine held, oldest engine state first.
  void take_all(Seconds now, std::vector<Sequence>& out);
  /// The host died, and its memory with it; call after `take_all`.
  void lose_memory();

  // target_engine_faults.cpp
  /// Passes take `factor` times as long, from the next one on.
  void slow_down(double factor) { slowdown_ = factor; }
  /// The process stood still since `since`, and its events were not delivered; it goes on now.
  void thaw(Seconds since, Seconds now, EngineActions& out);
  /// The pairing whose drafts a half waits for; none where it waits for none.
  [[nodiscard]] PairingId drafting_under(std::uint8_t half) const;
  /// Drafts due now do not come. The half waits, to the draft timeout where there is one.
  void miss_drafts(std::uint8_t half, Seconds now, EngineActions& out);
  [[nodiscard]] bool misses_drafts(std::uint8_t half) const;
  /// They come now after all; or never, where the binding's draft is not alive.
  void resume_drafts(std::uint8_t half, Seconds now, EngineActions& out);
  /// Takes one request back. A pass under way ends when it would have.
  std::optional<Sequence> withdraw(std::uint32_t slot, Seconds now);
  /// A request that the engine holds, as it stands; it takes no cached block along.
  [[nodiscard]] std::optional<Sequence> look_at(std::uint32_t slot) const;
  [[nodiscard]] std::uint8_t halves() const { return static_cast<std::uint8_t>(halves_.size()); }

  /// Prompt and emitted tokens of all sequences that decode: what a new draft must rebuild.
  [[nodiscard]] std::uint64_t context_tokens() const;
  [[nodiscard]] std::uint32_t running() const;  ///< decoding or in prefill
  [[nodiscard]] std::size_t waiting() const { return waiting_.size(); }
  [[nodiscard]] const KvBlocks& kv() const { return kv_; }
  [[nodiscard]] const PrefixCache& cache() const { return cache_; }
  [[nodiscard]] const EngineCounters& counters() const { return counters_; }
  /// Whether the pool's counters are what its sequences and its cache add up to.
  [[nodiscard]] bool kv_adds_up() const;
  /// Time in passes up to `now`, of one that was cut off with its time so far: at most `now`.
  [[nodiscard]] Seconds busy_by(Seconds now);
  [[nodiscard]] std::uint64_t tokens_emitted() const { return tokens_emitted_; }
  /// Of the passes that ended.
  [[nodiscard]] const models::WorkDone& work() const { return work_; }
  /// Integral of the allocated KV blocks over time, up to `now`; `now` never goes back.
  [[nodiscard]] double kv_block_seconds(Seconds now) {
    note_kv(now);
    return kv_block_seconds_;
  }
  /// Its two stations over time: the line before the batch, and the batch with its prefills.
  [[nodiscard]] const models::Occupancy& line() const { return line_; }
  [[nodiscard]] const models::Occupancy& room() const { return room_; }

 private:
  struct Prefill {
    Sequence sequence;
    std::uint32_t remaining;
    std::uint32_t found = 0;   ///< tokens of its context that the prefix cache had
    std::uint64_t blocks = 0;  ///< taken on demand, those of the prefix cache not counted
    [[nodiscard]] std::uint32_t computed() const { return sequence.context() - remaining; }
  };
  struct Half {
    enum class State : std::uint8_t { idle, drafting, waiting, verifying };
    /// What a half that drafts waits for: drafts or the timeout at `due`; that they leave, then; a
    /// flow's end, or the timeout at `due`; drafts that do not come.
    enum class Awaits : std::uint8_t { arrival, departure, flow, nothing };
    explicit Half(const TargetEngineSettings& settings)
        : batch(settings.max_sequences, settings.loop_watch, settings.rows) {}
    [[nodiscard]] std::uint32_t size() const {
      return batch.size() + static_cast<std::uint32_t>(prefill.size());
    }
    State state = State::idle;
    Awaits awaits = Awaits::arrival;
    Seconds due{0.0};
    Seconds began{0.0};      ///< the pass or the round under way
    bool late = false;       ///< its drafts come after the timeout
    models::Pass pass = {};  ///< under way
    Seconds pass_time{0.0};  ///< its own: less than `due - began` where the process stood still
    Seconds last_emission{0.0};
    Batch batch;
    std::vector<Prefill> prefill;
    std::uint64_t draft_backlog = 0;       ///< context tokens that the draft has yet to prefill
    DraftPass draft_pass = {};             ///< a co-located draft's wait for the verification
    DraftEngine* drafter = nullptr;        ///< of the latest drafts
    DraftEngine* drafts_before = nullptr;  ///< in the pass under way: on the target's own devices
    std::uint64_t asked = 0;               ///< its pass for them, where it has devices of its own
    bool crossing = false;                 ///< they are on the network, as a flow
    Bytes forwarded{0.0};                  ///< drafts that leave as a flow
    Seconds left{0.0};                     ///< when they did
    std::uint32_t round = 0;               ///< forwardings so far
    std::uint32_t chunk = 0;               ///< prefill tokens in the pass under way
    std::uint32_t draft_tokens = 0;        ///< gamma of the cycle under way
    double drafted = 0.0;                  ///< draft tokens of the pass under way
    bool draft_skipped = false;            ///< a draft is there, and this cycle does without
    std::uint64_t decode_blocks = 0;       ///< taken on demand by the sequences that decode
    Binding* binding = nullptr;            ///< of the cycle under way
    const StepTables* tables = nullptr;    ///< what the drafts of this cycle were made under
    CircumstanceId circumstance;           ///< likewise
  };

  void begin_cycle(std::uint8_t index, Seconds now, EngineActions& out);
  void begin_empty(std::uint8_t index, Seconds now, EngineActions& out);
  static void forget_drafts(Half& half) {
    half.drafted = 0.0;
    half.draft_pass = {};
  }
  [[nodiscard]] bool drafting_possible() const {
    return binding_->draft_alive && !binding_->drafts.empty();
  }
  [[nodiscard]] std::uint32_t drafts_wanted(const Half& half, Seconds now) const;
  [[nodiscard]] std::uint32_t prefill_allowance(const Half& half, std::uint32_t draft_tokens) const;
  void plan_prefill(Half& half) const;
  void admit(Half& half, Seconds now, EngineActions& out);
  void draft(Half& half, std::uint8_t index, Seconds now, EngineActions& out);
  [[nodiscard]] DraftPass make_draft_pass(Half& half, double passes);
  [[nodiscard]] DraftEngine& drafter() const {
    return *binding_->drafts[settings_.index % binding_->drafts.size()];
  }
  void foresee_verification(std::uint8_t index, EngineActions& out);
  void begin_foreseen();
  [[nodiscard]] models::Pass verification_of(const Half& half) const;
  [[nodiscard]] Seconds verification_time(const models::Pass& pass);
  void begin_pass(Half& half, const models::Pass& pass, Seconds verification, Seconds now);
  void verify_or_wait(std::uint8_t index, Seconds now, EngineActions& out);
  void verify(std::uint8_t index, Seconds now, EngineActions& out);
  void end_pass(std::uint8_t index, Seconds now, EngineActions& out);
  void decode(Half& half, Seconds now, EngineActions& out);
  void progress_prefill(Half& half, Seconds now, EngineActions& out);
  void wake_idle(Seconds now, EngineActions& out);
  [[nodiscard]] std::uint32_t held() const;
  /// Called first in each call from outside. Blocks change hands within those only, so noting them
  /// there is enough; and a pass that was foreseen, and has begun meanwhile, begins.
  void note_kv(Seconds now) {
    if (foreseen_at_ <= now) begin_foreseen();
    add_kv_until(now);
  }
  void add_kv_until(Seconds now) {
    kv_block_seconds_ += static_cast<double>(kv_.allocated()) * (now - kv_noted_).count();
    kv_noted_ = now;
  }
  void leave(Sequence& sequence, Seconds now);
  static constexpr Seconds kNever{std::numeric_limits<double>::infinity()};
  static std::uint64_t kv_need(const Sequence& s) { return s.prompt_tokens + s.limit; }
  /// All that its limits could need, but for what it holds in the prefix cache.
  [[nodiscard]] std::uint64_t reserved_blocks(const Sequence& s) const {
    return kv_.blocks_for(kv_need(s)) - std::uint64_t{s.shared_hashes} * hash_blocks_;
  }

  // target_engine_flows.cpp
  void ask_for_drafts(std::uint8_t index, Seconds now, EngineActions& out);
  [[nodiscard]] Seconds patience(const Half& half) const {
    return settings_.draft_timeout ? half.began + *settings_.draft_timeout : kNever;
  }
  [[nodiscard]] bool abandoned(const Half& half, Seconds now) const;

  // target_engine_kv.cpp: blocks, preemption, prefixes
  [[nodiscard]] bool on_demand() const { return settings_.admission == Admission::on_demand; }
  [[nodiscard]] PrefixCache::Hashes shareable(const Sequence& sequence) const;
  [[nodiscard]] PrefixCache::Hashes shared(const Sequence& sequence) const;
  [[nodiscard]] bool make_room(std::uint64_t blocks, EngineActions& out);
  [[nodiscard]] bool grow(Half& half, Seconds now, EngineActions& out);
  [[nodiscard]] bool grow_decode(Half& half, EngineActions& out);
  [[nodiscard]] bool grow_prefills(Half& half, EngineActions& out);
  void preempt_latest(Half& half, Seconds now);
  void let_go(Sequence& sequence);
  [[nodiscard]] bool start(Half& half, const Sequence& sequence, Seconds now, EngineActions& out);
  void cache_prompt(Prefill& prefill, EngineActions& out);
  void settle_blocks(Half& half);

  TargetEngineSettings settings_;
  Binding* binding_ = nullptr;
  KvBlocks kv_;
  PrefixCache cache_;
  std::uint32_t hash_blocks_;  ///< KV blocks of one hashed block
  EngineCounters counters_;
  std::vector<Half> halves_;
  std::deque<Sequence> waiting_;
  std::vector<std::uint8_t> verify_queue_;
  bool target_busy_ = false;
  double slowdown_ = 1.0;
  Seconds busy_{0.0};  ///< of passes that ended or were cut off
  SlowStart slow_ = {};
  models::Occupancy line_;
  models::Occupancy room_;
  std::uint64_t tokens_emitted_ = 0;
  models::WorkDone work_;
  Seconds foreseen_at_ = kNever;  ///< when the drafts of the only half arrive, without an event
  Seconds foreseen_time_{0.0};    ///< and what their verification takes
  models::Pass foreseen_pass_;
  Seconds kv_noted_{0.0};
  double kv_block_seconds_ = 0.0;
  std::vector<RowCounts> counted_before_;  ///< of an engine whose own counters are read
};

}  // namespace specroute::sim
