#include "sim/world/run_result.hpp"

#include <cstring>
#include <string_view>
#include <type_traits>

#include <specroute/router/decision_name.hpp>
#include <specroute/vocab/check.hpp>

namespace specroute::sim {
namespace {

template <class Plain>
void put_bytes(std::string& out, const Plain& value) {
  static_assert(std::is_trivially_copyable_v<Plain>);
  char bytes[sizeof value];
  std::memcpy(bytes, &value, sizeof value);
  out.append(bytes, sizeof value);
}
void put(std::string& out, std::uint64_t word) {
  put_bytes(out, word);
}
void put(std::string& out, const std::string& text) {
  put(out, std::uint64_t{text.size()});
  out += text;
}

void put(std::string& out, const std::vector<std::uint64_t>& words) {
  put(out, std::uint64_t{words.size()});
  for (const std::uint64_t word : words) put(out, word);
}

/// Reads what `put` wrote, in the same order.
class Reader {
 public:
  explicit Reader(std::string_view bytes) : rest_(bytes) {}
  template <class Plain>
  Plain plain() {
    Plain value{};
    const std::string_view bytes = take(sizeof value);
    std::memcpy(&value, bytes.data(), bytes.size());
    return value;
  }
  std::uint64_t word() { return plain<std::uint64_t>(); }
  std::string text() { return std::string(take(word())); }
  std::vector<std::uint64_t> words() {
    std::vector<std::uint64_t> words(word());
    for (std::uint64_t& one : words) one = word();
    return words;
  }

 private:
  std::string_view take(std::size_t size) {
    check(size <= rest_.size(), "a result from a pipe is whole");
    const std::string_view part = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return part;
  }
  std::string_view rest_;
};

}  // namespace

std::string decision_type_name(std::uint16_t type) {
  if (type == 0) return "BIND";
  const std::string_view name = router::decision_name(type);
  return name.empty() ? "type " + std::to_string(type) : std::string(name);
}

std::string to_bytes(const RunResult& result) {
  constexpr std::size_t kUsualMetric = 64;
  constexpr std::size_t kUsualDecision = 1024;
  std::string out;
  out.reserve(result.metrics.size() * kUsualMetric + result.decisions.size() * kUsualDecision +
              result.timeseries_csv.size() + result.requests_csv.size() + kUsualDecision);
  put(out, std::uint64_t{result.metrics.size()});
  for (const auto& [path, value] : result.metrics) {
    put(out, path);
    put(out, std::uint64_t{value.has_value()});
    put_bytes(out, value.value_or(0.0));
  }
  put(out, std::uint64_t{result.decisions.size()});
  for (const DecisionEntry& entry : result.decisions) {
    put_bytes(out, entry.at_s);
    put(out, entry.target);
    put(out, entry.draft);
    put(out, entry.overrides);
    put(out, entry.reason);
    put(out, entry.explanation);
    put(out, std::uint64_t{entry.harmful});
    put_bytes(out, entry.decision);
  }
  put(out, result.timeseries_csv);
  put(out, result.requests_csv);
  put(out, result.outcomes.arrived);
  put(out, result.outcomes.degraded);
  put(out, result.outcomes.unserved);
  put(out, result.digest);
  put(out, result.failure);
  return out;
}

RunResult from_bytes(const std::string& bytes) {
  Reader reader(bytes);
  RunResult result;
  const std::uint64_t count = reader.word();
  for (std::uint64_t i = 0; i < count; ++i) {
    std::string path = reader.text();
    const bool applies = reader.word() != 0;
    const double value = reader.plain<double>();
    result.metrics.emplace_back(std::move(path), applies ? std::optional(value) : std::nullopt);
  }
  result.decisions.resize(reader.word());
  for (DecisionEntry& entry : result.decisions) {
    entry.at_s = reader.plain<double>();
    entry.target = reader.text();
    entry.draft = reader.text();
    entry.overrides = reader.text();
    entry.reason = reader.text();
    entry.explanation = reader.text();
    entry.harmful = reader.word() != 0;
    entry.decision = reader.plain<srp_decision>();
  }
  result.timeseries_csv = reader.text();
  result.requests_csv = reader.text();
  result.outcomes.arrived = reader.word();
  result.outcomes.degraded = reader.words();
  result.outcomes.unserved = reader.words();
  result.digest = reader.word();
  result.failure = reader.text();
  return result;
}

}  // namespace specroute::sim
