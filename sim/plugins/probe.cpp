#include "sim/plugins/probe.hpp"

#include <array>
#include <utility>

#include "sim/json/json_node.hpp"
#include "sim/json/json_text.hpp"
#include "sim/plugins/call_watch.hpp"
#include "sim/plugins/contained_policy.hpp"
#include "sim/plugins/exec_policy.hpp"
#include "sim/plugins/exec_process.hpp"
#include "sim/plugins/loaded_module.hpp"
#include "sim/plugins/loaded_policy.hpp"
#include "sim/plugins/policy_fault.hpp"
#include "sim/routing/policy_port.hpp"

namespace specroute::sim {
namespace {

constexpr std::size_t kLongestName = 200;

/// What a probe sends out of its process.
std::string answer(const std::string& refusal, const std::string& name,
                   const std::string& version) {
  return "{\"refusal\":" + sim::quoted(refusal) + ",\"name\":" + sim::quoted(name) +
         ",\"version\":" + sim::quoted(version) + "}";
}

std::string look_at_module(const Plugin& plugin) {
  const srp_module* module = nullptr;
  {
    const WatchedCall watched("its loading");
    module = &load_module(plugin.path);
  }
  std::array<char, 1024> text{};
  srp_error error{sizeof(srp_error), static_cast<std::uint32_t>(text.size()), text.data(), 0, 0};
  std::int32_t status = 0;
  {
    const WatchedCall watched("validate");
    status = module->validate({plugin.config_json.data(), plugin.config_json.size()}, &error);
  }
  text.back() = '\0';
  if (status != SRP_OK)
    return answer("byte " + std::to_string(error.config_offset) + " of its configuration: " +
                      module_text({text.data(), std::string_view(text.data()).size()}, text.size()),
                  "", "");
  return answer("", module_text(module->name, kLongestName),
                module_text(module->version, kLongestName));
}

std::string look_at_program(const Plugin& plugin, Seconds timeout) {
  auto started = ExecProcess::start(plugin.words);
  if (!started) return answer(to_string(started.diagnostics().front()), "", "");
  const auto process = std::move(started).value();
  const auto greeting = greet(*process, plugin, timeout);
  if (!greeting) return answer("it refuses: " + to_string(greeting.diagnostics().front()), "", "");
  process->conclude();
  return answer("", greeting.value().name, greeting.value().version);
}

/// In the process of the probe. Its faults end that process.
std::string look(const Plugin& plugin, Seconds timeout) {
  std::string seen;
  const auto open = [&]() -> std::unique_ptr<PolicyPort> {
    if (plugin.kind == Plugin::Kind::exec) {
      seen = look_at_program(plugin, timeout);
      return nullptr;
    }
    watch_calls(timeout, nullptr);
    seen = look_at_module(plugin);
    return seen.starts_with(R"({"refusal":"")") ? load_policy(plugin) : nullptr;
  };
  contained(open, nullptr).reset();
  return seen;
}

}  // namespace

Result<Probed> probe_plugins(const std::vector<Plugin>& plugins, Seconds timeout) {
  const auto prepare = [&]() -> Replication {
    return [&](std::uint64_t index) { return look(plugins[index], timeout); };
  };
  const auto results = run_forked(
      prepare, {.count = plugins.size(), .jobs = 1, .timeout = timeout * 5.0 + Seconds{60.0}});
  Diagnostics refusals;
  Probed probed;
  for (std::size_t i = 0; i < plugins.size(); ++i) {
    const Plugin& plugin = plugins[i];
    const auto seen = results[i].end == JobEnd::finished ? parse_json(results[i].output, {})
                                                         : Result<ParsedText>(Diagnostic{});
    if (!seen) {
      probed.failures.push_back({plugin.label, fault_text(results[i])});
      continue;
    }
    const JsonNode node{.value = &seen.value().root, .pointer = ""};
    if (const std::string refusal = node.text("refusal").value_or(""); !refusal.empty())
      refusals.push_back({.file = "--policy",
                          .place = plugin.label + " (" + plugin.identity.source + ")",
                          .expected = {},
                          .found = refusal,
                          .nearest = {}});
    probed.plugins.push_back(plugin);
    probed.plugins.back().identity.name = node.text("name").value_or("");
    probed.plugins.back().identity.version = node.text("version").value_or("");
  }
  if (!refusals.empty()) return refusals;
  return probed;
}

std::string fault_text(const JobResult& result) {
  const std::size_t mark = result.last_words.find(kPolicyFaultMark);
  std::string before = result.last_words.substr(0, mark);
  while (before.ends_with('\n')) before.pop_back();
  std::string text = describe(result);
  if (result.end == JobEnd::exited && result.code == kPolicyFaultExit &&
      mark != std::string::npos) {
    text = result.last_words.substr(mark + std::string_view(kPolicyFaultMark).size());
    while (text.ends_with('\n')) text.pop_back();
  }
  return before.empty() ? text : text + "; last lines on stderr:\n" + before;
}

}  // namespace specroute::sim
