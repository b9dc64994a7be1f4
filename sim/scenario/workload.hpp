/// @file
/// What requests ask for and how they come.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <specroute/vocab/id.hpp>
#include <specroute/vocab/units.hpp>

#include "models/workload/lengths.hpp"
#include "sim/scenario/arrivals.hpp"
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

/// From `from` on, the class's text is of this content (it selects the token-pair model).
struct ContentPhase {
  Seconds from;
  std::string content;
};

struct RequestClass {
  std::string name;
  PoolId pool;
  ProfileId profile;
  Arrivals arrivals;
  models::LengthSpec prompt;  ///< of a trace: its longest alone
  models::LengthSpec output;  ///< likewise
  std::vector<ContentPhase> content;
  Seconds ttft_slo;
  Seconds tpot_slo;
  SharedPrefix shared_prefix = {};
  Sessions sessions = {};
  std::int32_t priority = 0;         ///< higher is taken first from the line at the router
  std::vector<Tenant> tenants = {};  ///< whose the requests are, by weight; of a trace, the file's
};

}  // namespace specroute::sim
