// Drafts that are too large for a message: they cross the network as a flow of the world's.
#include <limits>

#include "sim/serving/target_engine.hpp"

namespace specroute::sim {
namespace {

/// No event is due then: the half waits for its flow. Not the date of drafts that never come.
constexpr Seconds kWithItsFlow{std::numeric_limits<double>::max()};

}  // namespace

std::optional<TargetEngine::Forwarding> TargetEngine::forward(std::uint8_t index, Seconds now) {
  Half& half = halves_[index];
  if (half.state != Half::State::drafting || half.due != now) return std::nullopt;
  half.due = kWithItsFlow;
  half.left = now;
  return Forwarding{
      .size = half.forwarded, .round = ++half.round, .pairing = half.binding->pairing};
}

std::optional<Seconds> TargetEngine::forwarded(std::uint8_t index, std::uint32_t round, bool whole,
                                               Seconds now) {
  Half& half = halves_[index];
  const bool waits = half.state == Half::State::drafting && half.due == kWithItsFlow;
  if (!waits || half.round != round) return std::nullopt;  // this engine died, or its work moved
  half.due = now;
  if (!whole) {
    half.tables = half.binding->alone;
    half.drafted = 0.0;
  }
  return now - half.left;
}

}  // namespace specroute::sim
