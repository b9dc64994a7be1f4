#include "tests/unit/sim_routing/scripted_world.hpp"

#include <algorithm>

#include <specroute/vocab/check.hpp>

namespace specroute::sim {
namespace {

PolicyHost real_policy(const std::string& config) {
  auto host = PolicyHost::create(*srp_module_get(SRP_ABI_V1), "test", config);
  check(host.ok(), "a test's gate configuration is valid");
  return std::move(host).value();
}

}  // namespace

ScriptedWorld::ScriptedWorld(Scenario given, const std::string& gate_config)
    : scenario(std::move(given)),
      graph(scenario),
      dispatcher(scenario),
      policy(real_policy(gate_config)),
      control(scenario, graph, dispatcher, policy),
      truth_(scenario.backends.size()) {}

void ScriptedWorld::override_sampling(BackendId backend, const Sampling& sampling) {
  truth_[backend.index()].override_in_force = sampling;
}

void ScriptedWorld::crash(BackendId backend, Seconds date) {
  at(date, [this, backend] { truth_[backend.index()].alive = false; });
  at(date + kDetection, [this, backend] { control.on_backend_down(backend, now); });
}

void ScriptedWorld::restart(BackendId backend, Seconds date) {
  at(date, [this, backend] {
    Truth& truth = truth_[backend.index()];
    truth = {.alive = true, .incarnation = truth.incarnation + 1, .override_in_force = {}};
    control.on_backend_up(backend, truth.incarnation, now);
  });
}

void ScriptedWorld::silence(BackendId backend, Seconds from, Seconds to) {
  at(from, [this, backend] { truth_[backend.index()].alive = false; });
  at(to, [this, backend] { truth_[backend.index()].alive = true; });
}

void ScriptedWorld::begin() {
  begun_ = true;
  std::vector<VerificationAnswer> answers;
  for (const InitialPairing& pair : scenario.pairings)
    answers.push_back(answer(pair.target, pair.draft));
  control.start(answers, now);
  carry_out();
  at(scenario.router.telemetry_period, [this] { cut_telemetry(); });
}

void ScriptedWorld::run_until(Seconds date) {
  if (!begun_) begin();
  while (!events_.empty() && events_.begin()->first <= date) {
    const auto what = std::move(events_.begin()->second);
    now = events_.begin()->first;
    events_.erase(events_.begin());
    what();
    carry_out();
  }
  now = date;
}

BackendId ScriptedWorld::draft_of(BackendId target) const {
  const PairingId serving = control.serving(target);
  return serving.exists() ? control.pairing(serving).draft : BackendId{};
}

std::vector<DecisionRecord> ScriptedWorld::said(std::uint32_t type) const {
  std::vector<DecisionRecord> result;
  std::ranges::copy_if(decisions, std::back_inserter(result),
                       [&](const DecisionRecord& d) { return d.decision.h.type == type; });
  return result;
}

Sampling ScriptedWorld::applied(BackendId backend, const Sampling& requested) const {
  return truth_[backend.index()].override_in_force.value_or(requested);
}

std::vector<srp_side> ScriptedWorld::live(BackendId backend) const {
  std::vector<srp_side> sides;
  const auto rules = rules_of_profiles(scenario);
  for (std::size_t p = 0; p < scenario.profiles.size(); ++p)
    sides.push_back(fingerprint(
        policy.module(), scenario.backends[backend.index()],
        {.backend = backend, .incarnation = truth_[backend.index()].incarnation, .rule = rules[p]},
        applied(backend, scenario.profiles[p].sampling), SRP_LIVE));
  return sides;
}

VerificationAnswer ScriptedWorld::answer(BackendId target, BackendId draft) const {
  VerificationAnswer result;
  result.target_reachable = target.exists() && truth_[target.index()].alive;
  result.draft_reachable = draft.exists() && truth_[draft.index()].alive;
  if (result.target_reachable) result.target = live(target);
  if (result.draft_reachable) result.draft = live(draft);
  return result;
}

void ScriptedWorld::carry_out() {
  for (std::size_t i = 0; i < control.actions().size(); ++i) {
    const ControlAction action = control.actions()[i];
    carry_out(action);
  }
  control.actions().clear();
  std::ranges::move(control.decisions(), std::back_inserter(decisions));
  control.decisions().clear();
}

void ScriptedWorld::carry_out(const ControlAction& action) {
  using Kind = ControlAction::Kind;
  switch (action.kind) {
    case Kind::verify_at:
      return at(action.date, [this, id = action.operation] {
        const BindOperation& operation = control.operation(id);
        control.on_verification(id, answer(operation.target, operation.draft), now);
      });
    case Kind::rebuild:  // contexts take 30 ms to rebuild
      return at(now + Seconds{0.03},
                [this, id = action.operation] { control.on_rebuilt(id, now); });
    case Kind::rebuilt_at:
      return at(action.date, [this, id = action.operation] { control.on_rebuilt(id, now); });
    case Kind::bound:
      return bound.emplace_back(now, action.pairing), void();
    case Kind::unbound:
    case Kind::released:
      return;
    case Kind::tick_at:
      return at(action.date, [this] { control.on_tick(now); });
    case Kind::retry_at:
      return at(action.date, [this, id = action.operation] { control.on_retry(id, now); });
    case Kind::readmit_at:
      return at(action.date, [this, id = action.pairing] { control.on_readmit(id, now); });
  }
}

std::uint64_t ScriptedWorld::accepted(const PairingRecord& pairing) const {
  const auto scripted = acceptance.find({pairing.target, pairing.draft});
  if (scripted != acceptance.end()) return scripted->second;
  const bool equal = live(pairing.target)[0].params_v2 == live(pairing.draft)[0].params_v2;
  return equal ? 410 : 940;
}

void ScriptedWorld::cut_telemetry() {
  if (telemetry)
    for (std::uint32_t b = 0; b < scenario.backends.size(); ++b)
      if (const PairingId id = control.serving(BackendId{b}); id.exists()) cut(id);
  at(now + scenario.router.telemetry_period, [this] { cut_telemetry(); });
}

void ScriptedWorld::cut(PairingId id) {
  const PairingRecord& record = control.pairing(id);
  if (!record.draft.exists() || !truth_[record.target.index()].alive ||
      !truth_[record.draft.index()].alive)
    return;
  for (std::uint32_t p = 0; p < scenario.profiles.size(); ++p) {
    WindowReport window;
    window.pairing = id;
    window.profile = ProfileId{p};
    window.from = std::max(record.bound, now - scenario.router.telemetry_period);
    window.to = now;
    window.steps = kDraftedPerWindow / 2;
    window.drafted = kDraftedPerWindow;
    window.accepted = accepted(record);
    window.positions = 2;
    window.draft = live(record.draft)[p];
    window.target = live(record.target)[p];
    at(now + scenario.router.telemetry_transport,
       [this, window] { control.on_window(window, now); });
  }
}

}  // namespace specroute::sim
