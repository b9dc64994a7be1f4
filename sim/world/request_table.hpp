/// @file
/// Requests in flight, by slot. Slots are reused, so memory follows what is in flight and not what
/// has ever arrived.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include <specroute/vocab/check.hpp>
#include <specroute/vocab/id.hpp>

#include "sim/serving/sequence.hpp"
#include "sim/world/class_arrivals.hpp"
#include "sim/world/try_state.hpp"

namespace specroute::sim {

/// How a request ends: in exactly one of these.
enum class EndState : std::uint8_t { completed, timed_out, rejected, failed, unfinished };
inline constexpr std::size_t kEndStates = 5;
[[nodiscard]] constexpr const char* to_string(EndState state) {
  constexpr const char* kNames[kEndStates] = {"completed", "timed_out", "rejected", "failed",
                                              "unfinished"};
  return kNames[static_cast<std::size_t>(state)];
}

inline constexpr std::uint32_t kNoUser = std::numeric_limits<std::uint32_t>::max();

/// A request as the router holds it. `sequence` is what an engine gets, and gives back on a loss.
struct Request {
  Sequence sequence;
  ClassId request_class;
  BackendId target;          ///< that it was sent to; none while it waits at the router
  std::uint32_t engine = 0;  ///< among the target's
  std::uint32_t retries = 0;
  std::optional<std::uint32_t> wanted_engine = {};  ///< that the router chose
  std::uint64_t session = 0;  ///< of whom it is a turn, from 1; 0: of no session
  std::uint32_t tenant = kNoTenant;
  std::uint32_t user = kNoUser;  ///< who waits for it, among the users of all closed loops
  bool arrived_locked = false;   ///< its pairing was locked when it arrived
  bool in_use = false;
  TryState tries;
};

class RequestTable {
 public:
  [[nodiscard]] std::uint32_t add(const Request& request) {
    if (free_.empty()) {
      free_.push_back(static_cast<std::uint32_t>(slots_.size()));
      slots_.emplace_back();
    }
    const std::uint32_t slot = free_.back();
    free_.pop_back();
    slots_[slot] = request;
    slots_[slot].in_use = true;
    slots_[slot].sequence.slot = slot;
    ++in_flight_;
    return slot;
  }
  void remove(std::uint32_t slot) {
    check(slots_[slot].in_use, "a request ends once");
    slots_[slot].in_use = false;
    free_.push_back(slot);
    --in_flight_;
  }
  [[nodiscard]] Request& operator[](std::uint32_t slot) { return slots_[slot]; }
  [[nodiscard]] const Request& operator[](std::uint32_t slot) const { return slots_[slot]; }
  [[nodiscard]] std::uint64_t in_flight() const { return in_flight_; }
  [[nodiscard]] std::uint32_t slots() const { return static_cast<std::uint32_t>(slots_.size()); }

 private:
  std::vector<Request> slots_;
  std::vector<std::uint32_t> free_;
  std::uint64_t in_flight_ = 0;
};

}  // namespace specroute::sim
