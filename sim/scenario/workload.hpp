/// @file
/// What requests ask for and how they come.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <specroute/vocab/id.hpp>
#include <specroute/vocab/units.hpp>

#include "sim/scenario/prompt_sharing.hpp"

namespace specroute::sim {

/// Sampling parameters as a request asks for them or as an override sets them.
struct Sampling {
  double temperature;
  double top_p;
  std::uint32_t top_k;  ///< 0: off
  double min_p;
  std::int64_t seed;
  std::string grammar;  ///< empty: none
};

struct SamplingProfile {
  std::string name;
  Sampling sampling;
};

struct LengthDistribution {
  enum class Kind { fixed, lognormal, geometric };
  Kind kind;
  double mean_tokens;  ///< of the untruncated distribution
  double cv;           ///< coefficient of variation of a lognormal; else 0
  std::uint32_t limit_tokens;
};

/// From `from` on, the class's text is of this content (it selects the token-pair model).
struct ContentPhase {
  Seconds from;
  std::string content;
};

struct RequestClass {
  std::string name;
  PoolId pool;
  ProfileId profile;
  double rate_per_s;  ///< Poisson
  LengthDistribution prompt;
  LengthDistribution output;
  std::vector<ContentPhase> content;
  Seconds ttft_slo;
  Seconds tpot_slo;
  SharedPrefix shared_prefix = {};
  Sessions sessions = {};
};

}  // namespace specroute::sim
