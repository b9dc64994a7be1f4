#include "router/explain.hpp"

#include <bit>

#include <specroute/router/decision_name.hpp>

#include "router/gate.hpp"
#include "router/reasons.hpp"

namespace specroute::router {
namespace {

std::uint64_t hash_bits(std::int64_t value) {
  return std::bit_cast<std::uint64_t>(value);
}

void numbers(const srp_decision& d, Numbers kind, TextBuffer& out) {
  switch (kind) {
    case Numbers::rates:
      out.text("; delta ").ppm(d.arg[0]).text(" (acceptance ").ppm(d.arg[1]).text(", baseline ");
      out.ppm(d.arg[2]).text(") over ").integer(d.arg[3]).text(" drafted tokens");
      break;
    case Numbers::hashes:
      out.text("; draft params=").hash(hash_bits(d.arg[0])).text(" target params=");
      out.hash(hash_bits(d.arg[1])).text(" profile params=").hash(hash_bits(d.arg[2]));
      break;
    case Numbers::both:
      out.text("; delta ").ppm(d.arg[0]).text(" (acceptance ").ppm(d.arg[1]);
      out.text("); draft params=").hash(hash_bits(d.arg[2])).text(" target params=");
      out.hash(hash_bits(d.arg[3]));
      break;
    case Numbers::ids:
      out.text("; draft ").integer(hash_bits(d.arg[0])).text(", target ");
      out.integer(hash_bits(d.arg[1]));
      break;
    case Numbers::rate:
      out.text("; acceptance ").ppm(d.arg[0]).text(" over ").integer(d.arg[1]);
      out.text(" drafted tokens");
      break;
    case Numbers::peers:
      out.text("; acceptance ").ppm(d.arg[0]).text(", mean ").ppm(d.arg[1]).text(" and deviation ");
      out.ppm(d.arg[2]).text(" of ").integer(d.arg[3]).text(" pairings");
      break;
    case Numbers::outcomes:
      out.text("; ").integer(d.arg[1]).text(" of ").integer(d.arg[2]).text(" (share ");
      out.ppm(d.arg[0]).text(", limit ").ppm(d.arg[3]).text(")");
      break;
  }
}

void action(const srp_decision& d, TextBuffer& out) {
  if (d.h.type == SRP_REBIND && d.to.replace != SRP_KEEP_NONE) {
    const std::uint32_t n = d.to.n_exclude <= SRP_MAX_EXCLUDE ? d.to.n_exclude : 0;
    out.text(d.to.replace == SRP_REPLACE_DRAFT ? "; replace draft" : "; replace target");
    if (n > 0) out.text(" backend ").integer(d.to.exclude[n - 1]);
    out.text(", keep backend ").integer(d.to.keep_backend);
    if ((d.to.match & SRP_FP_PARAMS) != 0) out.text(", match params=").hash(d.to.required);
  }
  if (d.valid_until != 0) out.text("; until ").integer(d.valid_until).text(" ns");
  if (d.dry_run != 0) out.text("; dry run");
}

}  // namespace

void explain(const srp_decision& decision, TextBuffer& out) {
  const Gate* gate = find_gate(decision.gate);
  const auto& reason = reason_text(decision.reason);
  out.text(gate == nullptr ? "unknown gate" : gate->name).text(": ");
  const std::string_view name = decision_name(decision.h.type);
  out.text(name.empty() ? "unknown decision" : name).text(" pairing ").integer(decision.h.pairing);
  out.text(", profile ").integer(decision.profile);
  if (reason.code.empty()) {
    out.text(" (reason ").integer(std::uint64_t{decision.reason}).text(")");
  } else {
    out.text(" (").text(reason.code).text("): ").text(reason.sentence);
    numbers(decision, reason.numbers, out);
  }
  action(decision, out);
  out.text(".");
}

}  // namespace specroute::router
