#include "sim/cli/replay_gates.hpp"

#include <algorithm>

#include "sim/json/json_pointer.hpp"
#include "sim/json/json_text.hpp"
#include "sim/json/nearest.hpp"
#include "sim/report/gate_names.hpp"
#include "sim/routing/policy_host.hpp"

namespace specroute::sim {
namespace {

class GateList {
 public:
  explicit GateList(const srp_module& module) : module_(module) {}

  void name(const std::string& name) {
    const auto known = gate_names(module_);
    if (std::ranges::find(known, name) == known.end())
      return fault({}, "--gate", "the name of a gate", sim::quoted(name), nearest_of(name, known));
    add(name, "{\"gate\": " + sim::quoted(name) + "}", {}, "--gate");
  }

  void file(const std::string& text, const std::string& path) {
    auto parsed = parse_json(text, path);
    Diagnostics more = parsed ? parsed.value().duplicate_keys : parsed.diagnostics();
    faults_.insert(faults_.end(), more.begin(), more.end());
    if (!parsed) return;
    const JsonValue& root = parsed.value().root;
    if (root.kind != JsonValue::Kind::object || root.members.empty())
      return fault(path, "1:1", "an object of labels and configurations", found_text(root), {});
    for (const JsonMember& member : root.members)
      add(member.key, write_json(member.value, {.sorted_keys = false, .indentation = 0}), path,
          child_pointer({}, member.key));
  }

  Result<std::vector<ReplayGate>> all() {
    if (!faults_.empty()) return faults_;
    return gates_;
  }

 private:
  void add(const std::string& label, const std::string& config, const std::string& path,
           const std::string& place) {
    if (std::ranges::find(gates_, label, &ReplayGate::label) != gates_.end())
      return fault(path, place, "a label that no other gate has", sim::quoted(label), {});
    for (Diagnostic wrong : validate_policy(module_, place, config)) {
      wrong.file = path;
      faults_.push_back(std::move(wrong));
    }
    gates_.push_back({label, config, &module_});
  }

  void fault(const std::string& path, const std::string& place, const char* expected,
             const std::string& found, const std::string& nearest) {
    faults_.push_back(
        {.file = path, .place = place, .expected = expected, .found = found, .nearest = nearest});
  }

  const srp_module& module_;
  std::vector<ReplayGate> gates_;
  Diagnostics faults_;
};

}  // namespace

Result<std::vector<ReplayGate>> replay_gates(const srp_module& module,
                                             const std::vector<std::string>& names,
                                             const std::string& text, const std::string& file) {
  GateList list(module);
  for (const std::string& name : names) list.name(name);
  if (!file.empty()) list.file(text, file);
  if (names.empty() && file.empty())
    for (const char* name : {"none", "validity"}) list.name(name);
  return list.all();
}

}  // namespace specroute::sim
