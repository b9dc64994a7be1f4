/// @file
/// Whose turn a request is, and what its prompt begins with.
#pragma once

#include <cstdint>
#include <vector>

#include "models/random/stream.hpp"
#include "models/workload/prefix_blocks.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/world/request_table.hpp"

namespace specroute::sim {

/// Draws sessions and prefix groups from streams of their own, so that a class that has none
/// arrives as it would without them. Sessions are numbered from 1 in order of their first turn.
class PromptSharing {
 public:
  /// @param prefixes by class and group; outlives this
  PromptSharing(const Scenario& scenario,
                const std::vector<std::vector<models::PrefixHandle>>& prefixes, models::Seed seed);

  /// Sets the request's session and its sequence's prefix, where the class has them.
  void assign(ClassId id, Request& request);

 private:
  struct ClassState {
    Sessions sessions;
    models::Stream turns;
    models::Stream groups;
    std::vector<std::uint64_t> active;  ///< sessions at a time; 0: its next turn is a new one's
  };
  const std::vector<std::vector<models::PrefixHandle>>& prefixes_;
  std::vector<ClassState> classes_;
  std::uint64_t last_session_ = 0;
};

}  // namespace specroute::sim
