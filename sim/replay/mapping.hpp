/// @file
/// What telemetry does not say: which engine is which pairing, what each side applies, and when one
/// pairing followed another.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <specroute/policy_abi.h>
#include <specroute/vocab/result.hpp>

#include "sim/telemetry/intake.hpp"

namespace specroute::sim {

struct MappedProfile {
  std::string name;
  srp_profile profile{};
};

/// A side as far as it is known, whatever the profile.
struct MappedBackend {
  std::string name;
  srp_side side{};
  bool as_requested = false;  ///< its parameters are those that the profile requires
};

struct MappedPairing {
  std::string name;
  // Indices in the mapping's lists.
  std::size_t draft = 0;
  std::size_t target = 0;
  std::size_t profile = 0;
  std::map<std::string, std::vector<std::string>> match;  ///< label: values, one of which it has
  std::uint32_t draft_tokens = 0;                         ///< per step; 0: not stated
  std::uint32_t forward = SRP_FORWARD_TOKENS;
  std::optional<UnixTime> from;
  std::optional<UnixTime> to;
  std::string pointer;  ///< where it stands in the file
};

/// One pairing followed another.
struct Succession {
  UnixTime at = 0;
  std::size_t from = 0;
  std::size_t to = 0;
  bool failover = true;  ///< else a re-bind
  std::string pointer;
};

struct SamplingChange {
  UnixTime at = 0;
  MappedBackend now;  ///< with the parameters from then on
  std::size_t backend = 0;
};

struct MappedCandidate {
  std::optional<UnixTime> at;  ///< nothing: from the beginning
  std::size_t backend = 0;
  std::size_t profile = 0;
  std::uint32_t role = SRP_REPLACE_DRAFT;
  bool available = true;
};

struct MappedFile {
  FileSettings settings;
  std::optional<TelemetryFormat> format;
};

struct Mapping {
  std::string title;
  UnixTime max_gap_ns = 0;
  FileSettings defaults;
  std::vector<MappedProfile> profiles;  ///< ids are 1, 2, ...
  std::vector<MappedBackend> backends;  ///< likewise
  std::vector<MappedPairing> pairings;
  std::vector<Succession> successions;  ///< by date
  std::vector<SamplingChange> sampling_changes;
  std::vector<MappedCandidate> candidates;
  std::map<std::string, MappedFile> files;

  /// Settings of the file of this name.
  [[nodiscard]] MappedFile file(const std::string& name) const;
};

/// Reads a mapping. Every fault at once: those of the schema, unknown names with the nearest, dates
/// and hashes that are none, orders that cannot be. @param file names it in diagnostics
[[nodiscard]] Result<Mapping> parse_mapping(const std::string& text, const std::string& file);

/// The side as it serves the profile.
[[nodiscard]] srp_side side_for(const MappedBackend& backend, const srp_profile& profile);

}  // namespace specroute::sim
