#include "sim/scenario/cross_rules.hpp"

#include <algorithm>
#include <array>

#include "sim/json/nearest.hpp"
#include "sim/scenario/decode.hpp"

namespace specroute::sim {
namespace {

bool has(const std::vector<std::string>& names, const std::string& name) {
  return std::ranges::find(names, name) != names.end();
}

std::vector<std::string> names_of(const std::vector<JsonNode>& nodes) {
  std::vector<std::string> names;
  for (const auto& node : nodes)
    if (const auto name = node.text("name")) names.push_back(*name);
  return names;
}

std::vector<BackendNames> backend_names(const JsonNode& fleet) {
  std::vector<BackendNames> backends;
  for (const auto& node : fleet.items("backends")) {
    const std::uint32_t count = replica_count(node);
    const std::string group = node.text("name").value_or("");
    for (std::uint32_t k = 1; k <= count; ++k)
      backends.push_back({.node = node,
                          .name = replica_name(group, k, count),
                          .group = group,
                          .ordinal = k,
                          .role = node.text("role").value_or(""),
                          .pool = node.text("pool").value_or(""),
                          .model = node.text("model").value_or(""),
                          .standby = node.truth("standby").value_or(false)});
  }
  return backends;
}

bool all_models_known(const ScenarioNames& names, const Catalogue& catalogue) {
  return !names.backends.empty() && std::ranges::all_of(names.backends, [&](const auto& each) {
    return (each.role == "target" || each.role == "draft") && has(catalogue.models, each.model);
  });
}

bool all_contents_known(const JsonNode& root) {
  const auto classes = root.at("workload").items("classes");
  return !classes.empty() && std::ranges::all_of(classes, [](const JsonNode& each) {
    const auto phases = each.items("content");
    return !phases.empty() && std::ranges::all_of(phases, [](const JsonNode& phase) {
      return phase.text("content").has_value();
    });
  });
}

/// True where every backend, pairing and class says where it belongs.
bool all_names_lead_somewhere(const JsonNode& root, const ScenarioNames& names) {
  for (const auto& each : names.backends)
    if (each.group.empty() ||
        !has(each.role == "draft" ? names.pools_of_drafts() : names.pools, each.pool))
      return false;
  for (const auto& each : root.at("workload").items("classes"))
    if (!has(names.pools, each.text("pool").value_or(""))) return false;
  const auto pairings = root.at("fleet").items("pairings");
  return !pairings.empty() && std::ranges::all_of(pairings, [&](const JsonNode& pairing) {
    return std::ranges::all_of(std::array{"target", "draft"}, [&](const char* side) {
      const auto members = names.members(pairing.text(side).value_or(""));
      return !members.empty() && members.front()->role == side;
    });
  });
}

std::vector<std::pair<std::string, std::string>> draws(const JsonNode& fleet) {
  std::vector<std::pair<std::string, std::string>> found;
  for (const auto& pool : fleet.items("pools"))
    for (const auto& drafts : pool.items("draft_pools"))
      found.emplace_back(pool.text("name").value_or(""), drafts.value->text);
  return found;
}

ScenarioNames gather_names(const JsonNode& root, const Catalogue& catalogue) {
  ScenarioNames names{.pools = names_of(root.at("fleet").items("pools")),
                      .draft_pools = names_of(root.at("fleet").items("draft_pools")),
                      .draws = draws(root.at("fleet")),
                      .backends = backend_names(root.at("fleet")),
                      .profiles = names_of(root.at("workload").items("sampling_profiles")),
                      .contents = {},
                      .gates = {},
                      .models_known = false,
                      .contents_known = all_contents_known(root),
                      .complete = false};
  for (const auto& each : root.at("workload").items("classes"))
    for (const auto& phase : each.items("content")) {
      const auto content = phase.text("content");
      if (content && !has(names.contents, *content)) names.contents.push_back(*content);
    }
  if (const JsonValue* gates = root.at("gates").value)
    for (const auto& member : gates->members) names.gates.push_back(member.key);
  names.models_known = all_models_known(names, catalogue);
  names.complete =
      names.models_known && names.contents_known && all_names_lead_somewhere(root, names);
  return names;
}

}  // namespace

void Faults::add(const std::string& place, std::string expected, std::string found,
                 std::string nearest) {
  list_.push_back({.file = {},
                   .place = place,
                   .expected = std::move(expected),
                   .found = std::move(found),
                   .nearest = std::move(nearest)});
}

const BackendNames* ScenarioNames::backend(const std::string& name) const {
  const auto found = std::ranges::find(backends, name, &BackendNames::name);
  return found == backends.end() || name.empty() ? nullptr : &*found;
}

std::vector<std::string> ScenarioNames::backends_of_role(const std::string& role) const {
  std::vector<std::string> found;
  for (const auto& each : backends)
    if (role.empty() || each.role == role) found.push_back(each.name);
  return found;
}

std::vector<const BackendNames*> ScenarioNames::members(const std::string& name) const {
  std::vector<const BackendNames*> found;
  for (const auto& each : backends)
    if (!name.empty() && each.group == name) found.push_back(&each);
  if (found.empty())
    if (const BackendNames* one = backend(name)) found.push_back(one);
  return found;
}

std::vector<std::string> ScenarioNames::groups_of_role(const std::string& role) const {
  std::vector<std::string> found;
  for (const auto& each : backends)
    if (each.role == role && each.ordinal == 1) found.push_back(each.group);
  return found;
}

std::vector<std::string> ScenarioNames::pools_of_drafts() const {
  std::vector<std::string> all = pools;
  all.insert(all.end(), draft_pools.begin(), draft_pools.end());
  return all;
}

bool ScenarioNames::draws_on(const std::string& pool, const std::string& drafts) const {
  return pool == drafts || std::ranges::find(draws, std::pair(pool, drafts)) != draws.end();
}

void require_unique_names(const std::vector<JsonNode>& nodes, Faults& faults) {
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const auto name = nodes[i].text("name");
    if (!name) continue;
    const auto end = nodes.begin() + static_cast<std::ptrdiff_t>(i);
    const auto first = std::find_if(
        nodes.begin(), end, [&](const JsonNode& other) { return other.text("name") == name; });
    if (first != end)
      faults.add(nodes[i].at("name").pointer, "a name of its own",
                 quoted(*name) + ", the name of " + first->pointer);
  }
}

void require_known_name(const JsonNode& node, const char* key,
                        const std::vector<std::string>& known, const std::string& what,
                        Faults& faults) {
  const auto name = node.text(key);
  if (!name || name->empty() || has(known, *name)) return;
  faults.add(node.at(key).pointer, what, quoted(*name), nearest_of(*name, known));
}

void require_before_horizon(const RuleInput& input, const JsonNode& node, const char* key,
                            Faults& faults) {
  const auto time = node.number(key);
  const auto horizon = input.root.number("horizon_s");
  if (!time || !horizon || *horizon <= 0.0 || *time < *horizon) return;
  faults.add(node.at(key).pointer,
             "a time before horizon_s (" + found_text(*input.root.at("horizon_s").value) + ")",
             found_text(*node.at(key).value));
}

Diagnostics cross_rule_faults(const JsonValue& resolved, const ReadOptions& options) {
  const JsonNode root{.value = &resolved, .pointer = {}};
  const RuleInput input{
      .root = root, .names = gather_names(root, options.catalogue), .options = options};
  Faults faults;
  fleet_rules(input, faults);
  engine_rules(input, faults);
  dispatch_rules(input, faults);
  workload_rules(input, faults);
  acceptance_rules(input, faults);
  timeline_rules(input, faults);
  condition_rules(input, faults);
  gate_rules(input, faults);
  expect_rules(input, faults);
  return faults.take();
}

}  // namespace specroute::sim
