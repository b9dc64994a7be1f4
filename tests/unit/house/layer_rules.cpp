// vocab <- models, router <- sim/digest, sim/json <- sim/{records,traces}
// <- sim/{scenario,faults,topology} <- sim/{serving,routing} <- sim/engine
// <- sim/{plugins,world} <- sim/experiment <- sim/report <- sim/cli; sim/validation stands between
// sim/serving and sim/report, sim/policy_test between sim/records and sim/cli. What a folder may
// include is listed, all else is barred.
#include <algorithm>
#include <map>
#include <set>

#include "tests/unit/house/include_lines.hpp"
#include "tests/unit/house/include_rules.hpp"

namespace specroute::house {
namespace {

using Folders = std::vector<std::string>;

struct Layer {
  std::string folder;
  Folders may_include;
  Folders never;  ///< taken out of may_include again
};

Folders operator+(Folders left, const Folders& right) {
  left.insert(left.end(), right.begin(), right.end());
  return left;
}

// The simulator reaches the router only through its public face: what a production router links.
const std::vector<Layer>& layers() {
  static const Folders vocab = {"include/specroute/vocab"};
  static const Folders inputs =
      Folders{"include/specroute", "models",       "sim/digest", "sim/json",    "sim/records",
              "sim/traces",        "sim/scenario", "sim/faults", "sim/topology"};
  static const Folders worlds = inputs + Folders{"sim/serving", "sim/routing"};
  static const Folders engine = worlds + Folders{"sim/engine"};
  static const Folders plugins = engine + Folders{"sim/plugins"};
  static const Folders world = engine + Folders{"sim/comparison", "sim/world"};
  static const Folders experiment =
      plugins + Folders{"sim/comparison", "sim/world", "sim/experiment"};
  static const Folders report =
      experiment + Folders{"sim/validation", "sim/telemetry", "sim/replay", "sim/report"};
  static const std::vector<Layer> table = {
      {"include/specroute/vocab", vocab, {}},
      {"include/specroute", {"include/specroute"}, {}},
      {"router", {"include/specroute", "router"}, {"include/specroute/simulator.hpp"}},
      {"models", vocab + Folders{"models"}, {}},
      {"sim/digest", vocab + Folders{"sim/digest"}, {}},
      {"sim/comparison",
       vocab + Folders{"models/statistics", "models/random", "sim/comparison"},
       {}},
      {"sim/sweep", vocab + Folders{"models/random", "sim/json", "sim/sweep"}, {}},
      {"sim/json", vocab + Folders{"sim/json"}, {}},
      {"sim/records", Folders{"include/specroute", "sim/json", "sim/records"}, {}},
      {"sim/traces", vocab + Folders{"models", "sim/digest", "sim/traces"}, {}},
      {"sim/telemetry", vocab + Folders{"sim/json", "sim/traces", "sim/telemetry"}, {}},
      {"sim/replay",
       Folders{"include/specroute", "sim/digest", "sim/json", "sim/records", "sim/telemetry",
               "sim/replay"},
       {"include/specroute/simulator.hpp"}},
      {"sim/scenario", inputs, {}},
      {"sim/faults", inputs, {}},
      {"sim/topology", inputs, {}},
      {"sim/serving", inputs + Folders{"sim/serving"}, {}},
      // Sees only what a real router sees.
      {"sim/routing", inputs + Folders{"sim/routing"}, {"models/degradation"}},
      {"sim/engine", engine, {}},
      // Another process, or foreign code in this one: the world need not know.
      {"sim/plugins", plugins, {}},
      {"sim/world", world, {}},
      {"sim/experiment", experiment, {}},
      // Holds models against data: knows neither engine nor world.
      {"sim/validation", inputs + Folders{"sim/serving", "sim/validation"}, {}},
      {"sim/report", report, {}},
      // Runs policies without a world.
      {"sim/policy_test",
       Folders{"include/specroute", "sim/json", "sim/records", "sim/policy_test"},
       {"include/specroute/simulator.hpp"}},
      {"sim/cli", report + Folders{"sim/policy_test", "sim/cli"}, {}},
      {"tests", {"include/specroute", "router", "models", "sim", "tests"}, {}},
  };
  return table;
}

bool lies_in_any(const std::string& path, const Folders& folders) {
  return std::ranges::any_of(folders, [&](const auto& folder) { return lies_in(path, folder); });
}

const Layer* layer_of(const std::string& path) {
  const auto layer =
      std::ranges::find_if(layers(), [&](const Layer& one) { return lies_in(path, one.folder); });
  return layer == layers().end() ? nullptr : &*layer;
}

// "sim/engine" of "sim/engine/lane.cpp"; "router" and "include" are one folder each.
std::string unit_of(const std::string& path) {
  const auto first = path.find('/');
  const bool divided = lies_in(path, "sim") || lies_in(path, "models");
  return path.substr(0, divided ? path.find('/', first + 1) : first);
}

using Edges = std::map<std::string, std::map<std::string, Violation>>;

Edges folder_edges(const std::vector<SourceFile>& files) {
  Edges edges;
  for (const auto& file : files) {
    if (lies_in(file.path, "tests")) continue;
    for (const auto& include : include_lines(file.text)) {
      const auto from = unit_of(file.path);
      const auto to = unit_of(repository_path(include));
      if (to.empty() || to == from) continue;
      edges[from].try_emplace(to, Violation{file.path, include.line, "a folder includes " + to});
    }
  }
  return edges;
}

bool reaches(const Edges& edges, const std::string& from, const std::string& goal,
             std::set<std::string>& seen) {
  if (from == goal) return true;
  const auto found = edges.find(from);
  if (found == edges.end() || !seen.insert(from).second) return false;
  return std::ranges::any_of(
      found->second, [&](const auto& edge) { return reaches(edges, edge.first, goal, seen); });
}

}  // namespace

Violations layer_violations(const std::vector<SourceFile>& files) {
  std::set<std::string> known;
  for (const auto& file : files) known.insert(file.path);
  Violations found;
  for (const auto& file : files) {
    const auto* layer = layer_of(file.path);
    if (layer == nullptr) {
      found.push_back({file.path, 1, "its folder has no layer; give it one in layer_rules.cpp"});
      continue;
    }
    for (const auto& include : include_lines(file.text)) {
      const auto path = repository_path(include);
      if (path.empty()) continue;
      if (!known.contains(path)) {
        found.push_back({file.path, include.line,
                         "\"" + include.spelling + "\" is no path from the repository root"});
      } else if (!lies_in_any(path, layer->may_include) || lies_in_any(path, layer->never)) {
        found.push_back({file.path, include.line, layer->folder + " must not include " + path});
      }
    }
  }
  return found;
}

Violations circle_violations(const std::vector<SourceFile>& files) {
  Violations found;
  const auto edges = folder_edges(files);
  for (const auto& [from, targets] : edges) {
    for (const auto& [to, place] : targets) {
      std::set<std::string> seen;
      if (!reaches(edges, to, from, seen)) continue;
      found.push_back(place);
      found.back().what += ", which leads back to it";
    }
  }
  return found;
}

}  // namespace specroute::house
