/// @file
/// Which side a REBIND replaces, and who may take its place.
#pragma once

#include <specroute/policy_abi.h>
#include <cstdint>

#include "router/bind_table.hpp"
#include "router/config.hpp"
#include "router/gate.hpp"

namespace specroute::router {

/// The constraint of a rejection of `row`.
///
/// replace_stale_side: the side whose hash differs from what the profile requires goes; where
/// both differ, or the profile states nothing, the draft (the cheaper one). The newcomer must
/// have the required hash; where none is stated, the kept side's.
/// match_draft, the literal reading: the draft stays and a target with its hash is asked for.
/// Bits that the kept side does not know are not asked of the newcomer.
/// The offender joins the backends rejected within one cool-down in `exclude`.
srp_constraint constraint_for(const BindRow& row, const Verdict& verdict, const Gate& gate,
                              const Config& config);

}  // namespace specroute::router
