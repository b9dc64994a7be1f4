/// @file
/// The C++ face on the installed library: a policy owned by a value, and the seed's two functions.
/// It exits with 0 where the answers are those of the rule.
#include <specroute/policy_abi.h>

#include <cstdio>
#include <specroute/router/acceptance.hpp>
#include <specroute/router/policy.hpp>

using namespace specroute::router;

int main() {
  auto made = Policy::create(linked_module(), R"({"gate": "validity"})");
  const auto refused = Policy::create(linked_module(), R"({"gate": "validty"})");
  if (!made.ok() || refused.ok()) return 2;

  AcceptanceCase question;
  question.draft = {"draft-a10g-02", "vocab", params_hash(0.0, 0.95, 42, "json-v1"), 16};
  question.target = {"target-h100-07", "vocab", params_hash(0.7, 0.95, 42, "json-v1"), 16};
  question.pre_acceptance = 0.41;
  question.post_acceptance = 0.94;
  const auto error = validate_post_failover_acceptance(question);
  if (!error || route_after_failover(question) != "REBIND") return 1;
  std::printf("REBIND: %s\n", error->what());

  question.draft.params_hash = question.target.params_hash;
  return route_after_failover(question) == "LOCK" ? 0 : 1;
}
