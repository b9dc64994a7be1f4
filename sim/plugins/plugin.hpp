/// @file
/// A policy from outside: what the user asked for, and what it turned out to be.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include <specroute/vocab/units.hpp>

namespace specroute::sim {

struct Plugin {
  enum class Kind { lib, exec };

  std::string label;  ///< of the gate that it is run as
  Kind kind = Kind::lib;
  std::string path;                ///< lib: of the module
  std::vector<std::string> words;  ///< exec: the command
  std::string config_json = "{}";
  bool has_config = false;  ///< whether it was given

  /// What a result says of it: no path, so that it is the same on any machine.
  struct Identity {
    std::string source;   ///< "lib:libmine.so", "exec:python3 my_gate.py"
    std::string name;     ///< as it calls itself
    std::string version;  ///< likewise
    std::string sha256;   ///< of the module's file, or of the command's text
    std::vector<std::pair<std::string, std::string>> files;  ///< named by the command, with SHA-256
  };
  Identity identity;
};

/// How long a policy may take over one event, wall time.
inline constexpr Seconds kPolicyTimeout{10.0};

}  // namespace specroute::sim
