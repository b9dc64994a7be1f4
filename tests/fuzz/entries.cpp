#include "tests/fuzz/entries.hpp"

#include <algorithm>
#include <set>
#include <sstream>
#include <string>

#include <specroute/vocab/check.hpp>

#include "sim/digest/sha256.hpp"
#include "sim/scenario/reader.hpp"
#include "sim/traces/read_trace.hpp"

namespace specroute::fuzz {
namespace {

void check_words(const Diagnostics& faults, const std::string& file) {
  check(!faults.empty(), "a refusal says why");
  for (const Diagnostic& fault : faults)
    check(fault.file == file && !fault.found.empty() &&
              !(fault.expected.empty() && fault.nearest.empty()),
          "a diagnostic names the file, what was expected and what was found");
}

}  // namespace

void scenario(std::string_view bytes) {
  static const sim::ReadOptions options = {.catalogue = {.devices = {"H100-SXM-80", "A10G-24"},
                                                         .models = {"llama-3.1-8b", "smollm-135m"},
                                                         .metrics = {}},
                                           .validate_gate = {}};
  const auto read = sim::parse_scenario(std::string(bytes), "f.json", options);
  if (!read) return check_words(read.diagnostics(), "f.json");
  const std::string& resolved = read.value().resolved_json;
  const auto again = sim::parse_scenario(resolved, "f.json", options);
  check(again.ok(), "a resolved scenario is a scenario");
  check(again.value().resolved_json == resolved, "resolving twice is resolving once");
}

void trace(sim::TraceFormat format, std::string_view bytes) {
  const std::string text(bytes);
  std::istringstream stream(text);
  const auto read = sim::read_trace(stream, "f", format, {});
  if (!read) return check_words(read.diagnostics(), "f");
  const sim::Trace& rows = read.value();
  const sim::TraceCounts& counts = rows.counts;
  check(counts.rows == counts.kept + counts.zero_tokens + counts.of_others + counts.out_of_slice,
        "every row is in one count");
  check(counts.kept == rows.size() && rows.size() >= 1, "a trace holds the rows that it kept");
  check(rows.prompt_tokens.size() == rows.size() && rows.output_tokens.size() == rows.size(),
        "columns are of one length");
  check(rows.session.empty() || rows.session.size() == rows.size(), "so are sessions");
  check(rows.tenant.empty() || rows.tenant.size() == rows.size(), "so are tenants");
  check(std::ranges::is_sorted(rows.arrival_s) && rows.arrival_s.front() >= 0.0,
        "times do not fall");
  check(std::ranges::min(rows.prompt_tokens) >= 1 && std::ranges::min(rows.output_tokens) >= 1,
        "a kept row has tokens");
  for (std::size_t row = 0; row < rows.size(); ++row) {
    const auto prefix = rows.prefix(row);
    check(prefix.size() <= bytes.size(), "a prefix is no longer than its file");
    check(std::set(prefix.begin(), prefix.end()).size() == prefix.size(),
          "a prefix has each block once");
  }
  check(rows.sha256 == sim::sha256_hex(text), "the hash is that of the bytes");
}

}  // namespace specroute::fuzz
