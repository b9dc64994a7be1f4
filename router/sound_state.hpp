/// @file
/// What the parts of a state are like, whatever the events were. A snapshot in which they are not
/// is no snapshot: indices would lead out of tables, and sums out of their types.
#pragma once

#include <cstdint>

#include "router/baseline_book.hpp"
#include "router/bind_table.hpp"
#include "router/candidate_table.hpp"
#include "router/gate.hpp"

namespace specroute::router {

/// @param before the row before it in the table, or nullptr
/// @param baselines in the book
bool is_sound(const BindRow& row, const BindRow* before, std::uint32_t baselines);
/// Of a gate that counts recent outcomes: shares are at most 1, and slots hold no more than they
/// can.
bool has_sound_tally(const BindRow& row, const Gate& gate);
bool is_sound(const Baseline& baseline);

}  // namespace specroute::router
