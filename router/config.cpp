/// @file
/// The only file that sees nlohmann/json. The text is read by SAX events so that each key and
/// value has its byte offset, duplicates are seen, and 3.7 never becomes 3.
#include "router/config.hpp"

#include <specroute/policy_abi.h>
#include <algorithm>
#include <cmath>
#include <iterator>
#include <nlohmann/json.hpp>
#include <vector>

#include "router/fixed_point.hpp"
#include "router/nearest.hpp"

namespace specroute::router {
namespace {

using Json = nlohmann::json;

/// A forward iterator that tells how many bytes the parser has taken.
struct CountingIterator {
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  const char* at = nullptr;
  std::size_t* taken = nullptr;
  const char& operator*() const { return *at; }
  CountingIterator& operator++() {
    ++at;
    ++*taken;
    return *this;
  }
  bool operator==(const CountingIterator& other) const { return at == other.at; }
  bool operator!=(const CountingIterator& other) const { return at != other.at; }
};

struct Entry {
  std::string key;
  Json value;
  std::size_t key_offset = 0;
  std::size_t value_offset = 0;
};

struct Fault {
  std::string text;
  std::size_t offset = 0;
};

/// Collects the members of one flat object; nested values are noted by their kind and skipped.
class MemberReader : public nlohmann::json_sax<Json> {
 public:
  MemberReader(std::string_view text, const std::size_t& taken) : text_(text), taken_(taken) {}

  bool null() override { return value(nullptr); }
  bool boolean(bool v) override { return value(v); }
  bool number_integer(number_integer_t v) override { return value(v); }
  bool number_unsigned(number_unsigned_t v) override { return value(v); }
  bool number_float(number_float_t v, const string_t&) override { return value(v); }
  bool string(string_t& v) override { return value(v); }
  bool binary(binary_t&) override { return false; }
  bool start_object(std::size_t) override { return open(Json::object()); }
  bool start_array(std::size_t) override { return open(Json::array()); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }
  bool key(string_t& name) override {
    if (depth_ != 1) return true;
    const std::size_t start = key_start();
    entries.push_back({name, nullptr, start, value_start()});
    return true;
  }
  bool parse_error(std::size_t position, const std::string& token,
                   const nlohmann::detail::exception&) override {
    // nlohmann counts the bytes taken, so the offending one is the last of these.
    fault = Fault{"not JSON: unexpected \"" + token.substr(0, 40) + "\"",
                  std::min(position == 0 ? 0 : position - 1, text_.size())};
    return false;
  }

  std::vector<Entry> entries;
  std::optional<Fault> fault;

 private:
  static constexpr int kMaxDepth = 64;

  bool value(Json v) {
    if (depth_ == 0) return not_an_object();
    if (depth_ == 1) entries.back().value = std::move(v);
    return true;
  }
  bool open(Json empty) {
    if (depth_ == 0 && !empty.is_object()) return not_an_object();
    if (depth_ == 1) entries.back().value = std::move(empty);
    if (++depth_ <= kMaxDepth) return true;
    fault = Fault{"nested deeper than 64", taken_};
    return false;
  }
  bool close() {
    --depth_;
    return true;
  }
  bool not_an_object() {
    fault = Fault{"expected an object", 0};
    return false;
  }
  /// The parser stands just past the key's closing quote: walk back to its opening one.
  std::size_t key_start() const {
    std::size_t at = taken_ - 1;
    while (at > 0) {
      --at;
      if (text_[at] != '"') continue;
      std::size_t slashes = 0;
      while (slashes < at && text_[at - 1 - slashes] == '\\') ++slashes;
      if (slashes % 2 == 0) break;
    }
    return at;
  }
  std::size_t value_start() const {
    const auto blank = [](char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; };
    std::size_t at = taken_;
    while (at < text_.size() && (blank(text_[at]) || text_[at] == ':')) ++at;
    return at;
  }

  std::string_view text_;
  const std::size_t& taken_;
  int depth_ = 0;
};

std::string quoted(const std::string& word) {
  return "\"" + word.substr(0, 60) + "\"";
}

std::string shown(const Json& value) {
  if (value.is_object()) return "an object";
  if (value.is_array()) return "an array";
  // `replace`: text that is not UTF-8 is refused before, but dump must never throw.
  return value.dump(-1, ' ', false, Json::error_handler_t::replace).substr(0, 60);
}

std::string one_of(const Json& allowed) {
  std::string text = "one of ";
  for (const auto& item : allowed) {
    if (&item != &allowed.front()) text += ", ";
    text += item.dump();
  }
  return text;
}

bool in_range(const Json& rule, double number) {
  if (!std::isfinite(number)) return false;
  if (rule.contains("minimum") && number < rule["minimum"].get<double>()) return false;
  if (rule.contains("maximum") && number > rule["maximum"].get<double>()) return false;
  return !rule.contains("exclusiveMaximum") || number < rule["exclusiveMaximum"].get<double>();
}

std::string range_of(const Json& rule) {
  const char* what = rule["type"] == "integer" ? "an integer in [" : "a number in [";
  const std::string low = rule["minimum"].dump();
  return rule.contains("maximum") ? what + low + ", " + rule["maximum"].dump() + "]"
                                  : what + low + ", " + rule["exclusiveMaximum"].dump() + ")";
}

/// Empty where `value` obeys the property's `rule`.
std::string fault_of_value(const Json& rule, const Json& value) {
  if (rule.contains("enum")) {
    const auto& allowed = rule["enum"];
    if (std::find(allowed.begin(), allowed.end(), value) != allowed.end() &&
        !value.is_number_float())
      return {};
    std::string text = "expected " + one_of(allowed) + ", found " + shown(value);
    if (value.is_string() && allowed.front().is_string()) {
      const auto near =
          nearest_word(value.get<std::string>(), allowed.get<std::vector<std::string>>());
      if (!near.empty()) text += "; did you mean " + quoted(near) + "?";
    }
    return text;
  }
  const bool typed = rule["type"] == "integer" ? value.is_number_integer() : value.is_number();
  if (typed && in_range(rule, value.get<double>())) return {};
  return "expected " + range_of(rule) + ", found " + shown(value);
}

std::vector<std::string> keys_read_by(const Json& schema, const std::string& gate) {
  for (const auto& branch : schema["allOf"]) {
    const auto& gates = branch["if"]["properties"]["gate"]["enum"];
    if (std::find(gates.begin(), gates.end(), gate) != gates.end())
      return branch["then"]["propertyNames"]["enum"].get<std::vector<std::string>>();
  }
  return {};
}

std::vector<std::string> keys_known(const Json& schema) {
  std::vector<std::string> keys;
  for (const auto& item : schema["properties"].items()) keys.push_back(item.key());
  return keys;
}

Fault unknown_key(const Json& schema, const Entry& entry) {
  std::string text = "unknown key " + quoted(entry.key);
  const auto near = nearest_word(entry.key, keys_known(schema));
  if (!near.empty()) text += "; did you mean " + quoted(near) + "?";
  return {text, entry.key_offset};
}

std::vector<Fault> check_members(const Json& schema, const std::vector<Entry>& entries) {
  std::vector<Fault> faults;
  std::vector<std::string> seen;
  const auto& rules = schema["properties"];
  for (const auto& entry : entries) {
    if (!rules.contains(entry.key)) {
      faults.push_back(unknown_key(schema, entry));
    } else if (std::find(seen.begin(), seen.end(), entry.key) != seen.end()) {
      faults.push_back({"duplicate key " + quoted(entry.key), entry.key_offset});
    } else if (auto text = fault_of_value(rules[entry.key], entry.value); !text.empty()) {
      faults.push_back({entry.key + ": " + text, entry.value_offset});
    }
    seen.push_back(entry.key);
  }
  return faults;
}

void check_reads(const Json& schema, const std::vector<Entry>& entries,
                 std::vector<Fault>& faults) {
  const auto gate = std::find_if(entries.begin(), entries.end(),
                                 [](const Entry& entry) { return entry.key == "gate"; });
  if (gate == entries.end()) {
    faults.push_back({"the key \"gate\" is required", 0});
    return;
  }
  if (!gate->value.is_string()) return;
  const auto name = gate->value.get<std::string>();
  const auto read = keys_read_by(schema, name);
  if (read.empty()) return;
  for (const auto& entry : entries) {
    if (!schema["properties"].contains(entry.key)) continue;
    if (std::find(read.begin(), read.end(), entry.key) == read.end())
      faults.push_back(
          {"the gate " + quoted(name) + " never reads " + quoted(entry.key), entry.key_offset});
  }
}

std::uint64_t nanoseconds(const Json& seconds) {
  return static_cast<std::uint64_t>(seconds.get<double>() * 1e9 + 0.5);
}

/// `resolved` has every key, with a value that the schema allows.
Config resolve(const Json& schema, const Json& resolved) {
  const auto& gates = schema["properties"]["gate"]["enum"];
  Config config;
  const auto at = std::find(gates.begin(), gates.end(), resolved["gate"]) - gates.begin();
  config.gate = static_cast<std::uint32_t>(at) + 1;  // SRP_GATE_* follow the schema's order
  config.shadow = resolved["mode"] == "shadow" ? 1 : 0;
  config.match_draft = resolved["rebind"] == "match_draft" ? 1 : 0;
  config.hash_version = resolved["params_hash_version"].get<std::uint32_t>();
  config.max_pairings = resolved["max_pairings"].get<std::uint32_t>();
  config.max_backends = resolved["max_backends"].get<std::uint32_t>();
  config.max_baselines = resolved["max_baselines"].get<std::uint32_t>();
  const auto parts = [&resolved](const char* key, double unit) {
    return static_cast<std::uint32_t>(resolved[key].get<double>() * unit + 0.5);
  };
  config.threshold_ppm = parts("delta_threshold", 1e6);
  config.ewma_weight_ppm = parts("ewma_weight", 1e6);
  config.limit_millisigma = parts("control_limit_sigma", 1e3);
  config.allowance_ppm = parts("allowance", 1e6);
  config.error_ppm = parts("error_rate", 1e6);
  config.decided_micro_nats =
      static_cast<std::uint64_t>(micro_ln(1'000'000 - config.error_ppm, config.error_ppm));
  config.low_ppm = parts("low_threshold", 1e6);
  config.ejection_millisigma = parts("ejection_sigma", 1e3);
  config.max_ejected_ppm = parts("max_ejected_share", 1e6);
  config.failure_ppm = parts("failure_share", 1e6);
  config.tolerated_ppm = parts("tolerated_share", 1e6);
  config.min_pairings = resolved["min_pairings"].get<std::uint32_t>();
  config.min_requests = resolved["min_requests"].get<std::uint32_t>();
  config.probe_requests = resolved["probe_requests"].get<std::uint32_t>();
  config.min_verdicts = resolved["min_verdicts"].get<std::uint32_t>();
  config.min_windows = resolved["min_windows"].get<std::uint32_t>();
  config.sum_limit_tokens = resolved["sum_limit_tokens"].get<std::uint64_t>();
  config.min_drafted = resolved["min_drafted"].get<std::uint64_t>();
  config.cool_down_ns = nanoseconds(resolved["cool_down_s"]);
  config.baseline_window_ns = nanoseconds(resolved["baseline_window_s"]);
  config.retry_ns = nanoseconds(resolved["retry_s"]);
  config.no_draft_ns = nanoseconds(resolved["no_draft_s"]);
  config.observation_ns = nanoseconds(resolved["observation_s"]);
  config.quarantine_ns = nanoseconds(resolved["quarantine_s"]);
  config.max_quarantine_ns = nanoseconds(resolved["max_quarantine_s"]);
  return config;
}

/// What the schema cannot say: values of which each is allowed, and which never act together. The
/// defaults do, so one of the two keys is in the text.
void check_together(const Config& config, const std::vector<Entry>& entries,
                    std::vector<Fault>& faults) {
  const auto refuse = [&](std::string_view key, std::string_view other, std::string_view why) {
    const auto named = [&entries](std::string_view wanted) {
      return std::find_if(entries.begin(), entries.end(),
                          [wanted](const Entry& entry) { return entry.key == wanted; });
    };
    const auto at = named(key) != entries.end() ? named(key) : named(other);
    const std::size_t offset = at != entries.end() ? at->key_offset : 0;
    faults.push_back({std::string(key) + ": " + std::string(why), offset});
  };
  if (config.max_quarantine_ns < config.quarantine_ns)
    refuse("max_quarantine_s", "quarantine_s", "less than quarantine_s");
  if (config.gate != SRP_GATE_OUTLIER) return;
  if (config.max_pairings < config.min_pairings)
    refuse("max_pairings", "min_pairings", "less than min_pairings, so none is ever judged");
  const std::uint64_t milli = config.ejection_millisigma;
  if (milli * milli >= (std::uint64_t{config.max_pairings} - 1) * 1'000'000)
    refuse("ejection_sigma", "max_pairings",
           "none of max_pairings is ever beyond it, since sqrt(max_pairings - 1) is the most");
}

ConfigFault joined(std::vector<Fault> faults) {
  std::stable_sort(faults.begin(), faults.end(),
                   [](const Fault& a, const Fault& b) { return a.offset < b.offset; });
  ConfigFault all{"", faults.front().offset};
  for (const auto& fault : faults) {
    if (!all.text.empty()) all.text += "\n";
    all.text += "byte " + std::to_string(fault.offset) + ": " + fault.text;
  }
  return all;
}

}  // namespace

std::optional<ConfigFault> parse_config(std::string_view json, Config& out) {
  std::size_t taken = 0;
  MemberReader reader(json, taken);
  const char* const begin = json.data();
  const bool whole = Json::sax_parse(CountingIterator{begin, &taken},
                                     CountingIterator{begin + json.size(), &taken}, &reader);
  if (!whole) return joined({reader.fault.value_or(Fault{"not JSON", taken})});

  const Json schema = Json::parse(config_schema());
  auto faults = check_members(schema, reader.entries);
  check_reads(schema, reader.entries, faults);
  if (!faults.empty()) return joined(std::move(faults));

  Json resolved = Json::object();
  for (const auto& rule : schema["properties"].items())
    if (rule.value().contains("default")) resolved[rule.key()] = rule.value()["default"];
  for (const auto& entry : reader.entries) resolved[entry.key] = entry.value;
  out = resolve(schema, resolved);
  check_together(out, reader.entries, faults);
  if (!faults.empty()) return joined(std::move(faults));
  return std::nullopt;
}

}  // namespace specroute::router
