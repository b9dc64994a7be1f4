/// @file
/// A decision as one English sentence.
#pragma once

#include <specroute/policy_abi.h>

#include "router/text_buffer.hpp"

namespace specroute::router {

/// "validity: REBIND pairing 7, profile 1 (unattributable_spike): ...; delta 0.527, ...". Needs
/// nothing but the decision, so a recorded trace can be explained later.
void explain(const srp_decision& decision, TextBuffer& out);

}  // namespace specroute::router
