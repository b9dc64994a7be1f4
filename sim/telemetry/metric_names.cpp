#include "sim/telemetry/metric_names.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "sim/json/nearest.hpp"

namespace specroute::sim {
namespace {

using Kind = MetricName::Kind;

struct KnownName {
  std::string_view name;
  Kind kind;
  Metric metric = Metric::drafts;
};

constexpr std::array kKnown = {
    KnownName{"vllm:spec_decode_num_drafts", Kind::read, Metric::drafts},
    KnownName{"vllm:spec_decode_num_draft_tokens", Kind::read, Metric::draft_tokens},
    KnownName{"vllm:spec_decode_num_accepted_tokens", Kind::read, Metric::accepted_tokens},
    KnownName{"vllm:spec_decode_num_accepted_tokens_per_pos", Kind::read, Metric::accepted_at},
    KnownName{"vllm:spec_decode_num_draft_tokens_created", Kind::read, Metric::created},
    KnownName{"vllm:spec_decode_num_drafts_created", Kind::derived},
    KnownName{"vllm:spec_decode_num_accepted_tokens_created", Kind::derived},
    KnownName{"vllm:spec_decode_num_accepted_tokens_per_pos_created", Kind::derived},
    KnownName{"vllm:spec_decode_num_emitted_tokens", Kind::derived},
    KnownName{"vllm:spec_decode_num_emitted_tokens_created", Kind::derived},
    KnownName{"vllm:spec_decode_draft_acceptance_rate", Kind::derived},
    KnownName{"vllm:spec_decode_efficiency", Kind::derived},
    KnownName{"vllm:request_success", Kind::read, Metric::completions},
    KnownName{"llamacpp:spec_decode_num_drafts", Kind::read, Metric::drafts},
    KnownName{"llamacpp:spec_decode_num_draft_tokens", Kind::read, Metric::draft_tokens},
    KnownName{"llamacpp:spec_decode_num_accepted_tokens", Kind::read, Metric::accepted_tokens},
    KnownName{"llamacpp:spec_decode_num_accepted_tokens_per_pos", Kind::read, Metric::accepted_at},
    KnownName{"sglang:spec_accept_length", Kind::read, Metric::accept_length},
    KnownName{"sglang:spec_accept_rate", Kind::read, Metric::accept_rate},
    KnownName{"sglang:spec_num_draft_tokens", Kind::read, Metric::tree_tokens},
    KnownName{"sglang:spec_num_steps", Kind::read, Metric::speculative_steps},
    KnownName{"sglang:spec_verify_calls", Kind::read, Metric::verify_calls},
    KnownName{"sglang:generation_tokens", Kind::read, Metric::generation_tokens},
    KnownName{"sglang:num_requests", Kind::read, Metric::completions},
    KnownName{"sglang:spec_accept_rate_per_position", Kind::derived},
    KnownName{"sglang:spec_total_accept_rate_per_position", Kind::derived},
    KnownName{"sglang:spec_total_accept_length", Kind::derived},
};

/// With a colon after the engine's name, and without "_total".
std::string plain(std::string_view name) {
  std::string text(name);
  if (text.ends_with("_total")) text.erase(text.size() - 6);
  for (const std::string_view engine : {"vllm", "sglang", "llamacpp"})
    if (text.starts_with(engine) && text.size() > engine.size() && text[engine.size()] == '_')
      text[engine.size()] = ':';
  return text;
}

bool sounds_of_speculation(std::string_view name) {
  for (const std::string_view part : {"spec_", "draft", "accept"})
    if (name.find(part) != std::string_view::npos) return true;
  return false;
}

}  // namespace

MetricName metric_name(std::string_view name) {
  const std::string wanted = plain(name);
  const auto* const known = std::ranges::find(kKnown, wanted, &KnownName::name);
  if (known != kKnown.end()) return {known->kind, known->metric};
  return {sounds_of_speculation(name) ? Kind::unknown : Kind::other, Metric::drafts};
}

std::string nearest_metric(std::string_view name) {
  constexpr std::size_t kLongestName = 200;
  if (name.size() > kLongestName) return {};
  std::vector<std::string> names;
  for (const KnownName& one : kKnown)
    if (one.kind == Kind::read) names.emplace_back(one.name);
  return nearest_of(plain(name), names);
}

}  // namespace specroute::sim
