#include "sim/world/class_record.hpp"

#include "sim/world/counted.hpp"

namespace specroute::sim {
namespace {

/// Time per output token after the first; 0 for a single token.
Seconds time_per_output_token(const Ending& ending) {
  const std::uint32_t tokens = ending.sequence.emitted;
  return tokens > 1 ? (ending.at - ending.first_token) / (tokens - 1.0) : Seconds{0.0};
}

}  // namespace

bool meets_objectives(const Ending& ending, const RequestClass& objectives) {
  return ending.state == EndState::completed &&
         ending.first_token - ending.sequence.arrival <= objectives.ttft_slo &&
         time_per_output_token(ending) <= objectives.tpot_slo;
}

void ClassRecord::ended(const Ending& ending, const RequestClass& objectives) {
  ++ends[static_cast<std::size_t>(ending.state)];
  retries += ending.retries;
  tokens += ending.sequence.emitted;
  if (ending.state == EndState::completed) completed(ending, objectives);
}

void ClassRecord::completed(const Ending& ending, const RequestClass& objectives) {
  const Sequence& sequence = ending.sequence;
  const Seconds first = ending.first_token - sequence.arrival;
  const Seconds per_token = time_per_output_token(ending);
  ttft.add(first.count());
  end_to_end.add((ending.at - sequence.arrival).count());
  if (sequence.emitted > 1) tpot.add(per_token.count());
  looping += sequence.loop_pairing.exists();
  schema += sequence.schema_pairing.exists();
  corrupted += sequence.corruption_pairing.exists();
  degraded += sequence.degraded();
  const bool soon = first <= objectives.ttft_slo;
  const bool fast = per_token <= objectives.tpot_slo;
  ttft_met += soon;
  tpot_met += fast;
  good += soon && fast;
  healthy_good += soon && fast && !sequence.degraded();
}

void ClassRecord::merge(const ClassRecord& other) {
  for (std::size_t s = 0; s < kEndStates; ++s) ends[s] += other.ends[s];
  arrived += other.arrived;
  retries += other.retries;
  tokens += other.tokens;
  degraded += other.degraded;
  looping += other.looping;
  schema += other.schema;
  corrupted += other.corrupted;
  ttft_met += other.ttft_met;
  tpot_met += other.tpot_met;
  good += other.good;
  healthy_good += other.healthy_good;
  ttft.merge(other.ttft);
  tpot.merge(other.tpot);
  end_to_end.merge(other.end_to_end);
  inter_token.merge(other.inter_token);
}

void report_quantiles(Metrics& metrics, const std::string& path,
                      const models::QuantileSketch& sketch) {
  const auto milliseconds = [&](double p) -> std::optional<double> {
    const auto seconds = sketch.quantile(p);
    return seconds ? std::optional(*seconds * 1e3) : std::nullopt;
  };
  metrics.emplace_back(path + "p50_ms", milliseconds(0.50));
  metrics.emplace_back(path + "p95_ms", milliseconds(0.95));
  metrics.emplace_back(path + "p99_ms", milliseconds(0.99));
}

void report_objectives(Metrics& metrics, const std::string& path, const ClassRecord& record,
                       Seconds horizon) {
  metrics.emplace_back(path + "goodput_rps", as_double(record.good) / horizon.count());
  metrics.emplace_back(path + "healthy_goodput_rps",
                       as_double(record.healthy_good) / horizon.count());
  metrics.emplace_back(path + "slo_attainment", share(record.good, record.arrived));
  metrics.emplace_back(path + "slo_attainment_ttft", share(record.ttft_met, record.arrived));
  metrics.emplace_back(path + "slo_attainment_tpot", share(record.tpot_met, record.arrived));
}

void report_class(Metrics& metrics, const std::string& name, const ClassRecord& record,
                  Seconds horizon) {
  const std::string path = "class." + name + '.';
  metrics.emplace_back(path + "arrived", as_double(record.arrived));
  for (std::size_t s = 0; s < kEndStates; ++s)
    metrics.emplace_back(path + to_string(static_cast<EndState>(s)), as_double(record.ends[s]));
  metrics.emplace_back(path + "degraded", as_double(record.degraded));
  metrics.emplace_back(path + "output_tokens_per_s", as_double(record.tokens) / horizon.count());
  report_objectives(metrics, path, record, horizon);
  report_quantiles(metrics, path + "ttft_", record.ttft);
  report_quantiles(metrics, path + "tpot_", record.tpot);
  report_quantiles(metrics, path + "itl_", record.inter_token);
  report_quantiles(metrics, path + "e2e_", record.end_to_end);
}

}  // namespace specroute::sim
