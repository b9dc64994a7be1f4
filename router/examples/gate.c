/** @file
 * A gate of your own, in C: a shared library with one export, srp_module_get. The simulator runs it
 * (`specroute run SCENARIO --policy lib:./libgate.so`), and so does any router that loads modules.
 *   cc -std=c99 -shared -fPIC -O2 gate.c -o libgate.so $(pkg-config --cflags specroute-router)
 *
 * The rule: a pairing is rewarded after N windows in a row in which both engines themselves report
 * equal sampling parameters and tokenizers, those that the profile asks for. What contradicts is
 * re-bound; what is merely unknown earns nothing. gate_exec.py beside this file is the same gate in
 * another process: the two decide alike to the byte.
 *
 * Configuration: {"windows": N, "lock_s": S}; both may be left out (3 windows, 60 s). */
#include <inttypes.h>
#include <specroute/policy_abi.h>
#include <stdio.h>
#include <string.h>

enum { kCapacity = 1024 }; /* pairings times profiles that are remembered */
enum { kConsistent = 1, kContradiction, kNoLongerLive }; /* reasons; 0 is none */

static const srp_ns kSecond = 1000000000u;

/* What is known of one (pairing, profile). A row whose pairing is 0 is free: ids begin at 1. */
typedef struct row {
  uint64_t pairing, profile;
  uint64_t run; /* consistent windows in a row */
  srp_ns locked_until, last_heard;
  uint64_t rebind_said;
} row;

/* The state is plain numbers: no pointers, so that a snapshot is a copy of it. */
typedef struct state {
  uint64_t windows;
  srp_ns lock_ns, now;
  uint64_t next_id;
  row rows[kCapacity];
} state;

struct srp_policy {
  const srp_host* host;
  state s;
};

/* -- configuration: a scanner for {"key": integer, ...}, enough for two keys -- */

static const char* skip_blanks(const char* at, const char* end) {
  while (at < end && (*at == ' ' || *at == '\n' || *at == '\t' || *at == '\r')) ++at;
  return at;
}

/* Behind `text`, or NULL where something else stands there. */
static const char* expect(const char* at, const char* end, const char* text) {
  const size_t length = strlen(text);
  at = skip_blanks(at, end);
  if ((size_t)(end - at) < length || memcmp(at, text, length) != 0) return NULL;
  return at + length;
}

/* Reads an integer of 1 to 1000000. */
static const char* integer(const char* at, const char* end, uint64_t* number) {
  const char* const begin = at = skip_blanks(at, end);
  *number = 0;
  for (; at < end && *at >= '0' && *at <= '9' && *number <= 1000000; ++at)
    *number = *number * 10 + (uint64_t)(*at - '0');
  return at == begin || *number == 0 || *number > 1000000 ? NULL : at;
}

/* One "key": value. */
static const char* member(const char* at, const char* end, state* s) {
  uint64_t number = 0;
  const char* value = expect(at, end, "\"windows\"");
  const int is_windows = value != NULL;
  if (!is_windows) value = expect(at, end, "\"lock_s\"");
  if (value != NULL) value = expect(value, end, ":");
  if (value != NULL) value = integer(value, end, &number);
  if (value == NULL) return NULL;
  if (is_windows)
    s->windows = number;
  else
    s->lock_ns = number * kSecond;
  return value;
}

/* Fills the configuration in; the first byte that is wrong, or -1 where none is. */
static int64_t configure(srp_str json, state* s) {
  const char* const end = json.ptr + json.len;
  const char* at = expect(json.ptr, end, "{");
  const char* next = at;
  s->windows = 3;
  s->lock_ns = 60 * kSecond;
  if (at == NULL) return 0;
  if ((next = expect(at, end, "}")) == NULL) {
    for (;;) {
      if ((next = member(at, end, s)) == NULL) return skip_blanks(at, end) - json.ptr;
      at = next;
      if ((next = expect(at, end, ",")) == NULL) break;
      at = next;
    }
    if ((next = expect(at, end, "}")) == NULL) return skip_blanks(at, end) - json.ptr;
  }
  at = skip_blanks(next, end);
  return at == end ? -1 : at - json.ptr;
}

/* Names the key at `offset`, if there is one, and says what should be there. */
static int32_t refuse(srp_error* error, srp_str json, int64_t offset) {
  const char* const key = json.ptr + offset;
  const size_t left = json.len - (size_t)offset;
  const char* const close = left > 1 && *key == '"' ? memchr(key + 1, '"', left - 1) : NULL;
  const int length = close == NULL || close - key > 64 ? 0 : (int)(close - key) + 1;
  int size;
  if (error == NULL) return SRP_E_CONFIG;
  error->config_offset = (uint32_t)offset;
  error->len = 0;
  if (error->buf == NULL || error->cap == 0) return SRP_E_CONFIG;
  size = snprintf(error->buf, error->cap,
                  "%.*s%sexpected {\"windows\": 1..1000000, \"lock_s\": 1..1000000}", length, key,
                  length > 0 ? ": " : "");
  error->len = (uint32_t)size < error->cap ? (uint32_t)size : error->cap - 1;
  return SRP_E_CONFIG;
}

static int32_t validate(srp_str json, srp_error* error) {
  state s;
  const int64_t offset = configure(json, &s);
  return offset < 0 ? SRP_OK : refuse(error, json, offset);
}

/* -- life of an instance: one allocation, through the host -- */

static int32_t create(const srp_host* host, srp_str json, srp_policy** out, srp_error* error) {
  srp_policy* made;
  int64_t offset;
  if (host == NULL || out == NULL) return SRP_E_ARG;
  if (host->abi >> 16 != SRP_ABI_V1 >> 16) return SRP_E_ABI;
  made = host->alloc(host->ctx, sizeof *made, sizeof(uint64_t));
  if (made == NULL) return SRP_E_SPACE;
  memset(made, 0, sizeof *made);
  made->host = host;
  made->s.next_id = 1;
  offset = configure(json, &made->s);
  if (offset >= 0) {
    host->free(host->ctx, made, sizeof *made, sizeof(uint64_t));
    return refuse(error, json, offset);
  }
  *out = made;
  return SRP_OK;
}

static void destroy(srp_policy* policy) {
  if (policy == NULL) return;
  policy->host->free(policy->host->ctx, policy, sizeof *policy, sizeof(uint64_t));
}

/* -- the rule -- */

/* The row, made if need be. In a full table the one heard of longest ago is evicted. */
static row* row_of(state* s, uint64_t pairing, uint64_t profile, int32_t* status) {
  row* oldest = &s->rows[0];
  row* vacant = NULL;
  size_t i;
  for (i = 0; i < kCapacity; ++i) {
    row* const one = &s->rows[i];
    if (one->pairing == pairing && one->profile == profile) return one;
    if (one->pairing == 0 && vacant == NULL) vacant = one;
    if (one->last_heard < oldest->last_heard) oldest = one;
  }
  if (vacant == NULL) {
    *status = SRP_E_FULL;
    vacant = oldest;
  }
  memset(vacant, 0, sizeof *vacant);
  vacant->pairing = pairing;
  vacant->profile = profile;
  return vacant;
}

/* Both sides know it, and they differ. */
static int contradicts(const srp_side* draft, const srp_side* target) {
  const uint32_t known = draft->known & target->known;
  return ((known & SRP_FP_PARAMS) != 0 && draft->params_v1 != target->params_v1) ||
         ((known & SRP_FP_TOKENIZER) != 0 && draft->tokenizer != target->tokenizer);
}

/* Both engines report all that the rule compares. Unknown is not equal. */
static int is_live(const srp_ev_window* window) {
  const uint32_t needed = SRP_FP_PARAMS | SRP_FP_TOKENIZER;
  const uint32_t known = window->draft.known & window->target.known;
  const uint64_t required = window->profile.required_v1;
  return (known & needed) == needed && window->draft.provenance == SRP_LIVE &&
         window->target.provenance == SRP_LIVE &&
         (required == 0 || window->draft.params_v1 == required);
}

static srp_decision decide(state* s, const srp_ev_window* window, uint16_t type, uint32_t reason) {
  srp_decision made;
  memset(&made, 0, sizeof made);
  made.h.size = sizeof made;
  made.h.type = type;
  made.h.now = window->h.now;
  made.h.seq = window->h.seq;
  made.h.pairing = window->h.pairing;
  made.id = s->next_id++;
  made.profile = window->profile.id;
  made.reason = reason;
  return made;
}

/* The draft is to be replaced by one that samples as asked. */
static srp_decision rebind(state* s, const srp_ev_window* window) {
  srp_decision made = decide(s, window, SRP_REBIND, kContradiction);
  const uint64_t required = window->profile.required_v1;
  made.to.replace = SRP_REPLACE_DRAFT;
  made.to.match = SRP_FP_TOKENIZER | SRP_FP_PARAMS;
  made.to.params_version = 1;
  made.to.required = required != 0 ? required : window->target.params_v1;
  made.to.keep_backend = window->target.backend;
  made.to.exclude[0] = window->draft.backend;
  made.to.n_exclude = 1;
  return made;
}

static srp_decision lock(state* s, const srp_ev_window* window, row* one) {
  srp_decision made = decide(s, window, SRP_LOCK, kConsistent);
  one->locked_until = window->h.now + s->lock_ns;
  made.arg[0] = (int64_t)one->run;
  made.valid_until = one->locked_until;
  made.reward_ppm = (int64_t)(window->accepted * 1000000 / window->drafted);
  made.prefer_pairing = window->h.pairing;
  return made;
}

/* One window brings at most one decision. */
static int32_t on_window(state* s, const srp_ev_window* window, srp_decision* out, size_t* used) {
  int32_t status = SRP_OK;
  row* const one = row_of(s, window->h.pairing, window->profile.id, &status);
  one->last_heard = window->h.now;
  if ((window->window_flags & SRP_WIN_STALE) != 0) return status;
  *used = sizeof *out;
  if (contradicts(&window->draft, &window->target)) {
    one->run = 0;
    one->locked_until = 0;
    if (!one->rebind_said) {
      one->rebind_said = 1; /* once; the host decides whether and when */
      *out = rebind(s, window);
      return status;
    }
  } else if (!is_live(window) || (window->window_flags & SRP_WIN_COUNTER_RESET) != 0) {
    one->run = 0;
    if (one->locked_until > window->h.now) {
      one->locked_until = 0;
      *out = decide(s, window, SRP_HOLD, kNoLongerLive);
      return status;
    }
  } else {
    ++one->run;
    if (one->run >= s->windows && one->locked_until <= window->h.now && window->drafted > 0) {
      *out = lock(s, window, one);
      return status;
    }
  }
  *used = 0;
  return status;
}

static int32_t on_event(srp_policy* policy, const srp_record* event, void* out, size_t cap,
                        size_t* used) {
  state* s;
  size_t i;
  if (policy == NULL || event == NULL || out == NULL || used == NULL) return SRP_E_ARG;
  *used = 0;
  if (cap < 2 * sizeof(srp_decision)) return SRP_E_SPACE;
  s = &policy->s;
  if (event->now < s->now) return SRP_E_TIME;
  s->now = event->now;
  switch (event->type) {
    case SRP_EV_WINDOW: {
      srp_decision made;
      int32_t status;
      if (event->size < sizeof(srp_ev_window)) return SRP_E_ARG;
      status = on_window(s, (const srp_ev_window*)event, &made, used);
      if (*used > 0) memcpy(out, &made, sizeof made);
      return status;
    }
    case SRP_EV_UNBIND:
      for (i = 0; i < kCapacity; ++i)
        if (s->rows[i].pairing == event->pairing) memset(&s->rows[i], 0, sizeof s->rows[i]);
      return SRP_OK;
    default: /* events of later versions too */
      return SRP_IGNORED;
  }
}

/* -- snapshots -- */

static int32_t snapshot(const srp_policy* policy, void* buf, size_t cap, size_t* need) {
  if (policy == NULL) return SRP_E_ARG;
  if (need != NULL) *need = sizeof policy->s;
  if (buf == NULL || cap < sizeof policy->s) return SRP_E_SPACE;
  memcpy(buf, &policy->s, sizeof policy->s);
  return SRP_OK;
}

static int32_t restore(srp_policy* policy, const void* buf, size_t len, srp_error* error) {
  state s;
  (void)error;
  if (policy == NULL || buf == NULL) return SRP_E_ARG;
  if (len != sizeof s) return SRP_E_STATE;
  memcpy(&s, buf, sizeof s);
  if (s.windows != policy->s.windows || s.lock_ns != policy->s.lock_ns) return SRP_E_STATE;
  policy->s = s;
  return SRP_OK;
}

static uint64_t state_digest(const srp_policy* policy) {
  const unsigned char* const bytes = (const unsigned char*)&policy->s;
  uint64_t hash = 0xcbf29ce484222325u; /* FNV-1a */
  size_t i;
  for (i = 0; i < sizeof policy->s; ++i) hash = (hash ^ bytes[i]) * 0x100000001b3u;
  return hash;
}

/* -- words -- */

static srp_str text(const char* words) {
  srp_str made;
  made.ptr = words;
  made.len = strlen(words);
  return made;
}

static srp_str reason_code(uint32_t reason) {
  switch (reason) {
    case kConsistent:
      return text("consistent_windows");
    case kContradiction:
      return text("contradiction");
    case kNoLongerLive:
      return text("no_longer_live");
    default:
      return text("");
  }
}

static int32_t explain(const srp_decision* d, char* buf, size_t cap, size_t* need) {
  char sentence[160] = "";
  size_t length;
  if (d->reason == kConsistent)
    snprintf(sentence, sizeof sentence, "%" PRId64 " consistent windows in a row", d->arg[0]);
  else if (d->reason == kContradiction)
    snprintf(sentence, sizeof sentence, "draft and target contradict each other");
  else if (d->reason == kNoLongerLive)
    snprintf(sentence, sizeof sentence, "the engines no longer report what they serve");
  length = strlen(sentence) + 1;
  if (need != NULL) *need = length;
  if (cap == 0) return SRP_E_SPACE;
  snprintf(buf, cap, "%s", sentence);
  return length <= cap ? SRP_OK : SRP_E_SPACE;
}

/* Hashing and judging single cases is the business of the library; a gate may decline. */
static int32_t params_hash(uint32_t version, const srp_sampling* s, char out[17]) {
  (void)version;
  (void)s;
  (void)out;
  return SRP_E_ARG;
}

static int32_t judge(const srp_case* c, char* why, size_t cap, size_t* need) {
  (void)c;
  (void)why;
  (void)cap;
  (void)need;
  return SRP_E_ARG;
}

static const char kSchema[] =
    "{\"$schema\": \"http://json-schema.org/draft-07/schema#\", \"type\": \"object\","
    " \"additionalProperties\": false, \"properties\": {"
    "\"windows\": {\"type\": \"integer\", \"minimum\": 1, \"maximum\": 1000000},"
    "\"lock_s\": {\"type\": \"integer\", \"minimum\": 1, \"maximum\": 1000000}}}";

const srp_module* srp_module_get(uint32_t host_abi) {
  static const srp_module module = {sizeof(srp_module),
                                    SRP_ABI_V1,
                                    {"example_gate", 12},
                                    {"1.0", 3},
                                    {kSchema, sizeof kSchema - 1},
                                    validate,
                                    create,
                                    destroy,
                                    on_event,
                                    snapshot,
                                    restore,
                                    state_digest,
                                    reason_code,
                                    explain,
                                    params_hash,
                                    judge};
  return host_abi >> 16 == SRP_ABI_V1 >> 16 ? &module : NULL;
}
