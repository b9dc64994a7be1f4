/** @file
 * A router in miniature, in C: what a host says to the policy, and what it hears. A target fails
 * over, and the new pairing's draft serves with a stale temperature. Build it against the installed
 * library:
 *   cc -std=c99 host.c $(pkg-config --cflags --libs specroute-router) -o host
 * It exits with 0 where the policy has the pairing replaced. */
#include <inttypes.h>
#include <specroute/policy_abi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kOldTarget = 3, kNewTarget = 7, kDraft = 2, kProfile = 1 };

static const srp_ns kSecond = 1000000000u;
static const uint64_t kWanted = 0x60b4daf1243ef008u; /* params_hash(0.7, 0.95, 42, "json-v1") */
static const uint64_t kStale = 0x0a582a5ffabcb4ffu;  /* params_hash(0.0, 0.95, 42, "json-v1") */

/* Memory that the instance lives in, aligned as it asks (a power of two); malloc's own block is
 * remembered just before it. */
static void* lend(void* ctx, size_t size, size_t align) {
  char* block = malloc(size + align + sizeof(void*));
  uintptr_t start;
  (void)ctx;
  if (block == NULL) return NULL;
  start = ((uintptr_t)block + sizeof(void*) + align - 1) / align * align;
  memcpy((void*)(start - sizeof(void*)), &block, sizeof block);
  return (void*)start;
}

static void take_back(void* ctx, void* lent, size_t size, size_t align) {
  char* block;
  (void)ctx;
  (void)size;
  (void)align;
  memcpy(&block, (char*)lent - sizeof(void*), sizeof block);
  free(block);
}

static srp_record head(uint16_t type, size_t size, unsigned at_s, uint64_t pairing) {
  srp_record made;
  memset(&made, 0, sizeof made);
  made.size = (uint32_t)size;
  made.type = type;
  made.now = at_s * kSecond;
  made.pairing = pairing;
  return made;
}

/* A backend's fingerprint, as its engine reports it. */
static srp_side side(uint64_t backend, uint64_t params, uint32_t provenance) {
  srp_side made;
  memset(&made, 0, sizeof made);
  made.backend = backend;
  made.incarnation = 1;
  made.model = backend == kDraft ? 100 : 200;
  made.tokenizer = 11;
  made.params_v1 = params;
  made.params_v2 = params;
  made.kv_block_tokens = 16;
  made.mask = 1;
  made.known = SRP_FP_TOKENIZER | SRP_FP_PARAMS | SRP_FP_KV | SRP_FP_MASK | SRP_FP_MODEL;
  made.provenance = provenance;
  return made;
}

static srp_profile profile(void) {
  srp_profile made;
  memset(&made, 0, sizeof made);
  made.id = kProfile;
  made.required_v1 = kWanted;
  made.required_v2 = kWanted;
  return made;
}

/* Sends one event, prints the answer; how many of the decisions were `wanted`, or -1. */
static int send(const srp_module* module, srp_policy* policy, const srp_record* event,
                uint32_t wanted) {
  srp_decision out[8];
  size_t used = 0;
  size_t i;
  int found = 0;
  const int32_t status = module->on_event(policy, event, out, sizeof out, &used);
  if (status < 0 && status != SRP_E_FULL) {
    fprintf(stderr, "event %u is refused: %" PRId32 "\n", (unsigned)event->type, status);
    return -1;
  }
  for (i = 0; i < used / sizeof out[0]; ++i) {
    char why[512] = "";
    module->explain(&out[i], why, sizeof why, NULL);
    printf("%4.0f s  %s\n", (double)event->now / (double)kSecond, why);
    found += out[i].h.type == wanted;
  }
  return found;
}

static int bind_pairing(const srp_module* module, srp_policy* policy, unsigned at_s,
                        uint64_t target) {
  srp_ev_bind bind;
  memset(&bind, 0, sizeof bind);
  bind.h = head(SRP_EV_BIND, sizeof bind, at_s, target);
  bind.profile = profile();
  bind.draft = side(kDraft, kWanted, SRP_CLAIMED);
  bind.target = side(target, kWanted, SRP_CLAIMED);
  bind.forward = SRP_FORWARD_LOGITS;
  bind.draft_tokens = 2;
  return send(module, policy, &bind.h, 0);
}

/* One second of traffic: 1000 tokens were drafted. */
static int report(const srp_module* module, srp_policy* policy, unsigned at_s,
                  const srp_ev_window* seen) {
  srp_ev_window window = *seen;
  window.h = head(SRP_EV_WINDOW, sizeof window, at_s, seen->target.backend);
  window.profile = profile();
  window.from = (at_s - 1) * kSecond;
  window.to = at_s * kSecond;
  window.steps = 500;
  window.drafted = 1000;
  return send(module, policy, &window.h, SRP_REBIND);
}

/* Pairings have their target's number here. The count of re-binds asked for, or -1. */
static int play(const srp_module* module, srp_policy* policy) {
  srp_ev_window seen;
  srp_ev_failover failover;
  unsigned at_s;
  int rebinds = 0;
  memset(&seen, 0, sizeof seen);
  memset(&failover, 0, sizeof failover);
  if (bind_pairing(module, policy, 0, kOldTarget) < 0) return -1;
  seen.draft = side(kDraft, kWanted, SRP_LIVE);
  seen.target = side(kOldTarget, kWanted, SRP_LIVE);
  seen.accepted = 410;
  for (at_s = 1; at_s <= 60; ++at_s)
    if (report(module, policy, at_s, &seen) != 0) return -1;

  failover.h = head(SRP_EV_FAILOVER, sizeof failover, 60, kNewTarget);
  failover.from_backend = failover.from_pairing = kOldTarget;
  failover.to_backend = kNewTarget;
  failover.to_incarnation = 1;
  if (send(module, policy, &failover.h, 0) < 0) return -1;
  if (bind_pairing(module, policy, 60, kNewTarget) < 0) return -1;
  seen.draft = side(kDraft, kStale, SRP_LIVE);
  seen.target = side(kNewTarget, kWanted, SRP_LIVE);
  seen.accepted = 940;
  for (at_s = 61; at_s <= 64; ++at_s) {
    const int found = report(module, policy, at_s, &seen);
    if (found < 0) return -1;
    rebinds += found;
  }
  return rebinds;
}

int main(void) {
  static const char config[] = "{\"gate\": \"params_hash\"}";
  const srp_str json = {config, sizeof config - 1};
  const srp_module* module = srp_module_get(SRP_ABI_V1);
  srp_host host;
  srp_error error;
  srp_policy* policy = NULL;
  char text[256] = "";
  int rebinds;
  if (module == NULL) return 2;
  memset(&host, 0, sizeof host);
  host.struct_size = sizeof host;
  host.abi = SRP_ABI_V1;
  host.alloc = lend;
  host.free = take_back;
  memset(&error, 0, sizeof error);
  error.struct_size = sizeof error;
  error.buf = text;
  error.cap = sizeof text;
  if (module->create(&host, json, &policy, &error) != SRP_OK) {
    fprintf(stderr, "byte %" PRIu32 ": %s\n", error.config_offset, text);
    return 2;
  }
  printf("%.*s %.*s\n", (int)module->name.len, module->name.ptr, (int)module->version.len,
         module->version.ptr);
  rebinds = play(module, policy);
  module->destroy(policy);
  return rebinds == 1 ? 0 : 1;
}
