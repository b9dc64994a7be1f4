//! The records of `sys` against the frozen list of the C header, tests/unit/router/abi_frozen.h: every
//! line of it that states a size, an offset or a value has its counterpart here.

use specroute_router::sys::*;
use std::collections::BTreeMap;
use std::mem::{size_of, MaybeUninit};
use std::path::Path;

/// "srp_side" -> 80, "srp_side.backend" -> 0, "SRP_LIVE" -> 2.
type Layout = BTreeMap<String, u64>;

macro_rules! layouts {
    ($into:ident: $($record:ident { $($field:ident $(= $name:literal)?),* $(,)? })*) => {$(
        $into.insert(stringify!($record).to_owned(), size_of::<$record>() as u64);
        let hollow = MaybeUninit::<$record>::uninit();
        let start = hollow.as_ptr();
        $(
            // SAFETY: the address alone is taken.
            let at = unsafe { std::ptr::addr_of!((*start).$field) } as usize - start as usize;
            let field = [$($name,)? stringify!($field)][0];
            $into.insert(format!("{}.{}", stringify!($record), field), at as u64);
        )*
    )*};
}

macro_rules! values {
    ($into:ident: $($name:ident)*) => {$(
        $into.insert(stringify!($name).to_owned(), $name as i64 as u64);
    )*};
}

fn records(into: &mut Layout) {
    layouts! { into:
        srp_side {
            backend, incarnation, model, tokenizer, params_v1, params_v2, kv_block_tokens, mask,
            known, provenance, reserved
        }
        srp_profile { id, required_v1, required_v2, reserved }
        srp_record { size, type_ = "type", flags, now, seq, pairing }
        srp_ev_candidate { h, side, role, available, load_ppm, profile }
        srp_ev_bind { h, profile, draft, target, forward, rule, draft_tokens, reserved }
        srp_ev_unbind { h, reserved }
        srp_ev_window {
            h, profile, draft, target, from, to, steps, drafted, accepted, accepted_at, completions,
            latency_p50_ns, positions, window_flags
        }
        srp_ev_failover {
            h, from_backend, to_backend, to_incarnation, from_pairing, cause, reserved
        }
        srp_ev_sampling { h, profile, side, origin, changed }
        srp_ev_health { h, backend, requests, errors, timeouts, reserved }
        srp_ev_quality { h, profile, sampled, looping, schema_invalid }
        srp_ev_outcome { h, decision, result, reserved }
        srp_ev_tick { h }
        srp_constraint {
            required, keep_backend, exclude, replace, match_ = "match", n_exclude, params_version
        }
        srp_decision {
            h, id, profile, gate, reason, arg, valid_until, wake_at, reward_ppm, prefer_pairing, to,
            dry_run, reserved
        }
        srp_case { draft, target, pre_acceptance, post_acceptance, forwarded_logits, reserved }
    }
}

#[cfg(target_pointer_width = "64")]
fn tables(into: &mut Layout) {
    layouts! { into:
        srp_str { ptr, len }
        srp_error { struct_size, cap, buf, len, config_offset }
        srp_host { struct_size, abi, ctx, alloc, free, log }
        srp_sampling {
            temperature, top_p, min_p, repetition_penalty, presence_penalty, frequency_penalty, seed,
            top_k, rule, grammar_id
        }
        srp_module {
            struct_size, abi, name, version, config_schema, validate, create, destroy, on_event,
            snapshot, restore, state_digest, reason_code, explain, params_hash, judge
        }
    }
}

fn numbers(into: &mut Layout) {
    values! { into:
        SRP_ABI_V1 SRP_FOREVER SRP_OK SRP_IGNORED SRP_E_ABI SRP_E_CONFIG SRP_E_ARG SRP_E_TIME
        SRP_E_STATE SRP_E_SPACE SRP_E_FULL SRP_EV_CANDIDATE SRP_EV_BIND SRP_EV_UNBIND SRP_EV_WINDOW
        SRP_EV_FAILOVER SRP_EV_SAMPLING SRP_EV_HEALTH SRP_EV_QUALITY SRP_EV_OUTCOME SRP_EV_TICK
        SRP_HOLD SRP_LOCK SRP_REBIND SRP_NO_DRAFT SRP_QUARANTINE SRP_FORWARD_TOKENS
        SRP_FORWARD_LOGITS SRP_FORWARD_PROBS SRP_CLAIMED SRP_VERIFIED_AT_BIND SRP_LIVE
        SRP_FP_TOKENIZER SRP_FP_PARAMS SRP_FP_KV SRP_FP_MASK SRP_FP_MODEL SRP_KEEP_NONE
        SRP_REPLACE_DRAFT SRP_REPLACE_TARGET SRP_WIN_PARTIAL SRP_WIN_STALE SRP_WIN_COUNTER_RESET
        SRP_WIN_FROM_RATIO SRP_DONE SRP_DECLINED_NO_CANDIDATE SRP_DECLINED_NO_CAPACITY
        SRP_SUPERSEDED SRP_GATE_NONE SRP_GATE_DELTA_ONLY SRP_GATE_HASH_ONLY SRP_GATE_COOLDOWN_ONLY
        SRP_GATE_PARAMS_HASH SRP_GATE_VALIDITY SRP_GATE_VALIDITY_SAFE SRP_GATE_LATENCY_TIEBREAK
        SRP_GATE_GLOBAL_MEAN SRP_GATE_EWMA SRP_GATE_LOW_THRESHOLD SRP_GATE_CUSUM SRP_GATE_SPRT
        SRP_GATE_MANN_WHITNEY SRP_GATE_BANDIT SRP_GATE_OUTLIER SRP_GATE_ERROR_BREAKER
        SRP_GATE_QUALITY_PROBE SRP_MAX_POSITIONS SRP_MAX_EXCLUDE
    }
}

/// The number as C writes it: decimal, negative or hexadecimal.
fn number(text: &str) -> u64 {
    match text.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16).unwrap(),
        None => text.parse::<i64>().unwrap() as u64,
    }
}

/// What the header of assertions states.
fn frozen(text: &str) -> Layout {
    let mut stated = Layout::new();
    // Statements may go over two lines; definitions of the macros begin with '#'.
    let code: Vec<&str> = text.lines().filter(|line| !line.starts_with('#')).collect();
    for statement in code.join(" ").split(';') {
        let words: Vec<&str> = match statement.rsplit_once("FROZEN_") {
            Some((_, call)) => call.split(['(', ',', ')']).map(str::trim).collect(),
            None => continue,
        };
        match words[..] {
            ["VALUE" | "SIZE", name, value, ..] => stated.insert(name.to_owned(), number(value)),
            ["FIELD", record, field, offset, ..] => {
                stated.insert(format!("{}.{}", record, field), number(offset))
            }
            _ => None,
        };
    }
    stated
}

#[test]
#[cfg(target_pointer_width = "64")]
fn is_the_frozen_one() {
    let header =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../tests/unit/router/abi_frozen.h");
    let text = match std::fs::read_to_string(&header) {
        Ok(text) => text,
        Err(why) => {
            println!("skipped: {} is not at hand ({})", header.display(), why);
            return;
        }
    };
    let mut here = Layout::new();
    records(&mut here);
    tables(&mut here);
    numbers(&mut here);
    let stated = frozen(&text);
    assert!(
        stated.len() > 200,
        "only {} statements were read",
        stated.len()
    );
    assert_eq!(here, stated);
}

#[test]
fn the_list_is_read_as_it_is_written() {
    let text =
        "#define FROZEN_SIZE(a, b) c\nFROZEN_VALUE(SRP_E_ABI, -1);\nFROZEN_SIZE(srp_a, 0x10);\n\
                FROZEN_FIELD(srp_a, f, 8,\n  void (*)(int, char));\n";
    let expected = [("SRP_E_ABI", u64::MAX), ("srp_a", 16), ("srp_a.f", 8)];
    let expected = expected.map(|(name, value)| (name.to_owned(), value));
    assert_eq!(frozen(text), Layout::from(expected));
}
