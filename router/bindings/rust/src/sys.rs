//! `specroute/policy_abi.h`, version 1, as Rust sees it: the names, sizes, offsets and values of the
//! C header, which says what each means. `tests/layout.rs` holds them against the frozen list.
#![allow(non_camel_case_types, missing_docs)]

use std::os::raw::{c_char, c_void};

/// Nanoseconds since the host's epoch.
pub type srp_ns = u64;

pub const SRP_ABI_V1: u32 = 1 << 16;
pub const SRP_FOREVER: srp_ns = u64::MAX;
pub const SRP_MAX_POSITIONS: usize = 16;
pub const SRP_MAX_EXCLUDE: usize = 8;

pub const SRP_OK: i32 = 0;
pub const SRP_IGNORED: i32 = 1;
pub const SRP_E_ABI: i32 = -1;
pub const SRP_E_CONFIG: i32 = -2;
pub const SRP_E_ARG: i32 = -3;
pub const SRP_E_TIME: i32 = -4;
pub const SRP_E_STATE: i32 = -5;
pub const SRP_E_SPACE: i32 = -6;
pub const SRP_E_FULL: i32 = -7;

pub const SRP_EV_CANDIDATE: u16 = 1;
pub const SRP_EV_BIND: u16 = 2;
pub const SRP_EV_UNBIND: u16 = 3;
pub const SRP_EV_WINDOW: u16 = 4;
pub const SRP_EV_FAILOVER: u16 = 5;
pub const SRP_EV_SAMPLING: u16 = 6;
pub const SRP_EV_HEALTH: u16 = 7;
pub const SRP_EV_QUALITY: u16 = 8;
pub const SRP_EV_OUTCOME: u16 = 9;
pub const SRP_EV_TICK: u16 = 10;

pub const SRP_HOLD: u16 = 0x100;
pub const SRP_LOCK: u16 = 0x101;
pub const SRP_REBIND: u16 = 0x102;
pub const SRP_NO_DRAFT: u16 = 0x103;
pub const SRP_QUARANTINE: u16 = 0x104;

pub const SRP_FORWARD_TOKENS: u32 = 0;
pub const SRP_FORWARD_LOGITS: u32 = 1;
pub const SRP_FORWARD_PROBS: u32 = 2;

pub const SRP_CLAIMED: u32 = 0;
pub const SRP_VERIFIED_AT_BIND: u32 = 1;
pub const SRP_LIVE: u32 = 2;

pub const SRP_FP_TOKENIZER: u32 = 1;
pub const SRP_FP_PARAMS: u32 = 2;
pub const SRP_FP_KV: u32 = 4;
pub const SRP_FP_MASK: u32 = 8;
pub const SRP_FP_MODEL: u32 = 16;

pub const SRP_KEEP_NONE: u32 = 0;
pub const SRP_REPLACE_DRAFT: u32 = 1;
pub const SRP_REPLACE_TARGET: u32 = 2;

pub const SRP_WIN_PARTIAL: u32 = 1;
pub const SRP_WIN_STALE: u32 = 2;
pub const SRP_WIN_COUNTER_RESET: u32 = 4;
pub const SRP_WIN_FROM_RATIO: u32 = 8;

pub const SRP_DONE: u32 = 0;
pub const SRP_DECLINED_NO_CANDIDATE: u32 = 1;
pub const SRP_DECLINED_NO_CAPACITY: u32 = 2;
pub const SRP_SUPERSEDED: u32 = 3;

pub const SRP_GATE_NONE: u32 = 1;
pub const SRP_GATE_DELTA_ONLY: u32 = 2;
pub const SRP_GATE_HASH_ONLY: u32 = 3;
pub const SRP_GATE_COOLDOWN_ONLY: u32 = 4;
pub const SRP_GATE_PARAMS_HASH: u32 = 5;
pub const SRP_GATE_VALIDITY: u32 = 6;
pub const SRP_GATE_VALIDITY_SAFE: u32 = 7;
pub const SRP_GATE_LATENCY_TIEBREAK: u32 = 8;
pub const SRP_GATE_GLOBAL_MEAN: u32 = 9;
pub const SRP_GATE_EWMA: u32 = 10;
pub const SRP_GATE_LOW_THRESHOLD: u32 = 11;
pub const SRP_GATE_CUSUM: u32 = 12;
pub const SRP_GATE_SPRT: u32 = 13;
pub const SRP_GATE_MANN_WHITNEY: u32 = 14;
pub const SRP_GATE_BANDIT: u32 = 15;
pub const SRP_GATE_OUTLIER: u32 = 16;
pub const SRP_GATE_ERROR_BREAKER: u32 = 17;
pub const SRP_GATE_QUALITY_PROBE: u32 = 18;

/// Records and what they nest: every bit pattern is a value, and zeros are a valid one.
macro_rules! plain_records {
    ($($(#[$doc:meta])* $name:ident { $($field:ident: $type:ty),* $(,)? })*) => {$(
        $(#[$doc])*
        #[repr(C)]
        #[derive(Clone, Copy, Debug, PartialEq, Default)]
        pub struct $name { $(pub $field: $type),* }
    )*};
}

plain_records! {
    srp_side {
        backend: u64,
        incarnation: u64,
        model: u64,
        tokenizer: u64,
        params_v1: u64,
        params_v2: u64,
        kv_block_tokens: u32,
        mask: u32,
        known: u32,
        provenance: u32,
        reserved: [u64; 2],
    }
    srp_profile { id: u64, required_v1: u64, required_v2: u64, reserved: u64 }
    srp_record { size: u32, type_: u16, flags: u16, now: srp_ns, seq: u64, pairing: u64 }
    srp_ev_candidate {
        h: srp_record,
        side: srp_side,
        role: u32,
        available: u32,
        load_ppm: i64,
        profile: u64,
    }
    srp_ev_bind {
        h: srp_record,
        profile: srp_profile,
        draft: srp_side,
        target: srp_side,
        forward: u32,
        rule: u32,
        draft_tokens: u32,
        reserved: u32,
    }
    srp_ev_unbind { h: srp_record, reserved: u64 }
    srp_ev_window {
        h: srp_record,
        profile: srp_profile,
        draft: srp_side,
        target: srp_side,
        from: srp_ns,
        to: srp_ns,
        steps: u64,
        drafted: u64,
        accepted: u64,
        accepted_at: [u64; SRP_MAX_POSITIONS],
        completions: u64,
        latency_p50_ns: u64,
        positions: u32,
        window_flags: u32,
    }
    srp_ev_failover {
        h: srp_record,
        from_backend: u64,
        to_backend: u64,
        to_incarnation: u64,
        from_pairing: u64,
        cause: u32,
        reserved: u32,
    }
    srp_ev_sampling {
        h: srp_record,
        profile: srp_profile,
        side: srp_side,
        origin: u32,
        changed: u32,
    }
    srp_ev_health {
        h: srp_record,
        backend: u64,
        requests: u64,
        errors: u64,
        timeouts: u64,
        reserved: u64,
    }
    srp_ev_quality {
        h: srp_record,
        profile: u64,
        sampled: u64,
        looping: u64,
        schema_invalid: u64,
    }
    srp_ev_outcome { h: srp_record, decision: u64, result: u32, reserved: u32 }
    srp_ev_tick { h: srp_record }
    srp_constraint {
        required: u64,
        keep_backend: u64,
        exclude: [u64; SRP_MAX_EXCLUDE],
        replace: u32,
        match_: u32,
        n_exclude: u32,
        params_version: u32,
    }
    srp_decision {
        h: srp_record,
        id: u64,
        profile: u64,
        gate: u32,
        reason: u32,
        arg: [i64; 4],
        valid_until: srp_ns,
        wake_at: srp_ns,
        reward_ppm: i64,
        prefer_pairing: u64,
        to: srp_constraint,
        dry_run: u32,
        reserved: u32,
    }
    srp_case {
        draft: srp_side,
        target: srp_side,
        pre_acceptance: f64,
        post_acceptance: f64,
        forwarded_logits: u32,
        reserved: u32,
    }
}

/// One instance: opaque.
#[repr(C)]
pub struct srp_policy {
    _opaque: [u8; 0],
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct srp_str {
    pub ptr: *const c_char,
    pub len: usize,
}

#[repr(C)]
pub struct srp_error {
    pub struct_size: u32,
    pub cap: u32,
    pub buf: *mut c_char,
    pub len: u32,
    pub config_offset: u32,
}

#[repr(C)]
pub struct srp_host {
    pub struct_size: u32,
    pub abi: u32,
    pub ctx: *mut c_void,
    pub alloc: Option<unsafe extern "C" fn(*mut c_void, usize, usize) -> *mut c_void>,
    pub free: Option<unsafe extern "C" fn(*mut c_void, *mut c_void, usize, usize)>,
    pub log: Option<unsafe extern "C" fn(*mut c_void, i32, srp_str)>,
}

#[repr(C)]
pub struct srp_sampling {
    pub temperature: f64,
    pub top_p: f64,
    pub min_p: f64,
    pub repetition_penalty: f64,
    pub presence_penalty: f64,
    pub frequency_penalty: f64,
    pub seed: i64,
    pub top_k: i32,
    pub rule: u32,
    pub grammar_id: srp_str,
}

type TextOf<Subject> = unsafe extern "C" fn(*const Subject, *mut c_char, usize, *mut usize) -> i32;

#[repr(C)]
pub struct srp_module {
    pub struct_size: u32,
    pub abi: u32,
    pub name: srp_str,
    pub version: srp_str,
    pub config_schema: srp_str,
    pub validate: unsafe extern "C" fn(srp_str, *mut srp_error) -> i32,
    pub create:
        unsafe extern "C" fn(*const srp_host, srp_str, *mut *mut srp_policy, *mut srp_error) -> i32,
    pub destroy: unsafe extern "C" fn(*mut srp_policy),
    pub on_event: unsafe extern "C" fn(
        *mut srp_policy,
        *const srp_record,
        *mut c_void,
        usize,
        *mut usize,
    ) -> i32,
    pub snapshot: unsafe extern "C" fn(*const srp_policy, *mut c_void, usize, *mut usize) -> i32,
    pub restore: unsafe extern "C" fn(*mut srp_policy, *const c_void, usize, *mut srp_error) -> i32,
    pub state_digest: unsafe extern "C" fn(*const srp_policy) -> u64,
    pub reason_code: unsafe extern "C" fn(u32) -> srp_str,
    pub explain: TextOf<srp_decision>,
    pub params_hash: unsafe extern "C" fn(u32, *const srp_sampling, *mut c_char) -> i32,
    pub judge: TextOf<srp_case>,
}

extern "C" {
    /// The one export. Null: this library cannot serve a host of that version.
    pub fn srp_module_get(host_abi: u32) -> *const srp_module;
}
