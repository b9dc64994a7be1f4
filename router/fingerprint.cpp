#include "router/fingerprint.hpp"

namespace specroute::router {
namespace {

void take(srp_side& to, const srp_side& from, std::uint32_t bits) {
  if ((bits & SRP_FP_TOKENIZER) != 0) to.tokenizer = from.tokenizer;
  if ((bits & SRP_FP_KV) != 0) to.kv_block_tokens = from.kv_block_tokens;
  if ((bits & SRP_FP_MASK) != 0) to.mask = from.mask;
  if ((bits & SRP_FP_MODEL) != 0) to.model = from.model;
  if ((bits & SRP_FP_PARAMS) != 0) {
    to.params_v1 = from.params_v1;
    to.params_v2 = from.params_v2;
  }
  to.known |= bits;
}

}  // namespace

Fingerprint first_seen(const srp_side& side) {
  Fingerprint known;
  known.side = side;
  known.verified = side.provenance >= SRP_VERIFIED_AT_BIND ? side.known : 0;
  return known;
}

Incarnation incarnation_of(const Fingerprint& known, const srp_side& seen) {
  if (seen.incarnation == known.side.incarnation) return Incarnation::same;
  return seen.incarnation > known.side.incarnation ? Incarnation::newer : Incarnation::older;
}

void learn(Fingerprint& known, const srp_side& seen) {
  const auto incarnation = incarnation_of(known, seen);
  if (incarnation == Incarnation::older) return;
  if (incarnation == Incarnation::newer) {
    // The service keeps its model across a restart unless it says otherwise.
    const std::uint64_t model = known.side.model;
    known = first_seen(seen);
    if ((seen.known & SRP_FP_MODEL) == 0) known.side.model = model;
    return;
  }
  const bool reported = seen.provenance >= SRP_VERIFIED_AT_BIND;
  const std::uint32_t bits = reported ? seen.known : seen.known & ~known.verified;
  take(known.side, seen, bits);
  if (!reported) return;
  known.verified |= bits;
  known.side.provenance = seen.provenance;
}

}  // namespace specroute::router
