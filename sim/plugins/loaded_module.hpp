/// @file
/// A policy module from a shared library, checked before anything of it is called.
#pragma once

#include <string>

#include <specroute/policy_abi.h>

namespace specroute::sim {

/// Loads the library at `path` (RTLD_NOW, RTLD_LOCAL) for the rest of this process and asks it for
/// its table. Throws a PolicyFault where it cannot be loaded, has no srp_module_get, gives NULL,
/// has another major version, a table that is too short, or one with a function missing. The
/// caller watches over the call: constructors of the library run in it.
[[nodiscard]] const srp_module& load_module(const std::string& path);

/// The text of a module, cut at `most` bytes; anything but printable ASCII becomes '?'.
[[nodiscard]] std::string module_text(const srp_str& text, std::size_t most);

}  // namespace specroute::sim
