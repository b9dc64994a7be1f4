#include "sim/plugins/open_policy.hpp"

#include <utility>

#include "sim/plugins/contained_policy.hpp"
#include "sim/plugins/exec_policy.hpp"
#include "sim/plugins/loaded_policy.hpp"
#include "sim/plugins/mirrored_policy.hpp"

namespace specroute::sim {

std::unique_ptr<PolicyPort> open_policy(const Plugin& plugin, const OpenOptions& options,
                                        PolicyTime& time) {
  if (plugin.kind == Plugin::Kind::lib) watch_calls(options.timeout, options.flag);
  const auto instance = [&] {
    return plugin.kind == Plugin::Kind::lib ? load_policy(plugin)
                                            : exec_policy(plugin, options.timeout);
  };
  const auto open = [&]() -> std::unique_ptr<PolicyPort> {
    auto first = timed(instance(), time);
    return options.verify ? mirrored(std::move(first), instance()) : std::move(first);
  };
  return contained(open, options.flag);
}

}  // namespace specroute::sim
