/* The example gate, made to do wrong: SPECROUTE_HOSTILE in the environment says how. */
#define srp_module_get example_module_get
#include "router/examples/gate.c"
#undef srp_module_get

#include <stdlib.h>
#include <unistd.h>

static int is(const char* what) {
  const char* const asked = getenv("SPECROUTE_HOSTILE");
  return asked != NULL && strcmp(asked, what) == 0;
}

static void hang(void) {
  for (;;) pause();
}

static uint64_t seen; /* of all instances: a module must not do that */

__attribute__((constructor)) static void loaded(void) {
  if (is("crash_at_load")) abort();
  if (is("hang_at_load")) hang();
}

/* raise() would do, were it not caught more easily than the real thing. */
static int* volatile nowhere;
static void crash(void) {
  *nowhere = 1;
}

static int32_t hostile_validate(srp_str json, srp_error* error) {
  if (is("crash_in_validate")) crash();
  return validate(json, error);
}

static int32_t hostile_create(const srp_host* host, srp_str json, srp_policy** out,
                              srp_error* error) {
  if (is("crash_in_create")) crash();
  if (is("no_instance")) return SRP_OK;
  if (is("refuse_after_all")) return refuse(error, json, 0);
  return create(host, json, out, error);
}

static void spoil(srp_decision* decision) {
  if (is("unknown_type")) decision->h.type = 7;
  if (is("unknown_pairing")) decision->h.pairing = 99;
  if (is("past_date")) decision->valid_until = 1;
  if (is("same_id")) decision->id = 1;
  if (is("absurd_reward")) decision->reward_ppm = INT64_MAX;
  if (is("shared_state")) decision->arg[1] = (int64_t)seen;
}

static int32_t hostile_on_event(srp_policy* policy, const srp_record* event, void* out, size_t cap,
                                size_t* used) {
  static srp_decision again;
  int32_t status;
  ++seen;
  if (event->seq == 10) {
    if (is("crash_on_event")) crash();
    if (is("hang_on_event")) hang();
    if (is("exit_on_event")) exit(0);
    if (is("refuse_event")) return SRP_E_STATE;
    if (is("recurse")) return hostile_on_event(policy, event, out, cap, used) + (int32_t)seen;
  }
  status = on_event(policy, event, out, cap, used);
  if (event->seq == 10 && is("odd_bytes")) *used = 17;
  if (event->seq == 10 && is("too_many_bytes")) *used = cap + sizeof(srp_decision);
  if (is("more_without_end") && (*used > 0 || again.id > 0)) {
    if (*used > 0) memcpy(&again, out, sizeof again);
    ++again.id;
    memcpy(out, &again, sizeof again);
    *used = sizeof again;
    return SRP_E_SPACE;
  }
  if (*used > 0) spoil(out);
  return status;
}

static void hostile_destroy(srp_policy* policy) {
  if (is("crash_in_destroy")) crash();
  destroy(policy);
}

__attribute__((visibility("default"))) const srp_module* srp_module_get(uint32_t host_abi);
const srp_module* srp_module_get(uint32_t host_abi) {
  static srp_module module;
  module = *example_module_get(host_abi);
  module.validate = hostile_validate;
  module.create = hostile_create;
  module.on_event = hostile_on_event;
  module.destroy = hostile_destroy;
  if (is("null_module")) return NULL;
  if (is("wrong_abi")) module.abi = 2u << 16 | 3u;
  if (is("short_table")) module.struct_size = 16;
  if (is("missing_function")) module.explain = NULL;
  return &module;
}
