#include "sim/report/summary_json.hpp"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "sim/digest/sha256.hpp"
#include "sim/experiment/validity.hpp"
#include "sim/report/hex.hpp"
#include "sim/report/json_layout.hpp"

namespace specroute::sim {
namespace {

using Json = nlohmann::ordered_json;

Json number(std::optional<double> value) {
  return value ? Json(*value) : Json(nullptr);
}

Json numbers(const std::vector<std::optional<double>>& values) {
  Json list = Json::array();
  for (const auto& value : values) list.push_back(number(value));
  return list;
}

Json metric_json(const MetricSummary& metric) {
  const models::Interval& interval = metric.interval;
  Json json;
  json["mean"] = number(interval.mean);
  if (interval.half_width)
    json["ci95"] = {*interval.mean - *interval.half_width, *interval.mean + *interval.half_width};
  else
    json["ci95"] = nullptr;
  json["n"] = interval.count;
  json["per_seed"] = numbers(metric.per_seed);
  return json;
}

const char* verdict_text(Verdict verdict) {
  constexpr const char* kNames[] = {"pass", "fail", "not_run"};
  return kNames[static_cast<std::size_t>(verdict)];
}

Json expectation_json(const ExpectationOutcome& outcome) {
  const Expectation& expectation = outcome.expectation;
  Json json;
  json["gate"] = expectation.gate;
  json["metric"] = expectation.metric;
  json["over"] = expectation.every_seed ? "every_seed" : "mean";
  if (expectation.min) json["min"] = *expectation.min;
  if (expectation.max) json["max"] = *expectation.max;
  if (expectation.is_null) json["is_null"] = true;
  json["verdict"] = verdict_text(outcome.verdict);
  json["found"] = numbers(outcome.found);
  return json;
}

Json digests_json(const Report& report) {
  Json json = Json::object();
  for (const GateRuns& gate : report.campaign.gates) {
    Json list = Json::array();
    for (const std::uint64_t digest : gate.digests) list.push_back(hex_digits(digest));
    json[gate.label] = std::move(list);
  }
  return json;
}

/// Policies from outside that gave no result.
Json failures_json(const Campaign& campaign) {
  Json list = Json::array();
  for (const JobFailure& failure : campaign.failures) {
    Json json;
    json["gate"] = failure.gate;
    json["policy"] = failure.policy;
    json["diagnosis"] = failure.diagnosis;
    list.push_back(std::move(json));
  }
  return list;
}

}  // namespace

std::string summary_json(const Report& report) {
  Json json;
  json["schema"] = "specroute-summary/1";
  json["scenario"] = {{"name", report.scenario.name},
                      {"title", report.scenario.title},
                      {"question", report.scenario.question},
                      {"sha256", sha256_hex(report.scenario.resolved_json)}};
  json["warnings"] = validity_warnings(report.scenario);
  json["replications"] = report.campaign.seeds.size();
  json["seeds"] = report.campaign.seeds;
  Json gates = Json::object();
  for (const GateSummary& gate : report.gates) {
    Json metrics = Json::object();
    for (const MetricSummary& metric : gate.metrics) metrics[metric.name] = metric_json(metric);
    gates[gate.label] = std::move(metrics);
  }
  json["gates"] = std::move(gates);
  Json expectations = Json::array();
  for (const auto& outcome : report.expectations) expectations.push_back(expectation_json(outcome));
  json["expectations"] = std::move(expectations);
  json["digests"] = digests_json(report);
  if (!report.campaign.failures.empty()) json["failures"] = failures_json(report.campaign);
  return laid_out(json.dump(-1, ' ', false, Json::error_handler_t::replace)) + '\n';
}

}  // namespace specroute::sim
