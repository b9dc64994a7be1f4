#include "tests/unit/router/random_host.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>

#include "tests/unit/router/event_stream.hpp"

namespace specroute::router::test {
namespace {

constexpr std::array<std::uint64_t, 3> kDrafts{kDraft, 20, 21};
constexpr std::array<std::uint64_t, 3> kTargets{kOldTarget, kNewTarget, 8};
constexpr std::uint64_t kNobody = 77;
constexpr std::size_t kMostPairings = 6;
constexpr srp_ns kMillisecond = 1'000'000;

/// One in `n`.
bool rarely(std::uint64_t& word, std::uint64_t n) {
  return draw(word, n) == 0;
}

/// Version 2 of a hash covers what version 1 does not see: kStale + 1 is stale in version 2 alone.
void set_params(srp_side& side, std::uint64_t params) {
  side.params_v2 = params;
  side.params_v1 = params == kStale + 1 ? kWanted : params;
}

}  // namespace

RandomHost::RandomHost(Story& story) : story_(&story) {
  for (const auto& ids : {kDrafts, kTargets})
    for (const std::uint64_t id : ids)
      backends_[id] = {1, {kWanted, kWanted, kWanted}, kEverything, SRP_LIVE, 11};
  pairings_.push_back({next_pairing_++, kDraft, kOldTarget, 1, 410, 0});
  bind(pairings_.back(), SRP_FORWARD_TOKENS, true);
}

template <class Event>
void RandomHost::send(Event event) {
  event.h.seq = ++seq_;
  story_->push_back(AnyEvent::of(event));
}

srp_side RandomHost::side_of(std::uint64_t backend, std::uint64_t profile) const {
  const Backend& truth = backends_.at(backend);
  srp_side made = side(backend, kWanted, truth.provenance);
  set_params(made, truth.params[profile]);
  made.incarnation = truth.incarnation;
  made.tokenizer = truth.tokenizer;
  made.known = truth.known;
  return made;
}

void RandomHost::bind(const Pairing& pairing, std::uint32_t forward, bool claimed) {
  for (std::uint64_t profile = 1; profile <= pairing.profiles; ++profile) {
    auto bound = event<srp_ev_bind>(SRP_EV_BIND, 0, pairing.id);
    bound.h.now = now_;
    bound.profile = {profile, kWanted, kWanted, 0};
    bound.draft = side_of(pairing.draft, profile);
    bound.target = side_of(pairing.target, profile);
    if (claimed) {
      // A configuration says what it wishes.
      for (srp_side* one : {&bound.draft, &bound.target}) {
        one->provenance = SRP_CLAIMED;
        set_params(*one, kWanted);
      }
    }
    bound.forward = forward;
    bound.draft_tokens = 2;
    send(bound);
  }
}

void RandomHost::unbind(std::size_t at) {
  auto ended = event<srp_ev_unbind>(SRP_EV_UNBIND, 0, pairings_[at].id);
  ended.h.now = now_;
  send(ended);
  pairings_.erase(pairings_.begin() + static_cast<std::ptrdiff_t>(at));
}

RandomHost::Pairing& RandomHost::some_pairing(std::uint64_t& word) {
  // The latest half of the time: what follows a fail-over is what is interesting.
  if (draw(word, 2) == 0) return pairings_.back();
  return pairings_[draw(word, pairings_.size())];
}

std::uint64_t RandomHost::some_backend(std::uint64_t& word) const {
  const auto at = draw(word, backends_.size());
  return std::next(backends_.begin(), static_cast<std::ptrdiff_t>(at))->first;
}

void RandomHost::scene(std::uint64_t word) {
  const auto kind = draw(word, 100);
  now_ += draw(word, 4) * 250 * kMillisecond;
  if (kind < 56) return serve(word);
  if (kind < 65) return fail_over(word);
  if (kind < 70) return bind_anew(word);
  if (kind < 74) return tell_of_candidate(word);
  if (kind < 80) return change_sampling(word);
  if (kind < 83) return disturb_backend(word);
  if (kind < 90) return report_outcomes(word);
  if (kind < 93) return answer_decision(word);
  if (kind < 96) return misbehave(word);
  if (kind < 97 && pairings_.size() > 1) return unbind(draw(word, pairings_.size()));
  now_ += (1 + draw(word, 5)) * 500 * kMillisecond;
  auto woken = tick(0);
  woken.h.now = now_;
  send(woken);
}

void RandomHost::serve(std::uint64_t word) {
  Pairing& pairing = some_pairing(word);
  const auto windows = 1 + draw(word, 8);
  const srp_ns lasts = (1 + draw(word, 3)) * 500 * kMillisecond;
  if (rarely(word, 8)) pairing.level = draw(word, 1001);
  for (std::uint64_t i = 0; i < windows; ++i) {
    word = word * 0x9e3779b97f4a7c15U + 1;  // what is drawn of each is more than a word holds
    send_window(pairing, word, lasts);
  }
}

void RandomHost::send_window(Pairing& pairing, std::uint64_t word, srp_ns lasts) {
  now_ += lasts;
  const std::uint64_t profile = 1 + draw(word, pairing.profiles);
  auto seen = event<srp_ev_window>(SRP_EV_WINDOW, 0, pairing.id);
  seen.h.now = now_;
  seen.profile = {profile, kWanted, kWanted, 0};
  if (rarely(word, 16))
    seen.profile.required_v1 = seen.profile.required_v2 = 0;  // not stated again
  seen.draft = side_of(pairing.draft, profile);
  seen.target = side_of(pairing.target, profile);
  seen.to = now_;
  seen.from = rarely(word, 24) ? 0 : std::min(pairing.reported_to, now_);
  seen.drafted = rarely(word, 6) ? draw(word, 300) : 1000;
  const std::uint64_t level = std::min<std::uint64_t>(1000, pairing.level + draw(word, 21));
  seen.accepted = seen.drafted * level / 1000;
  seen.steps = seen.drafted / 2;
  seen.completions = draw(word, 9);
  seen.latency_p50_ns = draw(word, 1000) * kMillisecond;
  if (rarely(word, 20)) seen.window_flags = 1U << draw(word, 4);
  if (rarely(word, 24)) seen.draft.known &= ~(1U << draw(word, 5));
  if (rarely(word, 24)) seen.target.provenance = static_cast<std::uint32_t>(draw(word, 3));
  pairing.reported_to = now_;
  send(seen);
}

void RandomHost::fail_over(std::uint64_t word) {
  const Pairing lost = some_pairing(word);
  Pairing fresh = lost;
  fresh.id = next_pairing_++;
  fresh.target = kTargets[draw(word, kTargets.size())];
  if (rarely(word, 6)) fresh.draft = kDrafts[draw(word, kDrafts.size())];
  fresh.level = draw(word, 3) == 0 ? lost.level : 300 + draw(word, 700);
  fresh.reported_to = now_;
  if (rarely(word, 5)) fresh.profiles = 3 - fresh.profiles;
  const auto replaced = [&lost](const Pairing& one) { return one.id == lost.id; };
  auto note = event<srp_ev_failover>(SRP_EV_FAILOVER, 0, fresh.id);
  note.h.now = now_;
  note.from_backend = lost.target;
  note.to_backend = fresh.target;
  note.from_pairing = rarely(word, 16) ? kNobody : lost.id;
  if (!rarely(word, 16)) send(note);
  bind(fresh, static_cast<std::uint32_t>(draw(word, 3)), draw(word, 2) == 0);
  const bool late = rarely(word, 24);
  if (late) send(note);
  if (pairings_.size() >= kMostPairings || draw(word, 4) != 0)
    unbind(static_cast<std::size_t>(std::find_if(pairings_.begin(), pairings_.end(), replaced) -
                                    pairings_.begin()));
  pairings_.push_back(fresh);
}

void RandomHost::bind_anew(std::uint64_t word) {
  Pairing fresh = some_pairing(word);
  if (pairings_.size() >= kMostPairings) unbind(draw(word, pairings_.size()));
  fresh.id = next_pairing_++;
  fresh.draft = kDrafts[draw(word, kDrafts.size())];
  if (rarely(word, 4)) fresh.target = kTargets[draw(word, kTargets.size())];
  bind(fresh, static_cast<std::uint32_t>(draw(word, 3)), draw(word, 2) == 0);
  if (rarely(word, 4)) bind(fresh, SRP_FORWARD_TOKENS, true);  // a second time: refused
  pairings_.push_back(fresh);
}

void RandomHost::tell_of_candidate(std::uint64_t word) {
  const std::uint64_t profile = 1 + draw(word, 2);
  auto spare = event<srp_ev_candidate>(SRP_EV_CANDIDATE, 0, 0);
  spare.h.now = now_;
  spare.side = side_of(some_backend(word), profile);
  spare.role = static_cast<std::uint32_t>(draw(word, 8) == 0 ? 9 : 1 + draw(word, 2));
  spare.available = static_cast<std::uint32_t>(draw(word, 3));
  spare.load_ppm = static_cast<std::int64_t>(draw(word, 1'000'000));
  spare.profile = profile;
  send(spare);
}

void RandomHost::change_sampling(std::uint64_t word) {
  const Pairing& pairing = some_pairing(word);
  if (rarely(word, 3)) return override_both(pairing, word);
  // A draft in use three times of four; what is stale is mostly put right the next time.
  const std::uint64_t in_use = pairing.draft;
  const std::uint64_t id = draw(word, 4) == 0 ? some_backend(word) : in_use;
  const std::uint64_t profile = 1 + draw(word, 4) / 3;
  constexpr std::array<std::uint64_t, 4> kValues{kStale, kStale, kStale, kStale + 1};
  std::uint64_t& params = backends_.at(id).params[profile];
  params = params != kWanted ? kWanted : kValues[draw(word, kValues.size())];
  if (rarely(word, 3)) return;  // nobody says so: the next windows will
  auto changed = event<srp_ev_sampling>(SRP_EV_SAMPLING, 0, 0);
  changed.h.now = now_;
  changed.profile = {profile, kWanted, kWanted, 0};
  changed.side = side_of(id, profile);
  changed.changed = SRP_FP_PARAMS;
  if (rarely(word, 4)) changed.side.provenance = SRP_CLAIMED;
  send(changed);
}

/// Both sides of a pairing get the same wrong parameters, or are put right, and nobody says so:
/// the next windows do.
void RandomHost::override_both(const Pairing& pairing, std::uint64_t word) {
  const std::uint64_t profile = 1 + draw(word, pairing.profiles);
  std::uint64_t& draft = backends_.at(pairing.draft).params[profile];
  const std::uint64_t wrong = draw(word, 4) == 0 ? kStale + 1 : kStale;
  draft = draft != kWanted ? kWanted : wrong;
  backends_.at(pairing.target).params[profile] = draft;
}

void RandomHost::disturb_backend(std::uint64_t word) {
  Backend& truth = backends_.at(some_backend(word));
  switch (draw(word, 4)) {
    case 0:
      truth.tokenizer = 11 + draw(word, 2);
      break;
    case 1:
      truth.known = kEverything & ~(1U << draw(word, 6));
      break;
    case 2:
      truth.provenance = static_cast<std::uint32_t>(draw(word, 3));
      break;
    default:
      truth = {truth.incarnation + 1, {kWanted, kWanted, kWanted}, kEverything, SRP_LIVE, 11};
      if (rarely(word, 3)) truth.params[1] = kStale;
  }
}

void RandomHost::report_outcomes(std::uint64_t word) {
  const Pairing& pairing = some_pairing(word);
  const std::uint64_t total = draw(word, 60);
  const std::uint64_t bad = draw(word, 3) == 0 ? draw(word, total + 1) : 0;
  if (draw(word, 2) == 0) {
    auto tries = health(0, rarely(word, 9) ? kNobody : pairing.target, total, bad);
    tries.h.now = now_;
    return send(tries);
  }
  auto verdicts = quality(0, rarely(word, 9) ? kNobody : pairing.id, total, bad, bad / 2);
  verdicts.h.now = now_;
  send(verdicts);
}

void RandomHost::answer_decision(std::uint64_t word) {
  auto answered = outcome(0, draw(word, 40), static_cast<std::uint32_t>(draw(word, 5)));
  answered.h.now = now_;
  send(answered);
}

void RandomHost::misbehave(std::uint64_t word) {
  auto odd = window(0, pairings_.back().id, 500);
  odd.h.now = odd.to = now_;
  odd.draft = side_of(pairings_.back().draft, 1);
  odd.target = side_of(pairings_.back().target, 1);
  switch (draw(word, 8)) {
    case 0:
      odd.h.pairing = kNobody;
      break;
    case 1:
      odd.h.now = now_ / 2;
      odd.from = odd.to = 0;
      break;
    case 2:
      odd.accepted = odd.drafted + 1;
      break;
    case 3:
      odd.drafted = UINT64_MAX - draw(word, 3);
      break;
    case 4:
      odd.h.size = static_cast<std::uint32_t>(draw(word, sizeof odd));
      break;
    case 5:
      odd.h.type = static_cast<std::uint16_t>(11 + draw(word, 300));
      break;
    case 6:
      odd.to = now_ + 1;
      break;
    default:
      odd.draft.backend = kNobody;
  }
  send(odd);
}

Story story_of(const std::vector<std::uint64_t>& words) {
  Story story;
  RandomHost host(story);
  for (const std::uint64_t word : words) host.scene(word);
  return story;
}

std::vector<std::uint64_t> random_words(std::uint64_t seed, std::size_t scenes) {
  std::vector<std::uint64_t> words(scenes);
  for (std::uint64_t& word : words) {
    word = seed += 0x9e3779b97f4a7c15U;
    word = (word ^ (word >> 30U)) * 0xbf58476d1ce4e5b9U;
    word = (word ^ (word >> 27U)) * 0x94d049bb133111ebU;
    word ^= word >> 31U;
  }
  return words;
}

std::string small_config(const std::string& gate, int version) {
  const std::string hash = R"(, "params_hash_version": )" + std::to_string(version);
  const std::string paired =
      R"(, "retry_s": 1, "max_backends": 8, "max_baselines": 8, "baseline_window_s": 30)";
  const std::string checked = paired + hash + R"(, "no_draft_s": 2)";
  const std::string ejects = R"(, "retry_s": 1, "quarantine_s": 2, "max_quarantine_s": 5)";
  const std::map<std::string, std::string> own = {
      {"delta_only", paired},
      {"hash_only", R"(, "retry_s": 1)" + hash},
      {"params_hash", checked},
      {"validity", checked},
      {"validity_safe", checked},
      {"latency_tiebreak", paired},
      {"global_mean", R"(, "retry_s": 1)"},
      {"ewma", paired},
      {"low_threshold", R"(, "low_threshold": 0.05)"},
      {"cusum", paired},
      {"sprt", paired},
      {"mann_whitney", paired + R"(, "min_windows": 3)"},
      {"outlier", ejects + R"(, "min_pairings": 3, "ejection_sigma": 1.2)"},
      {"error_breaker", ejects + R"(, "observation_s": 6)"},
      {"quality_probe", ejects + R"(, "observation_s": 6, "min_verdicts": 20)"},
  };
  const auto found = own.find(gate);
  return R"({"gate": ")" + gate + R"(", "cool_down_s": 3, "max_pairings": 10)" +
         (found == own.end() ? "" : found->second) + "}";
}

}  // namespace specroute::router::test
