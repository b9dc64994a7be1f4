#include "sim/serving/target_engine.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <specroute/vocab/check.hpp>

namespace specroute::sim {
namespace {

void add_increments(std::vector<RowCounts>& total, const std::vector<RowCounts>& now,
                    const std::vector<RowCounts>& before) {
  for (std::size_t row = 0; row < total.size(); ++row)
    for (std::size_t a = 0; a < total[row].steps_accepting.size(); ++a)
      total[row].steps_accepting[a] += now[row].steps_accepting[a] - before[row].steps_accepting[a];
  for (std::size_t row = 0; row < total.size(); ++row)
    total[row].not_drafted += now[row].not_drafted - before[row].not_drafted;
}

}  // namespace

void EngineActions::clear() {
  scheduled.clear();
  finished.clear();
  expired.clear();
  rejected.clear();
  emissions.clear();
  cache_changes.clear();
}

TargetEngine::TargetEngine(const TargetEngineSettings& settings)
    : settings_(settings),
      kv_(settings.kv_blocks, settings.kv_block_tokens),
      hash_blocks_(models::kPrefixBlockTokens / settings.kv_block_tokens) {
  check(settings.half_batches == 1 || settings.half_batches == 2, "a batch has one or two halves");
  // A half may come to hold all sequences while the other is empty.
  for (std::uint32_t h = 0; h < settings.half_batches; ++h) halves_.emplace_back(settings);
}

void TargetEngine::submit(const Sequence& sequence, Seconds now, EngineActions& out) {
  check(binding_ != nullptr, "requests reach an engine only while its backend is bound");
  if (!kv_.could_ever_hold(kv_need(sequence))) {
    out.rejected.push_back(sequence);
    return;
  }
  note_kv(now);
  waiting_.push_back(sequence);
  Sequence& last = waiting_.back();
  last.submitted = now;
  line_.enter(now);
  if (is_looping(last.row))  // it looped on another engine: from now on this one watches
    last.length =
        std::max(settings_.loop_watch.length(last.loop_entered, last.limit), last.emitted + 1);
  wake_idle(now, out);
}

void TargetEngine::wake_idle(Seconds now, EngineActions& out) {
  for (std::uint8_t h = 0; h < halves_.size() && !waiting_.empty(); ++h)
    if (halves_[h].state == Half::State::idle) begin_cycle(h, now, out);
}

void TargetEngine::on_due(EngineActions::Due due, std::uint8_t half, Seconds now,
                          EngineActions& out) {
  note_kv(now);
  Half& h = halves_[half];
  const auto expected =
      due == EngineActions::Due::pass_ends ? Half::State::verifying : Half::State::drafting;
  if (h.state != expected || h.due != now) return;  // scheduled before this engine's death
  if (due == EngineActions::Due::pass_ends) return end_pass(half, now, out);
  if (h.awaits == Half::Awaits::departure) return;  // an earlier round's timeout
  if (h.awaits == Half::Awaits::flow) h.late = true;
  // Drafts that a dead draft never sent: the target decodes alone this time.
  if (!h.binding->draft_alive || h.late) {
    h.tables = h.binding->alone;
    h.drafted = 0.0;
  }
  if (h.size() == 0) return begin_empty(half, now, out);
  verify_or_wait(half, now, out);
}

void TargetEngine::begin_cycle(std::uint8_t index, Seconds now, EngineActions& out) {
  Half& half = halves_[index];
  half.state = Half::State::idle;
  half.draft_tokens = drafts_wanted(half, now);
  // As in vLLM, a cycle that had to preempt admits nobody.
  const bool preempted = on_demand() && grow(half, now, out);
  if (!preempted) admit(half, now, out);
  if (half.size() == 0) return;
  plan_prefill(half);
  half.binding = binding_;
  half.tables = binding_->alone;
  half.circumstance = binding_->circumstance;
  half.drafted = 0.0;
  if (half.draft_tokens > 0 && half.batch.size() > 0) return draft(half, index, now, out);
  // No draft falls behind while none is there: one that comes later rebuilds contexts at its bind.
  half.draft_skipped = drafting_possible() && half.batch.size() > 0;
  if (!drafting_possible()) half.draft_backlog = 0;
  verify_or_wait(index, now, out);
}

/// Gamma of the next cycle, by the batch as it stands.
std::uint32_t TargetEngine::drafts_wanted(const Half& half, Seconds now) const {
  if (!drafting_possible() || half.batch.size() == 0 || abandoned(half, now)) return 0;
  return settings_.schedule.draft_tokens(binding_->draft_tokens, half.batch.size());
}

/// Prompt tokens that the next pass may carry besides its decoding sequences.
std::uint32_t TargetEngine::prefill_allowance(const Half& half, std::uint32_t draft_tokens) const {
  if (!settings_.max_batched_tokens) return settings_.prefill_chunk_tokens;
  const std::uint64_t decode = std::uint64_t{half.batch.size()} * (draft_tokens + 1);
  const std::uint64_t budget = *settings_.max_batched_tokens;
  return static_cast<std::uint32_t>(
      std::min<std::uint64_t>(settings_.prefill_chunk_tokens, budget - std::min(decode, budget)));
}

/// Reserved blocks never run out, so only the allowance bounds a chunk; on demand it is planned.
void TargetEngine::plan_prefill(Half& half) const {
  if (on_demand()) return;
  const std::uint32_t most = prefill_allowance(half, half.draft_tokens);
  half.chunk = 0;
  for (const Prefill& p : half.prefill) half.chunk += std::min(p.remaining, most - half.chunk);
}

/// Takes waiting sequences in order, up to this half's share of all that the engine then holds.
void TargetEngine::admit(Half& half, Seconds now, EngineActions& out) {
  const auto halves = static_cast<std::uint32_t>(halves_.size());
  const std::uint32_t in_sight = held() + static_cast<std::uint32_t>(waiting_.size());
  const std::uint32_t share = std::min((in_sight + halves - 1) / halves, settings_.max_sequences);
  while (!waiting_.empty() && half.size() < share && held() < settings_.max_sequences) {
    const Sequence& next = waiting_.front();
    if (next.deadline <= now) {
      out.expired.push_back(next);
    } else {
      if (!start(half, next, now, out)) return;  // first come, first served: nobody overtakes
    }
    line_.leave(now, next.submitted);
    waiting_.pop_front();
  }
}

/// gamma passes on the draft's device; the first also brings the draft's own cache up to date.
void TargetEngine::draft(Half& half, std::uint8_t index, Seconds now, EngineActions& out) {
  double passes = half.draft_tokens;
  half.drafted = static_cast<double>(half.batch.size()) * half.draft_tokens;
  if (settings_.schedule.cap_at_limit) {
    const CappedDrafts capped = half.batch.capped_drafts(half.draft_tokens);
    passes = capped.longest;
    half.drafted = static_cast<double>(capped.total);
  }
  half.draft_skipped = passes == 0.0;  // every last token is the target's
  if (half.draft_skipped) return verify_or_wait(index, now, out);
  half.drafter = &drafter();
  half.draft_pass = make_draft_pass(half, passes);
  half.tables = half.binding->tables_of(half.draft_tokens);
  if (half.binding->co_located) return verify_or_wait(index, now, out);
  ask_for_drafts(index, now, out);
}

/// So many passes of its drafter over this half's batch, and what the draft has missed.
DraftPass TargetEngine::make_draft_pass(Half& half, double passes) {
  DraftEngine& engine = *half.drafter;
  const double sequences = half.batch.size();
  const models::Pass pass{.sequences = sequences,
                          .tokens_decode = sequences,
                          .tokens_prefill = 0.0,
                          .context_tokens = static_cast<double>(half.batch.context_tokens()),
                          .prefill_pairs = 0.0};
  DraftPass made{.time = models::round_time(engine.step, pass, passes)};
  // Some of those that it has not seen may have left since.
  half.draft_backlog = std::min(half.draft_backlog, half.batch.context_tokens());
  if (half.draft_backlog > 0) {
    models::Pass catching_up = pass;
    catching_up.tokens_prefill = static_cast<double>(half.draft_backlog);
    made.time += models::pass_time(engine.step, catching_up) - models::pass_time(engine.step, pass);
    made.work.prompt_tokens += catching_up.tokens_prefill;
  }
  made.time *= engine.slowdown;
  made.work.add(pass, passes);
  half.draft_backlog = 0;
  made.time = engine.slow.stretched(made.time);
  return made;
}

void TargetEngine::verify_or_wait(std::uint8_t index, Seconds now, EngineActions& out) {
  if (!target_busy_) return verify(index, now, out);
  halves_[index].state = Half::State::waiting;
  verify_queue_.push_back(index);
}

void TargetEngine::verify(std::uint8_t index, Seconds now, EngineActions& out) {
  Half& half = halves_[index];
  if (half.size() == 0) return begin_empty(index, now, out);
  if (half.batch.size() == 0) forget_drafts(half);
  // Who was taken back meanwhile has no drafts to verify.
  half.drafted = std::min(half.drafted, static_cast<double>(half.batch.size()) * half.draft_tokens);
  const models::Pass pass = verification_of(half);
  begin_pass(half, pass, verification_time(pass), now);
  out.scheduled.push_back({half.due, EngineActions::Due::pass_ends, index});
}

/// The half keeps what it has until its drafts arrive, and the target is idle then.
void TargetEngine::foresee_verification(std::uint8_t index, EngineActions& out) {
  Half& half = halves_[index];
  foreseen_at_ = half.due;
  foreseen_pass_ = verification_of(half);
  foreseen_time_ = verification_time(foreseen_pass_);
  out.scheduled.push_back({foreseen_at_ + foreseen_time_, EngineActions::Due::pass_ends, index});
}

void TargetEngine::begin_foreseen() {
  add_kv_until(foreseen_at_);
  begin_pass(halves_.front(), foreseen_pass_, foreseen_time_, foreseen_at_);
  foreseen_at_ = kNever;
}

models::Pass TargetEngine::verification_of(const Half& half) const {
  std::uint32_t chunk = 0;
  double prefilling = 0.0;
  double pairs = 0.0;
  for (const Prefill& p : half.prefill) {
    if (chunk == half.chunk) break;
    const std::uint32_t part = std::min(p.remaining, half.chunk - chunk);
    const double past = p.computed();
    pairs += part * (past + 0.5 * part);
    chunk += part;
    prefilling += 1.0;
  }
  const double sequences = half.batch.size();
  return {.sequences = sequences + prefilling,
          .tokens_decode = sequences + half.drafted,
          .tokens_prefill = static_cast<double>(chunk),
          .context_tokens = static_cast<double>(half.batch.context_tokens()),
          .prefill_pairs = pairs};
}

Seconds TargetEngine::verification_time(const models::Pass& pass) {
  return slow_.stretched(slowdown_ * models::pass_time(settings_.step, pass));
}

/// With the passes of a co-located draft before the verification.
void TargetEngine::begin_pass(Half& half, const models::Pass& pass, Seconds verification,
                              Seconds now) {
  half.pass = pass;
  half.pass_time = half.draft_pass.time + verification;
  half.drafts_before = half.draft_pass.time > Seconds{0.0} ? half.drafter : nullptr;
  if (half.drafts_before != nullptr) (void)half.drafts_before->queue(half.draft_pass, now, now);
  half.draft_pass = {};
  half.state = Half::State::verifying;
  half.began = now;
  half.due = now + half.pass_time;
  target_busy_ = true;
}

void TargetEngine::end_pass(std::uint8_t index, Seconds now, EngineActions& out) {
  Half& half = halves_[index];
  target_busy_ = false;
  busy_ += half.pass_time;
  work_.add(half.pass);
  decode(half, now, out);
  progress_prefill(half, now, out);
  const std::size_t before = out.expired.size();
  half.batch.expire(now, out.expired);
  for (std::size_t i = before; i < out.expired.size(); ++i) leave(out.expired[i], now);
  settle_blocks(half);
  while (!verify_queue_.empty() && !target_busy_) {
    const std::uint8_t next = verify_queue_.front();
    verify_queue_.erase(verify_queue_.begin());
    verify(next, now, out);
  }
  begin_cycle(index, now, out);
  wake_idle(now, out);
}

void TargetEngine::decode(Half& half, Seconds now, EngineActions& out) {
  if (half.batch.size() == 0) return;
  half.batch.each_kind([&](std::uint32_t kind, std::uint32_t sequences) {
    out.emissions.push_back({now - half.last_emission, sequences, kind});
  });
  half.last_emission = now;
  const std::size_t before = out.finished.size();
  Binding& binding = *half.binding;
  std::vector<RowCounts>& counts = binding.counts_of(half.tables->draft_tokens);
  const bool sampled = !binding.sampled.empty() && binding.sampled_engine == settings_.index &&
                       &counts == &binding.counts;
  if (sampled) counted_before_ = counts;
  const std::uint64_t emitted = half.batch.advance({.tables = *half.tables,
                                                    .key = settings_.decode_key,
                                                    .pairing = binding.pairing,
                                                    .counts = counts,
                                                    .capped = settings_.schedule.cap_at_limit,
                                                    .circumstance = half.circumstance},
                                                   out.finished);
  if (sampled) add_increments(binding.sampled, counts, counted_before_);
  tokens_emitted_ += emitted;
  if (half.draft_skipped) half.draft_backlog += emitted;
  for (std::size_t i = before; i < out.finished.size(); ++i) leave(out.finished[i], now);
}

/// Spends the pass's chunk on the prefills in order; each that ends emits one token and decodes.
void TargetEngine::progress_prefill(Half& half, Seconds now, EngineActions& out) {
  std::size_t done = 0;
  for (Prefill& p : half.prefill) {
    const std::uint32_t part = std::min(p.remaining, half.chunk);
    p.remaining -= part;
    half.chunk -= part;
    if (p.remaining > 0) break;
    ++done;
    Sequence& sequence = p.sequence;
    if (std::isnan(sequence.first_token.count())) sequence.first_token = now;
    if (sequence.emitted > 0)  // computed again: elsewhere, or after a preemption
      out.emissions.push_back(
          {now - sequence.last_emission, 1, settings_.rows.kind_of(sequence.row)});
    cache_prompt(p, out);
    half.decode_blocks += p.blocks;  // until the half settles
    ++sequence.emitted;
    ++tokens_emitted_;
    if (sequence.emitted >= sequence.length) {
      leave(sequence, now);
      out.finished.push_back(sequence);
    } else {
      if (half.batch.size() == 0) half.last_emission = now;
      half.batch.join(sequence);
      half.draft_backlog += sequence.context() - 1 - p.found;  // the last token begins its drafts
    }
  }
  half.prefill.erase(half.prefill.begin(),
                     half.prefill.begin() + static_cast<std::ptrdiff_t>(done));
}

/// Out of the batch: its blocks are free again, or idle where the prefix cache keeps them.
void TargetEngine::leave(Sequence& sequence, Seconds now) {
  let_go(sequence);
  room_.leave(now, sequence.admitted);
}

void TargetEngine::take_all(Seconds now, std::vector<Sequence>& out) {
  note_kv(now);
  busy_ = busy_by(now);
  const std::size_t before = out.size();
  for (Half& half : halves_) {
    const bool cut_off = half.state == Half::State::verifying;
    if (cut_off && half.drafts_before != nullptr) half.drafts_before->stop(now);
    const std::size_t first = out.size();
    half.batch.take_all(out);
    for (std::size_t i = first; i < out.size(); ++i) out[i].last_emission = half.last_emission;
    for (const Prefill& p : half.prefill) out.push_back(p.sequence);
    half.prefill.clear();
    half.state = Half::State::idle;
    half.draft_backlog = 0;
    forget_drafts(half);
    half.chunk = 0;
    half.decode_blocks = 0;
  }
  for (std::size_t i = before; i < out.size(); ++i) {
    kv_.retire(std::uint64_t{cache_.unpin(shared(out[i]))} * hash_blocks_);
    out[i].shared_hashes = 0;
    room_.leave(now, out[i].admitted);
  }
  for (const Sequence& sequence : waiting_) line_.leave(now, sequence.submitted);
  out.insert(out.end(), waiting_.begin(), waiting_.end());
  waiting_.clear();
  verify_queue_.clear();
  target_busy_ = false;
  foreseen_at_ = kNever;
  kv_.release_all();
}

Seconds TargetEngine::busy_by(Seconds now) {
  note_kv(now);
  Seconds busy = busy_;
  for (const Half& half : halves_)
    if (half.state == Half::State::verifying)
      busy += std::max(half.pass_time - std::max(half.due - now, Seconds{0.0}), Seconds{0.0});
  return busy;
}

std::uint64_t TargetEngine::context_tokens() const {
  std::uint64_t total = 0;
  for (const Half& half : halves_) total += half.batch.context_tokens();
  return total;
}

std::uint32_t TargetEngine::running() const {
  return held();
}

std::uint32_t TargetEngine::held() const {
  std::uint32_t total = 0;
  for (const Half& half : halves_) total += half.size();
  return total;
}

}  // namespace specroute::sim
