/// @file
/// Health probes: the router learns of a death only by probes that stay unanswered.
#pragma once

#include <cstdint>
#include <vector>

#include <specroute/vocab/id.hpp>

namespace specroute::sim {

/// Counts consecutive failed and consecutive answered probes of each backend.
class Prober {
 public:
  /// `restarted`: it answers, but with another incarnation, so it died faster than probes notice.
  enum class Verdict { unchanged, went_down, came_up, restarted };

  Prober(std::size_t backends, std::uint32_t unhealthy_threshold,
         std::uint32_t healthy_threshold = 1)
      : failures_(backends, 0),
        answers_(backends, 0),
        up_(backends, true),
        incarnation_(backends, 0),
        threshold_(unhealthy_threshold),
        healthy_threshold_(healthy_threshold) {}

  /// One probe's result is known: an answer, or silence until its timeout.
  /// @param incarnation of the process that answered
  Verdict on_result(BackendId backend, bool answered, std::uint64_t incarnation = 0) {
    std::uint32_t& failures = failures_[backend.index()];
    if (answered) {
      failures = 0;
      const bool another = incarnation != incarnation_[backend.index()];
      incarnation_[backend.index()] = incarnation;
      ++answers_[backend.index()];
      if (!up_[backend.index()])
        return answers_[backend.index()] < healthy_threshold_ ? Verdict::unchanged
                                                              : change(backend, true);
      return another ? Verdict::restarted : Verdict::unchanged;
    }
    ++failures;
    answers_[backend.index()] = 0;
    if (!up_[backend.index()] || failures < threshold_) return Verdict::unchanged;
    return change(backend, false);
  }

  /// What the router believes, which lags behind what is.
  [[nodiscard]] bool believed_up(BackendId backend) const { return up_[backend.index()]; }

 private:
  Verdict change(BackendId backend, bool up) {
    up_[backend.index()] = up;
    return up ? Verdict::came_up : Verdict::went_down;
  }

  std::vector<std::uint32_t> failures_;
  std::vector<std::uint32_t> answers_;  ///< in a row
  std::vector<bool> up_;
  std::vector<std::uint64_t> incarnation_;  ///< of the latest answer
  std::uint32_t threshold_;
  std::uint32_t healthy_threshold_;
};

}  // namespace specroute::sim
