/// @file
/// Parts of a mapping out of JSON that fits the schema, with the faults that a schema cannot see.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/json/json_node.hpp"
#include "sim/replay/mapping.hpp"

namespace specroute::sim {

class MappingReader {
 public:
  /// Reads all of it. Only where `faults()` is empty does the mapping hold.
  Mapping read(const JsonNode& root);
  [[nodiscard]] Diagnostics& faults() { return faults_; }

 private:
  void profile(const JsonNode& node, Mapping& into);
  void backend(const JsonNode& node, Mapping& into);
  void pairing(const JsonNode& node, Mapping& into);
  void succession(const JsonNode& node, bool failover, Mapping& into);
  void sampling_change(const JsonNode& node, Mapping& into);
  void candidate(const JsonNode& node, Mapping& into);
  void file(const JsonNode& node, const std::string& name, Mapping& into);

  void parameters(const JsonNode& node, MappedBackend& into);
  void hashes(const JsonNode& node, std::uint64_t& v1, std::uint64_t& v2);
  std::optional<UnixTime> date(const JsonNode& node, std::string_view key);
  std::size_t index_of(const JsonNode& node, std::string_view key,
                       const std::vector<std::string>& known, const char* what);
  void unique(const JsonNode& node, const std::vector<std::string>& known, const char* what);
  void fault(const JsonNode& node, std::string_view key, std::string expected,
             std::string nearest = {});

  std::vector<std::string> profiles_;
  std::vector<std::string> backends_;
  std::vector<std::string> pairings_;
  Diagnostics faults_;
};

}  // namespace specroute::sim
