/// @file
/// The memory of one policy instance: one block from the host, laid out at create.
#pragma once

#include <specroute/policy_abi.h>
#include <cstddef>
#include <cstdint>

#include "router/baseline_book.hpp"
#include "router/bind_table.hpp"
#include "router/candidate_table.hpp"
#include "router/config.hpp"
#include "router/fleet_book.hpp"
#include "router/gate.hpp"
#include "router/table.hpp"

namespace specroute::router {

/// A fail-over whose pairing is still to be bound, or is bound: its binds ask for it.
struct FailoverNote {
  std::uint64_t pairing = 0;
  std::uint64_t from_pairing = 0;
  std::uint64_t at = 0;
};

}  // namespace specroute::router

/// What the ABI calls an instance. Everything below `total_bytes` is state and goes into
/// snapshots; what is above follows from the configuration and the host.
struct srp_policy {
  specroute::router::Config config;
  const specroute::router::Gate* gate = nullptr;
  srp_host host{};
  std::size_t total_bytes = 0;

  std::uint64_t last_now = 0;
  std::uint64_t next_decision = 1;
  specroute::router::BindTable binds;
  specroute::router::BaselineBook baselines;
  specroute::router::CandidateTable candidates;
  specroute::router::Table<specroute::router::FailoverNote> failovers;
  specroute::router::FleetBook fleets;  ///< sums over the rows: made anew after a restore
};

namespace specroute::router {

/// Allocates through `host` and lays out the tables; nullptr where the host has no memory.
srp_policy* make_instance(const srp_host& host, const Config& config);
void destroy_instance(srp_policy* policy);

}  // namespace specroute::router
