/// @file
/// The queue of pending events: a 4-ary heap under the strict total order (date, sequence).
///
/// Four children per node halve the depth of a binary heap and keep siblings within two cache
/// lines. Equal dates leave in the order of scheduling, so a run never depends on the heap's shape.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <specroute/vocab/check.hpp>
#include <specroute/vocab/units.hpp>

namespace specroute::sim {

/// What an event means; the world that handles it owns the numbering. Kinds that carry
/// `kPlatformBit` touch the platform (hosts, flows); see lane.hpp.
using EventKind = std::uint32_t;
inline constexpr EventKind kPlatformBit = 0x8000'0000U;

/// One pending event. `object` is an index into whatever table the kind refers to.
struct Event {
  Seconds date;
  std::uint64_t sequence;
  EventKind kind;
  std::uint32_t object;
};
static_assert(sizeof(Event) == 24, "the heap's speed rests on small events");

/// Whether the event may touch the platform, and so waits for SimGrid's clock.
[[nodiscard]] constexpr bool is_platform(const Event& event) {
  return (event.kind & kPlatformBit) != 0;
}

/// The total order: earlier date first; at equal dates, scheduled first.
[[nodiscard]] constexpr bool before(const Event& a, const Event& b) {
  return a.date < b.date || (a.date == b.date && a.sequence < b.sequence);
}

/// Min-heap of events. Dates must not be NaN: the caller (Lane::at) checks it once.
class EventHeap {
 public:
  [[nodiscard]] bool empty() const { return size() == 0; }
  [[nodiscard]] std::size_t size() const { return nodes_.size() - (hollow_ ? 1 : 0); }

  /// The earliest event. The heap must not be empty, nor between `take` and `settle`.
  [[nodiscard]] const Event& top() const { return nodes_.front(); }

  /// Adds an event in O(log4 n). The first one after `take` goes down from the place that is free.
  void push(const Event& event) {
    if (hollow_) {
      hollow_ = false;
      return sink(event);
    }
    std::size_t hole = nodes_.size();
    nodes_.push_back(event);
    while (hole > 0) {
      const std::size_t parent = (hole - 1) / kArity;
      if (!before(event, nodes_[parent])) break;
      nodes_[hole] = nodes_[parent];
      hole = parent;
    }
    nodes_[hole] = event;
  }

  /// Removes and returns the earliest event in O(log4 n). The heap must not be empty.
  Event pop() {
    const Event earliest = take();
    settle();
    return earliest;
  }

  /// As `pop`, but leaves its place free until `settle`: most events schedule another one, which
  /// takes that place in half the time. The heap must not be empty, nor taken from already.
  Event take() {
    check(!nodes_.empty() && !hollow_, "an event is popped from a heap that has one");
    hollow_ = true;
    return nodes_.front();
  }
  /// Fills the place that `take` left, if no event has.
  void settle() {
    if (!hollow_) return;
    hollow_ = false;
    const Event last = nodes_.back();
    nodes_.pop_back();
    if (!nodes_.empty()) sink(last);
  }

 private:
  static constexpr std::size_t kArity = 4;

  void sink(const Event& event) {
    const std::size_t count = nodes_.size();
    std::size_t hole = 0;
    for (std::size_t first = 1; first < count; first = kArity * hole + 1) {
      const std::size_t end = std::min(first + kArity, count);
      std::size_t least = first;
      for (std::size_t child = first + 1; child < end; ++child)
        if (before(nodes_[child], nodes_[least])) least = child;
      if (!before(nodes_[least], event)) break;
      nodes_[hole] = nodes_[least];
      hole = least;
    }
    nodes_[hole] = event;
  }

  std::vector<Event> nodes_;
  bool hollow_ = false;  ///< the root is free
};

}  // namespace specroute::sim
