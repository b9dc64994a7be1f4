/** @file
 * Router-policy ABI, version 1. C99, no dependency: a router, a simulator and a policy module meet
 * here. One export, srp_module_get(), returns a table of functions.
 *
 * FROZEN   A program built against this header is served by every library of the same major
 *          version. What would change a size, an offset, a type, a value or a meaning that stands
 *          here is version 2.
 * RECORDS  Events and decisions are plain bytes: pointer-free, padding-free (also on 32 bits), with
 *          their own size first. Records and the module table grow only at their end; nested
 *          structs are frozen and have reserved words. Every reserved field is 0. A newer host
 *          talks to an older module by size; an event type that the module does not know returns
 *          SRP_IGNORED, never an error.
 * ENUMS    cross as fixed-width integers.
 * THREADS  [serial]: one caller at a time per instance; instances are independent.
 *          [any]: any time, any thread.
 * TIME     A policy has no clock and no randomness: `now` is in the event, and it never decreases.
 * HEAP     State is allocated only by create (and given back by destroy), through the host;
 *          on_event never allocates.
 * STRINGS  (pointer, length), UTF-8, not terminated, borrowed for the call. */
#ifndef SPECROUTE_POLICY_ABI_H
#define SPECROUTE_POLICY_ABI_H
#include <stddef.h>
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif

/** major << 16 | minor. The major must match; the minor is additive. */
#define SRP_ABI_V1 ((1u << 16) | 0u)
/** A date that never comes. As `valid_until`: permanent, and reported as such. */
#define SRP_FOREVER UINT64_MAX
/** Positions of a draft with their own acceptance count in srp_ev_window. */
#define SRP_MAX_POSITIONS 16
/** Backends that a constraint can exclude by id. */
#define SRP_MAX_EXCLUDE 8

/** Borrowed text. `ptr` may be NULL where `len` is 0. */
typedef struct srp_str {
  const char* ptr;
  size_t len; /**< bytes */
} srp_str;
/** One instance of a policy: opaque, owned by the module between create and destroy. */
typedef struct srp_policy srp_policy;
/** Nanoseconds since the host's epoch (dates) or a span of nanoseconds. */
typedef uint64_t srp_ns;

/** Return codes. Positive: fine. Negative: an error. Only SRP_E_FULL changes the state. */
enum {
  SRP_OK = 0,
  SRP_IGNORED = 1, /**< nothing changed: unknown event type, or an event this gate has no use for */
  SRP_E_ABI = -1,  /**< the host's major version, or the size of its tables, cannot be served */
  SRP_E_CONFIG = -2, /**< configuration refused; srp_error has the text and the byte offset */
  SRP_E_ARG = -3,    /**< a NULL, a record shorter than its type, counts or dates that cannot be */
  SRP_E_TIME = -4,   /**< `now` is before the `now` of an earlier event */
  SRP_E_STATE = -5,  /**< a second bind of one (pairing, profile); a snapshot that does not fit */
  SRP_E_SPACE = -6,  /**< the caller's buffer, or the host's memory, is too small */
  SRP_E_FULL = -7    /**< a table was full: the entry heard of longest ago (ties: lowest id) was
                          evicted; the event WAS applied, and the decisions in `out` hold */
};

/** Record types. Events are below 0x100, decisions from 0x100: a trace of both is unambiguous. */
enum {
  SRP_EV_CANDIDATE = 1, /**< a backend that could take a side (srp_ev_candidate) */
  SRP_EV_BIND,          /**< a pairing starts to serve a profile (srp_ev_bind) */
  SRP_EV_UNBIND,        /**< a pairing ends, for all its profiles (srp_ev_unbind) */
  SRP_EV_WINDOW,        /**< counts of one telemetry period (srp_ev_window) */
  SRP_EV_FAILOVER, /**< a target was replaced; sent just before the new bind (srp_ev_failover) */
  SRP_EV_SAMPLING, /**< a backend's parameters in force changed (srp_ev_sampling) */
  SRP_EV_HEALTH,   /**< request counts of one backend (srp_ev_health) */
  SRP_EV_QUALITY,  /**< verdicts of a sampling detector (srp_ev_quality) */
  SRP_EV_OUTCOME,  /**< what became of a decision (srp_ev_outcome) */
  SRP_EV_TICK      /**< the date that some decision's `wake_at` asked for (srp_ev_tick) */
};
enum {
  SRP_HOLD = 0x100, /**< serve without reward; ends a NO_DRAFT or QUARANTINE before its date */
  SRP_LOCK,         /**< reward: prefer `prefer_pairing` with `reward_ppm` until `valid_until` */
  SRP_REBIND,       /**< reject: replace one side as `to` says */
  SRP_NO_DRAFT,     /**< serve on the target alone until `valid_until` */
  SRP_QUARANTINE    /**< send nothing to the pairing, whatever the profile, until `valid_until` */
};
/** What the router forwards to the verifier. */
enum {
  SRP_FORWARD_TOKENS = 0, /**< the draft's sampled tokens */
  SRP_FORWARD_LOGITS,     /**< the draft's logits instead of its sampled tokens */
  SRP_FORWARD_PROBS       /**< the sampled tokens with the probabilities they were drawn with */
};
/** How a fingerprint is known. */
enum {
  SRP_CLAIMED = 0,      /**< from configuration */
  SRP_VERIFIED_AT_BIND, /**< asked of the engine when the pairing was bound */
  SRP_LIVE              /**< reported by the engine with the traffic it served */
};
/** Bits of srp_side.known and srp_constraint.match. */
enum { SRP_FP_TOKENIZER = 1, SRP_FP_PARAMS = 2, SRP_FP_KV = 4, SRP_FP_MASK = 8, SRP_FP_MODEL = 16 };
/** srp_constraint.replace, and srp_ev_candidate.role (draft or target). */
enum { SRP_KEEP_NONE = 0, SRP_REPLACE_DRAFT, SRP_REPLACE_TARGET };
/** Bits of srp_ev_window.window_flags. */
enum {
  SRP_WIN_PARTIAL = 1,       /**< true counts of less than a period: judged, not in a baseline */
  SRP_WIN_STALE = 2,         /**< arrived too late to be believed: not used at all */
  SRP_WIN_COUNTER_RESET = 4, /**< an engine counter fell: a new epoch; counts are not used */
  SRP_WIN_FROM_RATIO = 8     /**< counts were derived from a published ratio */
};
/** srp_ev_outcome.result. */
enum { SRP_DONE = 0, SRP_DECLINED_NO_CANDIDATE, SRP_DECLINED_NO_CAPACITY, SRP_SUPERSEDED };
/** srp_decision.gate as the specroute library numbers its own; other modules number theirs. */
enum {
  SRP_GATE_NONE = 1,
  SRP_GATE_DELTA_ONLY,
  SRP_GATE_HASH_ONLY,
  SRP_GATE_COOLDOWN_ONLY,
  SRP_GATE_PARAMS_HASH,
  SRP_GATE_VALIDITY,
  SRP_GATE_VALIDITY_SAFE,
  SRP_GATE_LATENCY_TIEBREAK,
  SRP_GATE_GLOBAL_MEAN,
  SRP_GATE_EWMA,
  SRP_GATE_LOW_THRESHOLD,
  SRP_GATE_CUSUM,
  SRP_GATE_SPRT,
  SRP_GATE_MANN_WHITNEY,
  SRP_GATE_BANDIT,
  SRP_GATE_OUTLIER,
  SRP_GATE_ERROR_BREAKER,
  SRP_GATE_QUALITY_PROBE
};

/** Where the module writes why it refused. The caller fills struct_size, cap and buf. */
typedef struct srp_error {
  uint32_t struct_size;   /**< sizeof(srp_error) */
  uint32_t cap;           /**< bytes at buf */
  char* buf;              /**< may be NULL; else the text is cut to cap and ends with NUL */
  uint32_t len;           /**< out: bytes written, NUL excluded */
  uint32_t config_offset; /**< out: byte offset of the offence in the configuration text */
} srp_error;

/** What the host lends to an instance; it must outlive the instance. */
typedef struct srp_host {
  uint32_t struct_size; /**< sizeof(srp_host) */
  uint32_t abi;         /**< SRP_ABI_V1 */
  void* ctx;            /**< passed back in every call */
  /** NULL when out of memory. align: a power of two, and it may be more than malloc gives. */
  void* (*alloc)(void* ctx, size_t size, size_t align);
  void (*free)(void* ctx, void* p, size_t size, size_t align);
  void (*log)(void* ctx, int32_t level, srp_str msg); /**< may be NULL; must not re-enter */
} srp_host;

/** One side of a pairing as it would serve one sampling profile. Unknown is not equal: a field
 * counts only where its bit is set in `known` on both sides. `known` has no bit for backend and
 * incarnation, which are always given. */
typedef struct srp_side {
  uint64_t backend;         /**< id of the engine service */
  uint64_t incarnation;     /**< +1 per restart of the backend */
  uint64_t model;           /**< id or hash of the model (SRP_FP_MODEL) */
  uint64_t tokenizer;       /**< leading 64 bits of the vocabulary hash (SRP_FP_TOKENIZER) */
  uint64_t params_v1;       /**< leading 64 bits of params_hash version 1 (SRP_FP_PARAMS) */
  uint64_t params_v2;       /**< the same, version 2 (SRP_FP_PARAMS) */
  uint32_t kv_block_tokens; /**< tokens per KV block (SRP_FP_KV) */
  uint32_t mask;       /**< attention-mask convention, an enumeration of the host (SRP_FP_MASK) */
  uint32_t known;      /**< SRP_FP_* bits */
  uint32_t provenance; /**< SRP_CLAIMED, SRP_VERIFIED_AT_BIND or SRP_LIVE, for all known bits */
  uint64_t reserved[2];
} srp_side;

/** What a class of requests asks for. */
typedef struct srp_profile {
  uint64_t id;          /**< id of the sampling profile */
  uint64_t required_v1; /**< params_hash v1 the profile requires; 0: not stated */
  uint64_t required_v2; /**< the same, version 2 */
  uint64_t reserved;
} srp_profile;

/** Head of every record. */
typedef struct srp_record {
  uint32_t size;    /**< bytes of the whole record */
  uint16_t type;    /**< SRP_EV_* or a decision */
  uint16_t flags;   /**< 0 */
  srp_ns now;       /**< when the host sent it (event), or the event's `now` (decision) */
  uint64_t seq;     /**< the host's count of events; a decision carries its event's */
  uint64_t pairing; /**< id of the pairing, never reused; 0 where none is meant */
} srp_record;

/** A spare backend, or news about one. The latest record about (role, backend, profile)
 * holds. */
typedef struct srp_ev_candidate {
  srp_record h;
  srp_side side;
  uint32_t role;      /**< SRP_REPLACE_DRAFT or SRP_REPLACE_TARGET: the side it could take */
  uint32_t available; /**< 0: no longer a candidate */
  int64_t load_ppm;   /**< load in parts per million of capacity */
  uint64_t profile;   /**< the profile that `side` speaks of */
} srp_ev_candidate;

/** One per (pairing, profile) when the pairing starts to serve. After SRP_EV_FAILOVER for the same
 * pairing it is a fail-over; else it is a start-up or a re-bind, and the cool-down of the last
 * fail-over of its target (or of the pairing a re-bind replaces) keeps running. */
typedef struct srp_ev_bind {
  srp_record h;
  srp_profile profile;
  srp_side draft, target;
  uint32_t forward;      /**< SRP_FORWARD_* */
  uint32_t rule;         /**< verification rule, an enumeration of the host */
  uint32_t draft_tokens; /**< tokens proposed per step */
  uint32_t reserved;
} srp_ev_bind;

/** A pairing ends, for all its profiles. */
typedef struct srp_ev_unbind {
  srp_record h;
  uint64_t reserved;
} srp_ev_unbind;

/** Counts of one telemetry period of one (pairing, profile), and the fingerprints seen with it.
 * accepted <= drafted < 2^40, from <= to <= now; else SRP_E_ARG. Only the gate latency_tiebreak
 * reads the latency. */
typedef struct srp_ev_window {
  srp_record h;
  srp_profile profile;
  srp_side draft, target;
  srp_ns from, to;                         /**< the period */
  uint64_t steps;                          /**< verification passes */
  uint64_t drafted;                        /**< draft tokens proposed */
  uint64_t accepted;                       /**< of these, accepted (no bonus token) */
  uint64_t accepted_at[SRP_MAX_POSITIONS]; /**< accepted, by position in the draft */
  uint64_t completions;                    /**< requests completed */
  uint64_t latency_p50_ns;                 /**< median completion latency; 0: none */
  uint32_t positions;                      /**< entries of accepted_at in use, 0..16 */
  uint32_t window_flags;                   /**< SRP_WIN_* bits */
} srp_ev_window;

/** h.pairing is the new pairing, whose binds follow. */
typedef struct srp_ev_failover {
  srp_record h;
  uint64_t from_backend; /**< the target that was lost */
  uint64_t to_backend;   /**< the target that takes over */
  uint64_t to_incarnation;
  uint64_t from_pairing; /**< the pairing that is replaced */
  uint32_t cause;        /**< an enumeration of the host */
  uint32_t reserved;
} srp_ev_failover;

/** The parameters in force on a backend changed for one profile. */
typedef struct srp_ev_sampling {
  srp_record h;
  srp_profile profile;
  srp_side side;    /**< the backend, with the parameters now in force for the profile */
  uint32_t origin;  /**< an enumeration of the host */
  uint32_t changed; /**< SRP_FP_* bits */
} srp_ev_sampling;

/** Request counts of one backend. errors + timeouts <= requests < 2^40; else SRP_E_ARG. After a
 * quarantine the host leaves out the tries that it sent before the pairing's release: those of the
 * trial decide. */
typedef struct srp_ev_health {
  srp_record h;
  uint64_t backend, requests, errors, timeouts, reserved; /**< counts since the last such event */
} srp_ev_health;

/** Verdicts of a detector that samples completions of one pairing and profile. A completion may be
 * both looping and invalid; neither exceeds sampled < 2^40; else SRP_E_ARG. */
typedef struct srp_ev_quality {
  srp_record h;
  uint64_t profile, sampled, looping, schema_invalid; /**< completions since the last such event */
} srp_ev_quality;

/** What became of a decision that the policy proposed. */
typedef struct srp_ev_outcome {
  srp_record h;
  uint64_t decision; /**< srp_decision.id */
  uint32_t result;   /**< SRP_DONE, SRP_DECLINED_*, SRP_SUPERSEDED */
  uint32_t reserved;
} srp_ev_outcome;

/** Time has come to a date that a decision asked for. */
typedef struct srp_ev_tick {
  srp_record h;
} srp_ev_tick;

/** Which backend may take the replaced side: equal to the kept side in the bits of `match` (its
 * params hash: equal to `required`), and not in `exclude`. */
typedef struct srp_constraint {
  uint64_t required;     /**< params hash asked of the newcomer (SRP_FP_PARAMS in match) */
  uint64_t keep_backend; /**< the side that stays */
  uint64_t exclude[SRP_MAX_EXCLUDE]; /**< backends rejected here within one cool-down */
  uint32_t replace;        /**< SRP_REPLACE_DRAFT or SRP_REPLACE_TARGET; 0: no constraint */
  uint32_t match;          /**< SRP_FP_* bits */
  uint32_t n_exclude;      /**< entries of exclude in use */
  uint32_t params_version; /**< version of the hash in `required`: 1 or 2; 0: none */
} srp_constraint;

/** A proposal for (h.pairing, profile). */
typedef struct srp_decision {
  srp_record h; /**< type: SRP_HOLD .. SRP_QUARANTINE */
  uint64_t id;  /**< 1, 2, ... per instance; SRP_EV_OUTCOME refers to it */
  uint64_t profile;
  uint32_t gate;           /**< which gate spoke */
  uint32_t reason;         /**< srp_module.reason_code() names it */
  int64_t arg[4];          /**< the numbers behind `reason`; explain() reads them */
  srp_ns valid_until;      /**< LOCK, NO_DRAFT, QUARANTINE: when it ends by itself; else 0 */
  srp_ns wake_at;          /**< send SRP_EV_TICK at this date; 0: no need */
  int64_t reward_ppm;      /**< LOCK: the acceptance rate rewarded, parts per million; else 0 */
  uint64_t prefer_pairing; /**< LOCK: the pairing to prefer; else 0 */
  srp_constraint to;       /**< REBIND: who may take the replaced side; else zeros */
  uint32_t dry_run;        /**< 1: shadow mode, do not carry it out */
  uint32_t reserved;
} srp_decision;

/** Sampling parameters of one side for one profile. */
typedef struct srp_sampling {
  double temperature, top_p, min_p;
  double repetition_penalty, presence_penalty, frequency_penalty;
  int64_t seed;
  int32_t top_k;
  uint32_t rule;      /**< version 2: 1 + the verification rule as in srp_ev_bind; 0: not said */
  srp_str grammar_id; /**< empty: no guided decoding */
} srp_sampling;

/** One question to the seed's rule, in doubles as the seed has them. Hashes: params_v1. */
typedef struct srp_case {
  srp_side draft, target;
  double pre_acceptance, post_acceptance; /**< rates; any double is accepted, as in the seed */
  uint32_t forwarded_logits;              /**< 0 or 1 */
  uint32_t reserved;
} srp_case;

/** The table. Functions that fill text take (buf, cap, need): `need` (may be NULL) receives the
 * bytes wanted, NUL included; what fits is written and NUL-terminated. */
typedef struct srp_module {
  uint32_t struct_size, abi;
  srp_str name, version;
  srp_str config_schema; /**< JSON Schema, draft-07, of the configuration */
  /** Checks a configuration without making an instance. [any] */
  int32_t (*validate)(srp_str config_json, srp_error* err);
  /** Makes an instance: one allocation through the host. err may be NULL. [any] */
  int32_t (*create)(const srp_host* host, srp_str config_json, srp_policy** out, srp_error* err);
  /** Gives the instance back; NULL is allowed. [serial] */
  void (*destroy)(srp_policy* p);
  /** Feeds one event. Decisions are written one after the other to `out`: cap bytes,
   * at least two decisions, else SRP_E_SPACE and nothing happened. *used receives the bytes
   * written. A tick that has more to say than fits returns SRP_E_SPACE too: what was written
   * holds, and the tick is to be sent again. [serial] */
  int32_t (*on_event)(srp_policy* p, const srp_record* ev, void* out, size_t cap, size_t* used);
  /** Writes the state; SRP_E_SPACE with *need where cap is too small. [serial] */
  int32_t (*snapshot)(const srp_policy* p, void* buf, size_t cap, size_t* need);
  /** Replaces the state by a snapshot of an instance with the same configuration. [serial] */
  int32_t (*restore)(srp_policy* p, const void* buf, size_t len, srp_error* err);
  /** Equal digests, equal futures. [serial] */
  uint64_t (*state_digest)(const srp_policy* p);
  /** Name of a reason; empty where unknown. [any] */
  srp_str (*reason_code)(uint32_t reason);
  /** One English sentence with the numbers; SRP_E_SPACE where it was cut. [any] */
  int32_t (*explain)(const srp_decision* d, char* buf, size_t cap, size_t* need);
  /** params_hash as 16 hex digits and NUL; version 1 or 2. [any] */
  int32_t (*params_hash)(uint32_t version, const srp_sampling* s, char out[17]);
  /** The seed's rule: SRP_LOCK or SRP_REBIND, with the seed's words in `why`. [any] */
  int32_t (*judge)(const srp_case* c, char* why, size_t cap, size_t* need);
} srp_module;

#if defined(_WIN32)
__declspec(dllexport)
#else
__attribute__((visibility("default")))
#endif
/** The one export. NULL: this module cannot serve a host of that version. Static lifetime. */
const srp_module*
srp_module_get(uint32_t host_abi);

#ifdef __cplusplus
}
#endif
#endif
