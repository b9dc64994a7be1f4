// An engine that is slow, that hangs, whose drafts do not come, from which requests are taken back.
#include <algorithm>

#include "sim/serving/target_engine.hpp"

namespace specroute::sim {

/// All sequences of the half were taken back before its pass, and their drafts with them.
void TargetEngine::begin_empty(std::uint8_t index, Seconds now, EngineActions& out) {
  forget_drafts(halves_[index]);
  settle_blocks(halves_[index]);
  begin_cycle(index, now, out);
}

/// A pass under way ends later by the time that the process stood still; one that drafts makes
/// their arrival, if that fell into the time, its own time.
void TargetEngine::thaw(Seconds since, Seconds now, EngineActions& out) {
  std::uint8_t next = 0;
  for (Half& half : halves_) {
    const std::uint8_t h = next++;
    if (half.state == Half::State::verifying) {
      half.due += now - std::max(since, half.began);
      out.scheduled.push_back({half.due, EngineActions::Due::pass_ends, h});
    } else if (half.state == Half::State::drafting && half.due <= now) {
      if (half.awaits == Half::Awaits::departure) half.awaits = Half::Awaits::arrival;
      half.due = now;
      out.scheduled.push_back({half.due, EngineActions::Due::drafts_arrive, h});
    }
  }
}

PairingId TargetEngine::drafting_under(std::uint8_t half) const {
  const Half& h = halves_[half];
  return h.state == Half::State::drafting && h.binding != nullptr ? h.binding->pairing
                                                                  : PairingId{};
}

void TargetEngine::miss_drafts(std::uint8_t half, Seconds now, EngineActions& out) {
  Half& h = halves_[half];
  const bool expected = h.state == Half::State::drafting && h.awaits != Half::Awaits::departure;
  if (!expected || h.due != now) return;
  if (h.late || h.awaits == Half::Awaits::flow)  // waited enough
    return on_due(EngineActions::Due::drafts_arrive, half, now, out);
  h.awaits = Half::Awaits::nothing;
  h.due = kNever;
  if (!settings_.draft_timeout) return;
  h.awaits = Half::Awaits::arrival;
  h.late = true;
  h.due = std::max(now, patience(h));
  out.scheduled.push_back({h.due, EngineActions::Due::drafts_arrive, half});
}

bool TargetEngine::misses_drafts(std::uint8_t half) const {
  return halves_[half].state == Half::State::drafting &&
         halves_[half].awaits == Half::Awaits::nothing;
}

void TargetEngine::resume_drafts(std::uint8_t half, Seconds now, EngineActions& out) {
  halves_[half].awaits = Half::Awaits::arrival;
  halves_[half].due = now;
  out.scheduled.push_back({now, EngineActions::Due::drafts_arrive, half});
}

std::optional<Sequence> TargetEngine::withdraw(std::uint32_t slot, Seconds now) {
  note_kv(now);
  for (Half& half : halves_) {
    if (auto sequence = half.batch.withdraw(slot)) {
      sequence->last_emission = half.last_emission;
      leave(*sequence, now);
      // Else the half settles when its pass ends; one that waits for drafts may never get there.
      if (half.batch.size() == 0) settle_blocks(half);
      return sequence;
    }
    const auto found = std::ranges::find_if(
        half.prefill, [&](const Prefill& p) { return p.sequence.slot == slot; });
    if (found == half.prefill.end()) continue;
    Sequence sequence = found->sequence;
    std::uint32_t left = half.chunk;  // the pass under way computes its part for nobody
    for (auto p = half.prefill.begin(); p != found; ++p) left -= std::min(p->remaining, left);
    half.chunk -= std::min(found->remaining, left);
    if (on_demand()) kv_.give_back(found->blocks);
    leave(sequence, now);
    half.prefill.erase(found);
    return sequence;
  }
  const auto found = std::ranges::find(waiting_, slot, &Sequence::slot);
  if (found == waiting_.end()) return std::nullopt;
  Sequence sequence = *found;
  line_.leave(now, sequence.submitted);
  waiting_.erase(found);
  return sequence;
}

std::optional<Sequence> TargetEngine::look_at(std::uint32_t slot) const {
  std::optional<Sequence> found;
  for (const Half& half : halves_) {
    if (!found) found = half.batch.look_at(slot);
    for (const Prefill& p : half.prefill)
      if (p.sequence.slot == slot) found = p.sequence;
  }
  const auto waiting = std::ranges::find(waiting_, slot, &Sequence::slot);
  if (waiting != waiting_.end()) found = *waiting;
  if (found) found->shared_hashes = 0;
  return found;
}

}  // namespace specroute::sim
