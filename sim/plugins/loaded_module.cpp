#include "sim/plugins/loaded_module.hpp"

#include <algorithm>

#include <dlfcn.h>

#include "sim/plugins/policy_fault.hpp"

namespace specroute::sim {
namespace {

constexpr std::uint32_t kMajor = SRP_ABI_V1 >> 16U;

std::string version_text(std::uint32_t abi) {
  return std::to_string(abi >> 16U) + "." + std::to_string(abi & 0xffffU);
}

/// The first function that is not there; null where all are.
const char* missing_function(const srp_module& module) {
  const struct {
    const char* name;
    bool there;
  } functions[] = {{"validate", module.validate != nullptr},
                   {"create", module.create != nullptr},
                   {"destroy", module.destroy != nullptr},
                   {"on_event", module.on_event != nullptr},
                   {"snapshot", module.snapshot != nullptr},
                   {"restore", module.restore != nullptr},
                   {"state_digest", module.state_digest != nullptr},
                   {"reason_code", module.reason_code != nullptr},
                   {"explain", module.explain != nullptr},
                   {"params_hash", module.params_hash != nullptr},
                   {"judge", module.judge != nullptr}};
  for (const auto& function : functions)
    if (!function.there) return function.name;
  return nullptr;
}

}  // namespace

const srp_module& load_module(const std::string& path) {
  // A name without a slash would be looked for where the system keeps its libraries.
  const std::string file = path.find('/') == std::string::npos ? "./" + path : path;
  void* const library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) throw PolicyFault(std::string("cannot be loaded: ") + dlerror());
  using Get = decltype(&srp_module_get);
  const auto get = reinterpret_cast<Get>(dlsym(library, "srp_module_get"));
  if (get == nullptr) throw PolicyFault("is no policy module: it exports no srp_module_get");
  const srp_module* const module = get(SRP_ABI_V1);
  if (module == nullptr)
    throw PolicyFault("has no module for ABI " + version_text(SRP_ABI_V1) +
                      ": srp_module_get gave NULL");
  if (module->abi >> 16U != kMajor)
    throw PolicyFault("speaks ABI " + version_text(module->abi) + "; this host speaks " +
                      version_text(SRP_ABI_V1));
  if (module->struct_size < sizeof(srp_module))
    throw PolicyFault("has a table of " + std::to_string(module->struct_size) +
                      " bytes; ABI 1 has " + std::to_string(sizeof(srp_module)));
  if (const char* const missing = missing_function(*module); missing != nullptr)
    throw PolicyFault(std::string("has a table without ") + missing);
  return *module;
}

std::string module_text(const srp_str& text, std::size_t most) {
  if (text.ptr == nullptr) return {};
  std::string copy(text.ptr, std::min(text.len, most));
  std::ranges::replace_if(copy, [](char c) { return c < ' ' || c > '~'; }, '?');
  return copy;
}

}  // namespace specroute::sim
