/** @file
 * The C that a host in Go includes in its cgo preamble. Go cannot call through a pointer to a C
 * function, nor lend a Go function as one without an export: these calls go through the table, and
 * lend malloc's memory. Events are filled in by Go, field by field, as C.srp_ev_window and so on.
 *
 *   // #cgo pkg-config: specroute-router
 *   // #include "cgo_calls.h"
 *   import "C"
 *
 * It is compiled and run as C by the package test. */
#ifndef SPECROUTE_CGO_CALLS_H
#define SPECROUTE_CGO_CALLS_H
#include <specroute/policy_abi.h>
#include <stdlib.h>
#include <string.h>

/* malloc's own block is remembered just before what is lent, aligned as asked. */
static void* go_lend(void* ctx, size_t size, size_t align) {
  char* block = malloc(size + align + sizeof(void*));
  uintptr_t start;
  (void)ctx;
  if (block == NULL) return NULL;
  start = ((uintptr_t)block + sizeof(void*) + align - 1) / align * align;
  memcpy((void*)(start - sizeof(void*)), &block, sizeof block);
  return (void*)start;
}

static void go_take_back(void* ctx, void* lent, size_t size, size_t align) {
  char* block;
  (void)ctx;
  (void)size;
  (void)align;
  memcpy(&block, (char*)lent - sizeof(void*), sizeof block);
  free(block);
}

/* SRP_OK and *out, or a code and the text of the refusal in err->buf. */
static int32_t go_create(const char* json, size_t len, srp_policy** out, srp_error* err) {
  const srp_module* module = srp_module_get(SRP_ABI_V1);
  srp_host host;
  srp_str config;
  if (module == NULL) return SRP_E_ABI;
  memset(&host, 0, sizeof host);
  host.struct_size = sizeof host;
  host.abi = SRP_ABI_V1;
  host.alloc = go_lend;
  host.free = go_take_back;
  config.ptr = json;
  config.len = len;
  return module->create(&host, config, out, err);
}

/* Decisions in out[0 .. *said - 1]. SRP_E_SPACE with *said > 0: send the same tick again. */
static int32_t go_on_event(srp_policy* policy, const srp_record* event, srp_decision* out,
                           size_t room, size_t* said) {
  size_t used = 0;
  const int32_t status =
      srp_module_get(SRP_ABI_V1)->on_event(policy, event, out, room * sizeof *out, &used);
  *said = used / sizeof *out;
  return status;
}

static void go_explain(const srp_decision* said, char* text, size_t room) {
  srp_module_get(SRP_ABI_V1)->explain(said, text, room, NULL);
}

static void go_destroy(srp_policy* policy) {
  srp_module_get(SRP_ABI_V1)->destroy(policy);
}

#ifdef CGO_CALLS_MAIN
/* What Go would do, in C: create, one event, one decision, destroy. */
int main(void) {
  static const char config[] = "{\"gate\": \"validity_safe\"}";
  char text[256] = "";
  srp_policy* policy = NULL;
  srp_ev_bind bind;
  srp_decision out[2];
  size_t said = 0;
  if (go_create(config, sizeof config - 1, &policy, NULL) != SRP_OK) return 2;
  memset(&bind, 0, sizeof bind);
  bind.h.size = sizeof bind;
  bind.h.type = SRP_EV_BIND;
  bind.h.pairing = 1;
  bind.profile.id = 1;
  if (go_on_event(policy, &bind.h, out, 2, &said) != SRP_OK || said != 1) return 1;
  go_explain(&out[0], text, sizeof text);
  go_destroy(policy);
  /* Nothing is known of either side, so nothing is verified. */
  return out[0].h.type == SRP_NO_DRAFT && text[0] != '\0' ? 0 : 1;
}
#endif
#endif
