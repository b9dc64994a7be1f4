// Between the draft's devices and the target: drafts are asked for, are given up on at the timeout,
// and cross the network; those that are too large for a message as a flow of the world's.
#include "sim/serving/target_engine.hpp"

namespace specroute::sim {

void TargetEngine::ask_for_drafts(std::uint8_t index, Seconds now, EngineActions& out) {
  Half& half = halves_[index];
  const Binding& binding = *half.binding;
  const DraftEngine::Queued queued =
      half.drafter->queue(half.draft_pass, now + binding.to_draft, now);
  half.draft_pass = {};
  half.asked = queued.number;
  half.crossing = false;
  half.forwarded = binding.per_position * half.drafted;
  const bool as_flow = half.forwarded >= binding.flow_from;
  half.state = Half::State::drafting;
  half.began = now;
  half.due = as_flow ? queued.ends + binding.flow_delay
                     : queued.ends + binding.from_draft + half.forwarded / binding.bandwidth;
  half.late = half.due > patience(half);
  half.awaits = as_flow && !half.late ? Half::Awaits::departure : Half::Awaits::arrival;
  if (half.late) half.due = patience(half);
  if (half.awaits == Half::Awaits::arrival) {
    if (settings_.undisturbed && halves_.size() == 1 && !half.late)
      return foresee_verification(index, out);
    out.scheduled.push_back({half.due, EngineActions::Due::drafts_arrive, index});
    return;
  }
  out.scheduled.push_back({half.due, EngineActions::Due::drafts_leave, index});
  if (settings_.draft_timeout)
    out.scheduled.push_back({patience(half), EngineActions::Due::drafts_arrive, index});
}

/// Whether drafts that this half gave up on are still being made for it, or on their way: it has no
/// second request at the same draft meanwhile, or a slow one would owe ever more of them.
bool TargetEngine::abandoned(const Half& half, Seconds now) const {
  if (half.drafter == nullptr || binding_->co_located || half.drafter != &drafter()) return false;
  return half.crossing || half.drafter->holds(half.asked, now);
}

std::optional<TargetEngine::Forwarding> TargetEngine::forward(std::uint8_t index, Seconds now) {
  Half& half = halves_[index];
  const bool leave = half.state == Half::State::drafting && half.awaits == Half::Awaits::departure;
  if (!leave || half.due != now) return std::nullopt;
  half.awaits = Half::Awaits::flow;
  half.due = patience(half);
  half.crossing = true;
  half.left = now;
  return Forwarding{
      .size = half.forwarded, .round = ++half.round, .pairing = half.binding->pairing};
}

std::optional<Seconds> TargetEngine::forwarded(std::uint8_t index, std::uint32_t round, bool whole,
                                               Seconds now) {
  Half& half = halves_[index];
  if (half.round != round) return std::nullopt;
  half.crossing = false;
  // Else this engine died, its work moved, or it has waited long enough.
  const bool waits = half.state == Half::State::drafting && half.awaits == Half::Awaits::flow;
  if (!waits) return std::nullopt;
  half.awaits = Half::Awaits::arrival;
  half.due = now;
  if (!whole) {
    half.tables = half.binding->alone;
    half.drafted = 0.0;
  }
  return now - half.left;
}

}  // namespace specroute::sim
