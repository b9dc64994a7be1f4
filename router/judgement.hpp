/// @file
/// From a bind row to a decision: evidence is gathered, the gate speaks, and the verdict is
/// carried into the row's memory and into the caller's buffer.
#pragma once

#include <specroute/policy_abi.h>
#include <cstdint>

#include "router/bind_table.hpp"
#include "router/decision_writer.hpp"
#include "router/instance.hpp"

namespace specroute::router {

/// One event's surroundings.
struct Session {
  srp_policy& policy;
  const srp_record& event;
  DecisionWriter& out;
};

/// Judges the row on its unjudged counts (where they are enough for a rate, they are used up) and
/// on its fingerprints.
void judge_row(Session& session, BindRow& row);
/// Judges the row on its recent outcomes, whose counts have just come.
void judge_outcomes(Session& session, BindRow& row);
/// What the gate has to say of a fresh bind.
void judge_bind(Session& session, BindRow& row);
/// The host has no backend for a REBIND of this row: NO_DRAFT, or HOLD where the gate has no
/// fall-back.
void give_up_rebind(Session& session, BindRow& row);
/// Ends a quarantine whose date has come: the row is half open, and is judged on what comes now.
void end_quarantine(Session& session, BindRow& row);
/// The host did not quarantine the row's pairing: it goes on serving, and is left alone for a
/// while.
void refuse_quarantine(Session& session, BindRow& row, Reason reason);
/// Ends a NO_DRAFT whose date has come or whose cause is gone; drafting starts afresh.
void end_no_draft(Session& session, BindRow& row, Reason reason);

}  // namespace specroute::router
