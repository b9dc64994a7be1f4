/** @file
 * Version 1 of the policy ABI, frozen: size, offset, type and value of all that
 * specroute/policy_abi.h declares. abi_frozen.c compiles it as C99, abi_frozen.cpp as C++17, and a
 * test sees that nothing is left out. Records and the module table may grow at their end (then a
 * FROZEN_SIZE and the minor version grow with them), and enumerations may gain values; a line that
 * has to change in any other way is version 2. */
#ifndef SPECROUTE_ABI_FROZEN_H
#define SPECROUTE_ABI_FROZEN_H
#include <specroute/policy_abi.h>

#ifdef __cplusplus
#include <type_traits>
#define FROZEN(condition) static_assert(condition, "version 1 is frozen")
#define FROZEN_TYPE(record, field, ...) std::is_same<decltype(record::field), __VA_ARGS__>::value
#else
/* C99 has no static assertion: an array of negative size is refused. It compares sizes of types. */
#define FROZEN(condition) extern char frozen[(condition) ? 1 : -1]
#define FROZEN_TYPE(record, field, ...) sizeof(((record*)0)->field) == sizeof(__VA_ARGS__)
#endif
#define FROZEN_VALUE(name, value) FROZEN((name) == (value))
#define FROZEN_SIZE(record, bytes) FROZEN(sizeof(record) == (bytes))
#define FROZEN_FIELD(record, field, offset, ...) \
  FROZEN(offsetof(record, field) == (offset) && FROZEN_TYPE(record, field, __VA_ARGS__))

FROZEN_VALUE(SRP_ABI_V1, 0x10000);
FROZEN_VALUE(SRP_FOREVER, 0xffffffffffffffff);
FROZEN_VALUE(SRP_OK, 0);
FROZEN_VALUE(SRP_IGNORED, 1);
FROZEN_VALUE(SRP_E_ABI, -1);
FROZEN_VALUE(SRP_E_CONFIG, -2);
FROZEN_VALUE(SRP_E_ARG, -3);
FROZEN_VALUE(SRP_E_TIME, -4);
FROZEN_VALUE(SRP_E_STATE, -5);
FROZEN_VALUE(SRP_E_SPACE, -6);
FROZEN_VALUE(SRP_E_FULL, -7);

FROZEN_VALUE(SRP_EV_CANDIDATE, 1);
FROZEN_VALUE(SRP_EV_BIND, 2);
FROZEN_VALUE(SRP_EV_UNBIND, 3);
FROZEN_VALUE(SRP_EV_WINDOW, 4);
FROZEN_VALUE(SRP_EV_FAILOVER, 5);
FROZEN_VALUE(SRP_EV_SAMPLING, 6);
FROZEN_VALUE(SRP_EV_HEALTH, 7);
FROZEN_VALUE(SRP_EV_QUALITY, 8);
FROZEN_VALUE(SRP_EV_OUTCOME, 9);
FROZEN_VALUE(SRP_EV_TICK, 10);

FROZEN_VALUE(SRP_HOLD, 0x100);
FROZEN_VALUE(SRP_LOCK, 0x101);
FROZEN_VALUE(SRP_REBIND, 0x102);
FROZEN_VALUE(SRP_NO_DRAFT, 0x103);
FROZEN_VALUE(SRP_QUARANTINE, 0x104);

FROZEN_VALUE(SRP_FORWARD_TOKENS, 0);
FROZEN_VALUE(SRP_FORWARD_LOGITS, 1);
FROZEN_VALUE(SRP_FORWARD_PROBS, 2);

FROZEN_VALUE(SRP_CLAIMED, 0);
FROZEN_VALUE(SRP_VERIFIED_AT_BIND, 1);
FROZEN_VALUE(SRP_LIVE, 2);

FROZEN_VALUE(SRP_FP_TOKENIZER, 1);
FROZEN_VALUE(SRP_FP_PARAMS, 2);
FROZEN_VALUE(SRP_FP_KV, 4);
FROZEN_VALUE(SRP_FP_MASK, 8);
FROZEN_VALUE(SRP_FP_MODEL, 16);

FROZEN_VALUE(SRP_KEEP_NONE, 0);
FROZEN_VALUE(SRP_REPLACE_DRAFT, 1);
FROZEN_VALUE(SRP_REPLACE_TARGET, 2);

FROZEN_VALUE(SRP_WIN_PARTIAL, 1);
FROZEN_VALUE(SRP_WIN_STALE, 2);
FROZEN_VALUE(SRP_WIN_COUNTER_RESET, 4);
FROZEN_VALUE(SRP_WIN_FROM_RATIO, 8);

FROZEN_VALUE(SRP_DONE, 0);
FROZEN_VALUE(SRP_DECLINED_NO_CANDIDATE, 1);
FROZEN_VALUE(SRP_DECLINED_NO_CAPACITY, 2);
FROZEN_VALUE(SRP_SUPERSEDED, 3);

FROZEN_VALUE(SRP_GATE_NONE, 1);
FROZEN_VALUE(SRP_GATE_DELTA_ONLY, 2);
FROZEN_VALUE(SRP_GATE_HASH_ONLY, 3);
FROZEN_VALUE(SRP_GATE_COOLDOWN_ONLY, 4);
FROZEN_VALUE(SRP_GATE_PARAMS_HASH, 5);
FROZEN_VALUE(SRP_GATE_VALIDITY, 6);
FROZEN_VALUE(SRP_GATE_VALIDITY_SAFE, 7);
FROZEN_VALUE(SRP_GATE_LATENCY_TIEBREAK, 8);
FROZEN_VALUE(SRP_GATE_GLOBAL_MEAN, 9);
FROZEN_VALUE(SRP_GATE_EWMA, 10);
FROZEN_VALUE(SRP_GATE_LOW_THRESHOLD, 11);
FROZEN_VALUE(SRP_GATE_CUSUM, 12);
FROZEN_VALUE(SRP_GATE_SPRT, 13);
FROZEN_VALUE(SRP_GATE_MANN_WHITNEY, 14);
FROZEN_VALUE(SRP_GATE_BANDIT, 15);
FROZEN_VALUE(SRP_GATE_OUTLIER, 16);
FROZEN_VALUE(SRP_GATE_ERROR_BREAKER, 17);
FROZEN_VALUE(SRP_GATE_QUALITY_PROBE, 18);

FROZEN_VALUE(SRP_MAX_POSITIONS, 16);
FROZEN_VALUE(SRP_MAX_EXCLUDE, 8);

/* Plain bytes: the same on every machine of one byte order. */
FROZEN_SIZE(srp_side, 80);
FROZEN_FIELD(srp_side, backend, 0, uint64_t);
FROZEN_FIELD(srp_side, incarnation, 8, uint64_t);
FROZEN_FIELD(srp_side, model, 16, uint64_t);
FROZEN_FIELD(srp_side, tokenizer, 24, uint64_t);
FROZEN_FIELD(srp_side, params_v1, 32, uint64_t);
FROZEN_FIELD(srp_side, params_v2, 40, uint64_t);
FROZEN_FIELD(srp_side, kv_block_tokens, 48, uint32_t);
FROZEN_FIELD(srp_side, mask, 52, uint32_t);
FROZEN_FIELD(srp_side, known, 56, uint32_t);
FROZEN_FIELD(srp_side, provenance, 60, uint32_t);
FROZEN_FIELD(srp_side, reserved, 64, uint64_t[2]);

FROZEN_SIZE(srp_profile, 32);
FROZEN_FIELD(srp_profile, id, 0, uint64_t);
FROZEN_FIELD(srp_profile, required_v1, 8, uint64_t);
FROZEN_FIELD(srp_profile, required_v2, 16, uint64_t);
FROZEN_FIELD(srp_profile, reserved, 24, uint64_t);

FROZEN_SIZE(srp_record, 32);
FROZEN_FIELD(srp_record, size, 0, uint32_t);
FROZEN_FIELD(srp_record, type, 4, uint16_t);
FROZEN_FIELD(srp_record, flags, 6, uint16_t);
FROZEN_FIELD(srp_record, now, 8, srp_ns);
FROZEN_FIELD(srp_record, seq, 16, uint64_t);
FROZEN_FIELD(srp_record, pairing, 24, uint64_t);

FROZEN_SIZE(srp_ev_candidate, 136);
FROZEN_FIELD(srp_ev_candidate, h, 0, srp_record);
FROZEN_FIELD(srp_ev_candidate, side, 32, srp_side);
FROZEN_FIELD(srp_ev_candidate, role, 112, uint32_t);
FROZEN_FIELD(srp_ev_candidate, available, 116, uint32_t);
FROZEN_FIELD(srp_ev_candidate, load_ppm, 120, int64_t);
FROZEN_FIELD(srp_ev_candidate, profile, 128, uint64_t);

FROZEN_SIZE(srp_ev_bind, 240);
FROZEN_FIELD(srp_ev_bind, h, 0, srp_record);
FROZEN_FIELD(srp_ev_bind, profile, 32, srp_profile);
FROZEN_FIELD(srp_ev_bind, draft, 64, srp_side);
FROZEN_FIELD(srp_ev_bind, target, 144, srp_side);
FROZEN_FIELD(srp_ev_bind, forward, 224, uint32_t);
FROZEN_FIELD(srp_ev_bind, rule, 228, uint32_t);
FROZEN_FIELD(srp_ev_bind, draft_tokens, 232, uint32_t);
FROZEN_FIELD(srp_ev_bind, reserved, 236, uint32_t);

FROZEN_SIZE(srp_ev_unbind, 40);
FROZEN_FIELD(srp_ev_unbind, h, 0, srp_record);
FROZEN_FIELD(srp_ev_unbind, reserved, 32, uint64_t);

FROZEN_SIZE(srp_ev_window, 416);
FROZEN_FIELD(srp_ev_window, h, 0, srp_record);
FROZEN_FIELD(srp_ev_window, profile, 32, srp_profile);
FROZEN_FIELD(srp_ev_window, draft, 64, srp_side);
FROZEN_FIELD(srp_ev_window, target, 144, srp_side);
FROZEN_FIELD(srp_ev_window, from, 224, srp_ns);
FROZEN_FIELD(srp_ev_window, to, 232, srp_ns);
FROZEN_FIELD(srp_ev_window, steps, 240, uint64_t);
FROZEN_FIELD(srp_ev_window, drafted, 248, uint64_t);
FROZEN_FIELD(srp_ev_window, accepted, 256, uint64_t);
FROZEN_FIELD(srp_ev_window, accepted_at, 264, uint64_t[16]);
FROZEN_FIELD(srp_ev_window, completions, 392, uint64_t);
FROZEN_FIELD(srp_ev_window, latency_p50_ns, 400, uint64_t);
FROZEN_FIELD(srp_ev_window, positions, 408, uint32_t);
FROZEN_FIELD(srp_ev_window, window_flags, 412, uint32_t);

FROZEN_SIZE(srp_ev_failover, 72);
FROZEN_FIELD(srp_ev_failover, h, 0, srp_record);
FROZEN_FIELD(srp_ev_failover, from_backend, 32, uint64_t);
FROZEN_FIELD(srp_ev_failover, to_backend, 40, uint64_t);
FROZEN_FIELD(srp_ev_failover, to_incarnation, 48, uint64_t);
FROZEN_FIELD(srp_ev_failover, from_pairing, 56, uint64_t);
FROZEN_FIELD(srp_ev_failover, cause, 64, uint32_t);
FROZEN_FIELD(srp_ev_failover, reserved, 68, uint32_t);

FROZEN_SIZE(srp_ev_sampling, 152);
FROZEN_FIELD(srp_ev_sampling, h, 0, srp_record);
FROZEN_FIELD(srp_ev_sampling, profile, 32, srp_profile);
FROZEN_FIELD(srp_ev_sampling, side, 64, srp_side);
FROZEN_FIELD(srp_ev_sampling, origin, 144, uint32_t);
FROZEN_FIELD(srp_ev_sampling, changed, 148, uint32_t);

FROZEN_SIZE(srp_ev_health, 72);
FROZEN_FIELD(srp_ev_health, h, 0, srp_record);
FROZEN_FIELD(srp_ev_health, backend, 32, uint64_t);
FROZEN_FIELD(srp_ev_health, requests, 40, uint64_t);
FROZEN_FIELD(srp_ev_health, errors, 48, uint64_t);
FROZEN_FIELD(srp_ev_health, timeouts, 56, uint64_t);
FROZEN_FIELD(srp_ev_health, reserved, 64, uint64_t);

FROZEN_SIZE(srp_ev_quality, 64);
FROZEN_FIELD(srp_ev_quality, h, 0, srp_record);
FROZEN_FIELD(srp_ev_quality, profile, 32, uint64_t);
FROZEN_FIELD(srp_ev_quality, sampled, 40, uint64_t);
FROZEN_FIELD(srp_ev_quality, looping, 48, uint64_t);
FROZEN_FIELD(srp_ev_quality, schema_invalid, 56, uint64_t);

FROZEN_SIZE(srp_ev_outcome, 48);
FROZEN_FIELD(srp_ev_outcome, h, 0, srp_record);
FROZEN_FIELD(srp_ev_outcome, decision, 32, uint64_t);
FROZEN_FIELD(srp_ev_outcome, result, 40, uint32_t);
FROZEN_FIELD(srp_ev_outcome, reserved, 44, uint32_t);

FROZEN_SIZE(srp_ev_tick, 32);
FROZEN_FIELD(srp_ev_tick, h, 0, srp_record);

FROZEN_SIZE(srp_constraint, 96);
FROZEN_FIELD(srp_constraint, required, 0, uint64_t);
FROZEN_FIELD(srp_constraint, keep_backend, 8, uint64_t);
FROZEN_FIELD(srp_constraint, exclude, 16, uint64_t[8]);
FROZEN_FIELD(srp_constraint, replace, 80, uint32_t);
FROZEN_FIELD(srp_constraint, match, 84, uint32_t);
FROZEN_FIELD(srp_constraint, n_exclude, 88, uint32_t);
FROZEN_FIELD(srp_constraint, params_version, 92, uint32_t);

FROZEN_SIZE(srp_decision, 224);
FROZEN_FIELD(srp_decision, h, 0, srp_record);
FROZEN_FIELD(srp_decision, id, 32, uint64_t);
FROZEN_FIELD(srp_decision, profile, 40, uint64_t);
FROZEN_FIELD(srp_decision, gate, 48, uint32_t);
FROZEN_FIELD(srp_decision, reason, 52, uint32_t);
FROZEN_FIELD(srp_decision, arg, 56, int64_t[4]);
FROZEN_FIELD(srp_decision, valid_until, 88, srp_ns);
FROZEN_FIELD(srp_decision, wake_at, 96, srp_ns);
FROZEN_FIELD(srp_decision, reward_ppm, 104, int64_t);
FROZEN_FIELD(srp_decision, prefer_pairing, 112, uint64_t);
FROZEN_FIELD(srp_decision, to, 120, srp_constraint);
FROZEN_FIELD(srp_decision, dry_run, 216, uint32_t);
FROZEN_FIELD(srp_decision, reserved, 220, uint32_t);

FROZEN_SIZE(srp_case, 184);
FROZEN_FIELD(srp_case, draft, 0, srp_side);
FROZEN_FIELD(srp_case, target, 80, srp_side);
FROZEN_FIELD(srp_case, pre_acceptance, 160, double);
FROZEN_FIELD(srp_case, post_acceptance, 168, double);
FROZEN_FIELD(srp_case, forwarded_logits, 176, uint32_t);
FROZEN_FIELD(srp_case, reserved, 180, uint32_t);

/* With pointers: as on 64 bits. */
#if UINTPTR_MAX == UINT64_MAX
FROZEN_SIZE(srp_str, 16);
FROZEN_FIELD(srp_str, ptr, 0, const char*);
FROZEN_FIELD(srp_str, len, 8, size_t);

FROZEN_SIZE(srp_error, 24);
FROZEN_FIELD(srp_error, struct_size, 0, uint32_t);
FROZEN_FIELD(srp_error, cap, 4, uint32_t);
FROZEN_FIELD(srp_error, buf, 8, char*);
FROZEN_FIELD(srp_error, len, 16, uint32_t);
FROZEN_FIELD(srp_error, config_offset, 20, uint32_t);

FROZEN_SIZE(srp_host, 40);
FROZEN_FIELD(srp_host, struct_size, 0, uint32_t);
FROZEN_FIELD(srp_host, abi, 4, uint32_t);
FROZEN_FIELD(srp_host, ctx, 8, void*);
FROZEN_FIELD(srp_host, alloc, 16, void* (*)(void*, size_t, size_t));
FROZEN_FIELD(srp_host, free, 24, void (*)(void*, void*, size_t, size_t));
FROZEN_FIELD(srp_host, log, 32, void (*)(void*, int32_t, srp_str));

FROZEN_SIZE(srp_sampling, 80);
FROZEN_FIELD(srp_sampling, temperature, 0, double);
FROZEN_FIELD(srp_sampling, top_p, 8, double);
FROZEN_FIELD(srp_sampling, min_p, 16, double);
FROZEN_FIELD(srp_sampling, repetition_penalty, 24, double);
FROZEN_FIELD(srp_sampling, presence_penalty, 32, double);
FROZEN_FIELD(srp_sampling, frequency_penalty, 40, double);
FROZEN_FIELD(srp_sampling, seed, 48, int64_t);
FROZEN_FIELD(srp_sampling, top_k, 56, int32_t);
FROZEN_FIELD(srp_sampling, rule, 60, uint32_t);
FROZEN_FIELD(srp_sampling, grammar_id, 64, srp_str);

FROZEN_SIZE(srp_module, 144);
FROZEN_FIELD(srp_module, struct_size, 0, uint32_t);
FROZEN_FIELD(srp_module, abi, 4, uint32_t);
FROZEN_FIELD(srp_module, name, 8, srp_str);
FROZEN_FIELD(srp_module, version, 24, srp_str);
FROZEN_FIELD(srp_module, config_schema, 40, srp_str);
FROZEN_FIELD(srp_module, validate, 56, int32_t (*)(srp_str, srp_error*));
FROZEN_FIELD(srp_module, create, 64,
             int32_t (*)(const srp_host*, srp_str, srp_policy**, srp_error*));
FROZEN_FIELD(srp_module, destroy, 72, void (*)(srp_policy*));
FROZEN_FIELD(srp_module, on_event, 80,
             int32_t (*)(srp_policy*, const srp_record*, void*, size_t, size_t*));
FROZEN_FIELD(srp_module, snapshot, 88, int32_t (*)(const srp_policy*, void*, size_t, size_t*));
FROZEN_FIELD(srp_module, restore, 96, int32_t (*)(srp_policy*, const void*, size_t, srp_error*));
FROZEN_FIELD(srp_module, state_digest, 104, uint64_t (*)(const srp_policy*));
FROZEN_FIELD(srp_module, reason_code, 112, srp_str (*)(uint32_t));
FROZEN_FIELD(srp_module, explain, 120, int32_t (*)(const srp_decision*, char*, size_t, size_t*));
FROZEN_FIELD(srp_module, params_hash, 128, int32_t (*)(uint32_t, const srp_sampling*, char*));
FROZEN_FIELD(srp_module, judge, 136, int32_t (*)(const srp_case*, char*, size_t, size_t*));
#endif

#endif
