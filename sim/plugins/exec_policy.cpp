#include "sim/plugins/exec_policy.hpp"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "sim/json/diagnostics_text.hpp"
#include "sim/json/json_node.hpp"
#include "sim/json/json_text.hpp"
#include "sim/plugins/decision_rules.hpp"
#include "sim/plugins/event_text.hpp"
#include "sim/plugins/exec_process.hpp"
#include "sim/plugins/policy_fault.hpp"
#include "sim/records/decision_json.hpp"
#include "sim/records/event_json.hpp"

namespace specroute::sim {
namespace {

constexpr JsonLayout kLine{.sorted_keys = false, .indentation = 0};
constexpr std::size_t kMostDecisions = 4096;
constexpr const char* kHello = "the greeting";

/// Its beginning, for the end of an error.
std::string line_text(const std::string& line) {
  constexpr std::size_t kShown = 300;
  return "\n(the line: " + line.substr(0, kShown) + (line.size() > kShown ? "...)" : ")");
}

[[noreturn]] void malformed(const std::string& about, const Diagnostics& faults,
                            const std::string& line) {
  std::string text = format_diagnostics(faults);
  while (text.ends_with('\n')) text.pop_back();
  throw PolicyFault("malformed answer to " + about + ":\n" + text + line_text(line));
}

[[noreturn]] void refuse(const std::string& about, const std::string& fault,
                         const std::string& line) {
  throw PolicyFault("answered " + about + " with a bad decision: " + fault + line_text(line));
}

JsonValue parsed(const std::string& line, const std::string& about) {
  auto tree = parse_json(line, {});
  if (!tree) malformed(about, tree.diagnostics(), line);
  if (!tree.value().duplicate_keys.empty()) malformed(about, tree.value().duplicate_keys, line);
  return std::move(tree).value().root;
}

/// The decisions of an answer: the array itself, or the one under "decisions".
std::vector<JsonNode> decisions_of(const JsonValue& root, const std::string& about,
                                   const std::string& line) {
  const JsonNode top{.value = &root, .pointer = ""};
  const JsonNode list = root.kind == JsonValue::Kind::object ? top.at("decisions") : top;
  const bool alone = root.kind != JsonValue::Kind::object || root.members.size() == 1;
  if (!alone || !list.exists() || list.value->kind != JsonValue::Kind::array ||
      list.value->items.size() > kMostDecisions)
    malformed(about,
              {{.file = {},
                .place = list.exists() ? list.pointer : "",
                .expected = "an array of at most " + std::to_string(kMostDecisions) +
                            " decisions, or {\"decisions\": [...]}",
                .found = found_text(list.exists() ? *list.value : root),
                .nearest = {}}},
              line);
  std::vector<JsonNode> nodes;
  for (std::size_t i = 0; i < list.value->items.size(); ++i)
    nodes.push_back(
        {.value = &list.value->items[i], .pointer = list.pointer + "/" + std::to_string(i)});
  return nodes;
}

class ExecPolicy : public PolicyPort {
 public:
  ExecPolicy(std::unique_ptr<ExecProcess> process, Seconds timeout)
      : process_(std::move(process)), timeout_(timeout) {}

  void deliver(const srp_record& event, std::vector<srp_decision>& decisions) override {
    rules_.note(event);
    const std::string about = event_text(event);
    const std::string line =
        process_->ask(write_json(event_to_json(event), kLine), about, timeout_);
    const JsonValue root = parsed(line, about);
    Diagnostics faults;
    for (const JsonNode& node : decisions_of(root, about, line)) {
      auto read = decision_from_json(node);
      if (!read) {
        const auto& found = read.diagnostics();
        faults.insert(faults.end(), found.begin(), found.end());
        continue;
      }
      srp_decision decision = read.value();
      complete(decision, node, event);
      if (const std::string fault = rules_.fault(decision); !fault.empty())
        refuse(about, fault, line);
      decisions.push_back(decision);
    }
    if (!faults.empty()) malformed(about, faults, line);
  }

  std::string explain(const srp_decision& decision) override {
    const auto found = sentences_.find(decision.id);
    return found == sentences_.end() ? std::string{} : found->second;
  }

  std::string reason(const srp_decision& decision) override {
    const auto found = reasons_.find(decision.reason);
    return found == reasons_.end() ? std::string{} : found->second;
  }

  void conclude() override { process_->conclude(); }

 private:
  /// What the program left out, and its own words.
  void complete(srp_decision& decision, const JsonNode& node, const srp_record& event) {
    if (decision.h.now == 0) decision.h.now = event.now;
    if (decision.h.seq == 0) decision.h.seq = event.seq;
    if (decision.id == 0) decision.id = rules_.next_id();
    const std::string name = node.text("reason").value_or("");
    if (!name.empty() && decision.reason == 0) decision.reason = number_of(name);
    if (!name.empty()) reasons_[decision.reason] = name;
    if (const auto sentence = node.text("explain"); sentence && !sentence->empty())
      sentences_[decision.id] = *sentence;
  }

  /// Reasons that have no number of the program's own are counted from the first that it gave.
  std::uint32_t number_of(const std::string& name) {
    const auto is_it = [&](const auto& one) { return one.second == name; };
    const auto known = std::ranges::find_if(reasons_, is_it);
    if (known != reasons_.end()) return known->first;
    return reasons_.empty() ? 1 : reasons_.rbegin()->first + 1;
  }

  std::unique_ptr<ExecProcess> process_;
  Seconds timeout_;
  DecisionRules rules_;
  std::map<std::uint32_t, std::string> reasons_;
  std::map<std::uint64_t, std::string> sentences_;  ///< by number of the decision
};

}  // namespace

Result<ExecGreeting> greet(ExecProcess& process, const Plugin& plugin, Seconds timeout) {
  constexpr Seconds kStart{30.0};  // an interpreter on a busy machine
  const std::string version =
      std::to_string(SRP_ABI_V1 >> 16U) + "." + std::to_string(SRP_ABI_V1 & 0xffffU);
  const std::string line =
      process.ask("{\"hello\":\"" + version + "\",\"config\":" + plugin.config_json + "}", kHello,
                  std::max(timeout, kStart));
  const JsonValue root = parsed(line, kHello);
  const JsonNode top{.value = &root, .pointer = ""};
  for (const JsonMember& member : root.members)
    if (member.key != "name" && member.key != "version" && member.key != "error")
      malformed(kHello,
                {{.file = {},
                  .place = "/" + member.key,
                  .expected = "one of the keys name, version, error",
                  .found = "an unknown key",
                  .nearest = {}}},
                line);
  if (root.kind != JsonValue::Kind::object)
    malformed(kHello,
              {{.file = {},
                .place = {},
                .expected = "an object with \"name\" and \"version\", or with \"error\"",
                .found = found_text(root),
                .nearest = {}}},
              line);
  if (const auto refusal = top.text("error"))
    return Diagnostic{.file = {}, .place = {}, .expected = {}, .found = *refusal, .nearest = {}};
  return ExecGreeting{top.text("name").value_or(""), top.text("version").value_or("")};
}

std::unique_ptr<PolicyPort> exec_policy(const Plugin& plugin, Seconds timeout) {
  auto started = ExecProcess::start(plugin.words);
  if (!started) throw PolicyFault(format_diagnostics(started.diagnostics()));
  auto process = std::move(started).value();
  if (const auto greeting = greet(*process, plugin, timeout); !greeting)
    throw PolicyFault("refuses to serve: " + format_diagnostics(greeting.diagnostics()));
  return std::make_unique<ExecPolicy>(std::move(process), timeout);
}

}  // namespace specroute::sim
