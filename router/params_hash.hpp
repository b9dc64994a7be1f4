/// @file
/// The hash of a side's sampling parameters.
#pragma once

#include <specroute/policy_abi.h>
#include <cstdint>

namespace specroute::router {

/// First 16 hex digits (and NUL) of SHA-256 over the canonical text of `s`.
///  version 1, the seed's, byte for byte what Python's f-string makes of it:
///   "{temperature:.4f}|{top_p:.4f}|{seed}|{grammar_id}"
///  version 2, which also sees what version 1 is blind to:
///   "v2|{temperature:.4f}|{top_p:.4f}|{top_k}|{min_p:.4f}|{repetition_penalty:.4f}
///    |{presence_penalty:.4f}|{frequency_penalty:.4f}|{seed}|{grammar_id}" (one line), with
///   "rule {rule}|" before the seed where a verification rule is said
/// Any double is accepted; NaN prints as "nan", infinities as "inf" and "-inf".
/// @return SRP_OK; SRP_E_ARG for another version or a NULL; SRP_E_SPACE where libcrypto fails.
std::int32_t params_hash(std::uint32_t version, const srp_sampling* s, char out[17]);

}  // namespace specroute::router
