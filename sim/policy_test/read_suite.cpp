#include <algorithm>
#include <filesystem>
#include <iostream>
#include <iterator>
#include <utility>

#include "sim/json/json_places.hpp"
#include "sim/json/json_pointer.hpp"
#include "sim/json/json_text.hpp"
#include "sim/json/schema_report.hpp"
#include "sim/json/text_file.hpp"
#include "sim/policy_test/config_check.hpp"
#include "sim/policy_test/schema.hpp"
#include "sim/policy_test/suite.hpp"

namespace specroute::sim {
namespace {

constexpr JsonLayout kLine{.sorted_keys = false, .indentation = 0};
constexpr std::size_t kMostEvents = 1'000'000;

void append(Diagnostics& all, Diagnostics more) {
  all.insert(all.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

/// JSON Merge Patch (RFC 7386) of one level: null takes a key away.
JsonValue merged(JsonValue config, const JsonNode& changes) {
  if (!changes.exists()) return config;
  for (const JsonMember& member : changes.value->members) {
    if (member.value.kind == JsonValue::Kind::null)
      std::erase_if(config.members, [&](const JsonMember& old) { return old.key == member.key; });
    else
      set_member(config, member.key, member.value);
  }
  return config;
}

std::optional<std::uint32_t> outcome_of(const std::string& name) {
  constexpr std::pair<std::string_view, std::uint32_t> kResults[] = {
      {"done", SRP_DONE},
      {"declined_no_candidate", SRP_DECLINED_NO_CANDIDATE},
      {"declined_no_capacity", SRP_DECLINED_NO_CAPACITY},
      {"superseded", SRP_SUPERSEDED}};
  for (const auto& [known, result] : kResults)
    if (name == known) return result;
  return std::nullopt;
}

class SuiteReader {
 public:
  SuiteReader(const srp_module& module, std::string file, const JsonValue& root)
      : module_(module), file_(std::move(file)), root_{.value = &root, .pointer = {}} {}

  std::vector<PolicyTest> tests() {
    read_config();
    std::vector<PolicyTest> tests;
    for (const JsonNode& node : root_.items("tests")) {
      tests.push_back(test(node));
      const auto same = [&](const PolicyTest& one) { return one.name == tests.back().name; };
      if (std::ranges::count_if(tests, same) > 1)
        fault(node.at("name"), "a name that no other test of the file has");
    }
    return tests;
  }

  Diagnostics take_faults() { return std::move(faults_); }

 private:
  void fault(const JsonNode& at, std::string expected) {
    faults_.push_back({.file = {},
                       .place = at.pointer,
                       .expected = std::move(expected),
                       .found = at.exists() ? found_text(*at.value) : "no such key",
                       .nearest = {}});
  }

  /// The file's own configuration: from the key, or from the file that it names.
  void read_config() {
    const JsonNode here = root_.at("config");
    const auto named = root_.text("config_file");
    if (here.exists() && named) fault(root_.at("config_file"), "this or \"config\", not both");
    if (here.exists()) config_ = *here.value;
    if (here.exists() || !named) return;
    const std::string path = (std::filesystem::path(file_).parent_path() / *named).string();
    const auto text = text_of_file(path);
    if (!text) return unreadable(path, text.diagnostics().front());
    if (auto wrong = config_text_faults(module_, text.value(), path); !wrong.empty())
      return append(faults_, std::move(wrong));
    config_ = parse_json(text.value(), path).value().root;
  }

  /// Of a file that cannot be had it is the one that names it that needs mending.
  void unreadable(const std::string& path, const Diagnostic& why) {
    faults_.push_back({.file = {},
                       .place = root_.at("config_file").pointer,
                       .expected = why.expected,
                       .found = sim::quoted(path) + ": " + why.found,
                       .nearest = {}});
  }

  JsonValue config_of(const JsonNode& test) {
    const JsonNode own = test.at("config");
    if (!config_ && !own.exists()) {
      if (!root_.at("config_file").exists()) fault(root_.at("config"), "a gate's configuration");
      return JsonValue(JsonValue::Kind::object);
    }
    JsonValue config = merged(config_.value_or(JsonValue(JsonValue::Kind::object)), own);
    for (Diagnostic wrong : config_faults(module_, config)) {
      const bool from_test = own.exists() && resolve_pointer(*own.value, wrong.place) != nullptr;
      const JsonNode owner = from_test || !root_.at("config").exists() ? own : root_.at("config");
      wrong.place = owner.pointer + wrong.place;
      const auto said = [&](const Diagnostic& one) {
        return one.place == wrong.place && one.expected == wrong.expected &&
               one.found == wrong.found;
      };
      if (std::ranges::none_of(faults_, said)) faults_.push_back(std::move(wrong));
    }
    return config;
  }

  PolicyTest test(const JsonNode& node) {
    PolicyTest test;
    test.name = *node.text("name");
    test.pointer = node.pointer;
    const JsonValue config = config_of(node);
    test.config_json = write_json(config, kLine);
    Definitions definitions(module_, root_, node);
    read_events(definitions, node, test);
    test.ticks = node.truth("ticks").value_or(true);
    test.exactly = node.truth("exactly").value_or(false);
    test.outcome = outcome_of(node.text("outcomes").value_or("none"));
    if (!node.at("expect").exists() && !node.at("never").exists() && !test.exactly)
      fault(node.at("expect"), "\"expect\", \"never\" or \"exactly\": a test that can fail");
    const JsonValue* version = config.find("params_hash_version");
    const PatternNames names{
        .reasons = reasons_,
        .params_version = version != nullptr && version->integer == 2 ? 2U : 1U};
    for (const JsonNode& each : node.items("expect"))
      test.expect.push_back(read_pattern(definitions, each, names));
    for (const JsonNode& each : node.items("never"))
      test.never.push_back(read_pattern(definitions, each, names));
    set_end(node, test);
    test.pairing_names = definitions.pairing_names();
    append(faults_, definitions.faults());
    return test;
  }

  void read_events(Definitions& definitions, const JsonNode& node, PolicyTest& test) {
    Pace pace;
    const JsonNode start = definitions.setting("start_s");
    const JsonNode interval = definitions.setting("interval_s");
    pace.date = start.exists() ? date_of(start) : 0;
    pace.interval = interval.exists() ? date_of(interval) : 10'000'000'000;
    const JsonNode& owner = node.at("given").exists() ? node : root_;
    test.events = expand_events(definitions, owner.items("given"), pace);
    test.given = test.events.size();
    auto input = expand_events(definitions, node.items("input"), pace);
    test.events.insert(test.events.end(), std::make_move_iterator(input.begin()),
                       std::make_move_iterator(input.end()));
    if (test.events.size() > kMostEvents) fault(node, "at most 1000000 events");
    test.until = pace.date;
  }

  static void set_end(const JsonNode& node, PolicyTest& test) {
    if (const JsonNode until = node.at("until_s"); until.exists())
      test.until = std::max(test.until, date_of(until));
    for (const auto* patterns : {&test.expect, &test.never})
      for (const DecisionPattern& each : *patterns) {
        test.until = std::max(test.until, each.from);
        if (each.until != SRP_FOREVER) test.until = std::max(test.until, each.until);
      }
  }

  const srp_module& module_;
  std::string file_;
  JsonNode root_;
  std::vector<std::string> reasons_ = reason_names(module_);
  std::optional<JsonValue> config_;
  Diagnostics faults_;
};

}  // namespace

Result<PolicySuite> parse_suite(const std::string& text, const std::string& file,
                                const srp_module& module) {
  auto parsed = parse_json(text, file);
  if (!parsed) return parsed.diagnostics();
  auto [root, faults] = std::move(parsed).value();
  append(faults, schema_faults(policy_test_schema(), root));
  PolicySuite suite{.file = file, .text = text, .tests = {}};
  if (faults.empty()) {
    SuiteReader reader(module, file, root);
    suite.tests = reader.tests();
    faults = reader.take_faults();
  }
  mark_places(faults, file, text);
  if (!faults.empty()) return faults;
  return suite;
}

Result<std::string> text_of_input(const std::string& path) {
  if (path == "-") return std::string{std::istreambuf_iterator<char>(std::cin), {}};
  return text_of_file(path);
}

Result<PolicySuite> read_suite(const std::string& path, const srp_module& module) {
  const auto text = text_of_input(path);
  if (!text) return text.diagnostics();
  return parse_suite(text.value(), path, module);
}

}  // namespace specroute::sim
