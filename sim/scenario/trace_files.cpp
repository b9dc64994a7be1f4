#include "sim/scenario/trace_files.hpp"

#include <algorithm>
#include <filesystem>

#include <specroute/vocab/check.hpp>

namespace specroute::sim {
namespace {

namespace fs = std::filesystem;

JsonValue* member(JsonValue& object, std::string_view key) {
  const auto found = std::ranges::find(object.members, key, &JsonMember::key);
  return found == object.members.end() ? nullptr : &found->value;
}

JsonValue text_value(std::string text) {
  JsonValue value(JsonValue::Kind::text);
  value.text = std::move(text);
  return value;
}

/// Each tenant has metrics of its own: with more of them a column is no tenant's name.
constexpr std::size_t kMostTenants = 1000;

/// One class's trace: its description in the tree and in the scenario.
struct Place {
  std::string pointer;  ///< of the class
  JsonValue& arrivals;
  RequestClass& request_class;
  Seconds horizon;
};

std::string number(double value) {
  JsonValue real(JsonValue::Kind::real);
  real.real = value;
  return found_text(real);
}

/// The longest row of each column stands for the class's limits.
void take_limits(RequestClass& c) {
  const TraceArrivals& trace = *c.arrivals.trace;
  c.prompt.limit = std::ranges::max(trace.rows->prompt_tokens);
  c.output.limit = trace.output_limit.value_or(std::ranges::max(trace.rows->output_tokens));
}

/// What the rows must be for this class of this scenario.
Diagnostics row_faults(const std::string& file, const Place& place) {
  const RequestClass& c = place.request_class;
  const TraceArrivals& trace = *c.arrivals.trace;
  const Trace& rows = *trace.rows;
  Diagnostics faults;
  const auto add = [&](const char* key, std::string expected, std::string found) {
    faults.push_back({.file = file,
                      .place = place.pointer + key,
                      .expected = std::move(expected),
                      .found = std::move(found),
                      .nearest = {}});
  };
  if (rows.tenants.size() > kMostTenants)
    add("/arrivals/path", "a trace of at most " + std::to_string(kMostTenants) + " tenants",
        std::to_string(rows.tenants.size()) + " in " + trace.file);
  if (!rows.tenants.empty() && !c.tenants.empty())
    add("/tenants", "no such key where the trace has tenants of its own",
        std::to_string(rows.tenants.size()) + " in " + trace.file);
  const Seconds first =
      trace.start + (Seconds{rows.arrival_s.front()} - trace.slice.from) * trace.time_scale;
  if (!(first < place.horizon))
    add("/arrivals", "a row that arrives before horizon_s (" + number(place.horizon.count()) + ")",
        "the first at " + number(first.count()));
  return faults;
}

Diagnostics read_one(const std::string& file, const ReadOptions& options, const Place& place) {
  TraceArrivals& trace = *place.request_class.arrivals.trace;
  const bool given = !options.trace_file.empty();
  trace.file = given ? options.trace_file : (fs::path(file).parent_path() / trace.file).string();
  auto rows = options.traces->read(trace.file, trace.format, trace.slice);
  if (!rows) {
    Diagnostics faults = rows.diagnostics();
    for (Diagnostic& fault : faults)
      if (fault.place.empty() && fault.file == trace.file && faults.size() == 1)
        fault = {.file = file,
                 .place = place.pointer + "/arrivals/path",
                 .expected = fault.expected,
                 .found = fault.found + ": " + trace.file,
                 .nearest = {}};
    return faults;
  }
  trace.rows = std::move(rows).value();
  take_limits(place.request_class);
  Diagnostics faults = row_faults(file, place);
  JsonValue* const stated = member(place.arrivals, "sha256");
  if (stated != nullptr && !given && stated->text != trace.rows->sha256)
    faults.push_back({.file = file,
                      .place = place.pointer + "/arrivals/sha256",
                      .expected = "the hash of " + trace.file + ", \"" + trace.rows->sha256 + '"',
                      .found = '"' + stated->text + '"',
                      .nearest = {}});
  if (stated != nullptr)
    *stated = text_value(trace.rows->sha256);
  else
    place.arrivals.members.push_back({"sha256", text_value(trace.rows->sha256)});
  // Where a file lies is no part of a result; what it is called and what is in it are.
  if (given) *member(place.arrivals, "path") = text_value(fs::path(trace.file).filename().string());
  return faults;
}

}  // namespace

Diagnostics read_traces(const std::string& file, const ReadOptions& options, JsonValue& root,
                        Scenario& scenario) {
  Diagnostics faults;
  if (options.traces == nullptr) return faults;
  JsonValue* const workload = member(root, "workload");
  check(workload != nullptr, "an accepted scenario has its workload");
  JsonValue* const classes = member(*workload, "classes");
  check(classes != nullptr && classes->items.size() == scenario.classes.size(),
        "every class of an accepted scenario is decoded");
  bool any = false;
  for (std::size_t c = 0; c < scenario.classes.size(); ++c) {
    if (!scenario.classes[c].arrivals.trace) continue;
    any = true;
    JsonValue* const arrivals = member(classes->items[c], "arrivals");
    check(arrivals != nullptr, "an accepted class has its arrivals");
    for (Diagnostic& fault : read_one(file, options,
                                      {"/workload/classes/" + std::to_string(c), *arrivals,
                                       scenario.classes[c], scenario.horizon}))
      faults.push_back(std::move(fault));
  }
  if (!any && !options.trace_file.empty())
    faults.push_back({.file = file,
                      .place = "/workload/classes",
                      .expected = "a class with \"arrivals\" of the kind \"trace\", to play " +
                                  options.trace_file,
                      .found = "none",
                      .nearest = {}});
  return faults;
}

}  // namespace specroute::sim
