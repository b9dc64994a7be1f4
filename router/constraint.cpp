#include "router/constraint.hpp"

#include <algorithm>
#include <array>

namespace specroute::router {
namespace {

bool known_stale(const srp_side& side, std::uint64_t required, std::uint32_t version) {
  return required != 0 && (side.known & SRP_FP_PARAMS) != 0 && params_of(side, version) != required;
}

std::uint32_t side_to_replace(const BindRow& row, const Verdict& verdict, const Config& config) {
  if (verdict.mark != kAsksHash) return SRP_REPLACE_DRAFT;
  if (config.match_draft != 0) return SRP_REPLACE_TARGET;
  const auto required = row.required(config.hash_version);
  const bool draft_stale = known_stale(row.draft.side, required, config.hash_version);
  const bool target_stale = known_stale(row.target.side, required, config.hash_version);
  return target_stale && !draft_stale ? SRP_REPLACE_TARGET : SRP_REPLACE_DRAFT;
}

/// The row's earlier offenders without this one, the latest seven of them, then this one.
void exclude_backends(const BindRow& row, std::uint64_t offender, srp_constraint& to) {
  std::array<std::uint64_t, SRP_MAX_EXCLUDE> earlier{};
  const auto* const end = row.exclude.data() + row.n_exclude;
  auto* const kept_end = std::remove_copy(row.exclude.data(), end, earlier.data(), offender);
  const auto kept = kept_end - earlier.data();
  const auto dropped = kept == SRP_MAX_EXCLUDE ? 1 : 0;
  auto* const last = std::copy(earlier.data() + dropped, kept_end, to.exclude);
  *last = offender;
  to.n_exclude = static_cast<std::uint32_t>(kept - dropped + 1);
}

}  // namespace

srp_constraint constraint_for(const BindRow& row, const Verdict& verdict, const Gate& gate,
                              const Config& config) {
  srp_constraint to{};
  to.replace = side_to_replace(row, verdict, config);
  const bool drops_draft = to.replace == SRP_REPLACE_DRAFT;
  const srp_side& kept = drops_draft ? row.target.side : row.draft.side;
  const srp_side& dropped = drops_draft ? row.draft.side : row.target.side;
  to.keep_backend = kept.backend;
  to.match = gate.match & kept.known & ~static_cast<std::uint32_t>(SRP_FP_PARAMS);
  if (verdict.mark == kAsksHash && (gate.match & SRP_FP_PARAMS) != 0) {
    const auto required = config.match_draft != 0 ? 0 : row.required(config.hash_version);
    const bool kept_known = (kept.known & SRP_FP_PARAMS) != 0;
    if (required != 0 || kept_known) {
      to.match |= SRP_FP_PARAMS;
      to.required = required != 0 ? required : params_of(kept, config.hash_version);
      to.params_version = config.hash_version;
    }
  }
  exclude_backends(row, dropped.backend, to);
  return to;
}

}  // namespace specroute::router
