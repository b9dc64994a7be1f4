/// @file
/// The shortest story that still shows a fault, for a reader.
#pragma once

#include <string>

#include "tests/property/router/invariants.hpp"

namespace specroute::router::test {

using Invariant = Finding (*)(const Subject&, const Story&);

/// Leaves out whatever the fault does not need: halves, quarters, ... and at last single events, as
/// long as the same fault shows. Ends at a story of which no single event can be left out.
/// @source Zeller and Hildebrandt, "Simplifying and isolating failure-inducing input", 2002.
Story shortest(Invariant invariant, const Subject& subject, Story story, const std::string& fault);

/// The story in lines, with what the gate said at each event.
std::string tell_with_answers(const Subject& subject, const Story& story);

}  // namespace specroute::router::test
