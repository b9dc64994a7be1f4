#include "sim/report/decisions_jsonl.hpp"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "sim/report/hex.hpp"

namespace specroute::sim {
namespace {

using Json = nlohmann::ordered_json;

Json date(srp_ns at) {
  if (at == 0) return nullptr;
  if (at == SRP_FOREVER) return "forever";
  return static_cast<double>(at) / 1e9;
}

Json match_json(std::uint32_t match) {
  constexpr std::pair<std::uint32_t, const char*> kBits[] = {{SRP_FP_TOKENIZER, "tokenizer"},
                                                             {SRP_FP_PARAMS, "params"},
                                                             {SRP_FP_KV, "kv"},
                                                             {SRP_FP_MASK, "mask"},
                                                             {SRP_FP_MODEL, "model"}};
  Json names = Json::array();
  for (const auto& [bit, name] : kBits)
    if ((match & bit) != 0) names.push_back(name);
  return names;
}

Json constraint_json(const srp_constraint& to) {
  if (to.replace == SRP_KEEP_NONE) return nullptr;
  Json json;
  json["replace"] = to.replace == SRP_REPLACE_DRAFT ? "draft" : "target";
  json["match"] = match_json(to.match);
  json["params_version"] = to.params_version;
  json["required"] = hex_digits(to.required);
  json["keep_backend"] = to.keep_backend;
  Json excluded = Json::array();
  for (std::uint32_t i = 0; i < std::min<std::uint32_t>(to.n_exclude, SRP_MAX_EXCLUDE); ++i)
    excluded.push_back(to.exclude[i]);
  json["exclude"] = std::move(excluded);
  return json;
}

}  // namespace

std::string decision_line(const DecisionPlace& place, const DecisionEntry& entry) {
  const srp_decision& decision = entry.decision;
  Json json;
  json["gate"] = place.gate;
  json["seed"] = place.seed;
  json["index"] = place.index;
  json["at_s"] = entry.at_s;
  json["type"] = decision_type_name(decision.h.type);
  json["target"] = entry.target;
  json["draft"] = entry.draft.empty() ? Json(nullptr) : Json(entry.draft);
  json["reason"] = entry.reason;
  json["explanation"] = entry.explanation;
  json["overrides"] = entry.overrides.empty() ? Json(nullptr) : Json(entry.overrides);
  json["harmful"] = entry.harmful;
  json["dry_run"] = decision.dry_run != 0;
  json["valid_until_s"] = date(decision.valid_until);
  json["wake_at_s"] = date(decision.wake_at);
  json["reward"] = decision.h.type == SRP_LOCK
                       ? Json(static_cast<double>(decision.reward_ppm) / 1e6)
                       : Json(nullptr);
  json["prefer_pairing"] =
      decision.prefer_pairing == 0 ? Json(nullptr) : Json(decision.prefer_pairing);
  json["to"] = constraint_json(decision.to);
  json["pairing"] = decision.h.pairing;
  json["profile"] = decision.profile;
  json["id"] = decision.id;
  json["event"] = decision.h.seq;
  json["arguments"] = decision.arg;
  return json.dump(-1, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace specroute::sim
