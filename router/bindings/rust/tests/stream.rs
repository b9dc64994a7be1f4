//! The incident's stream through a policy: what each gate says of it, snapshots, and what a host may
//! do wrong.

use specroute_router::{
    Bind, Code, Decision, Failover, Forwarded, Head, Kind, Module, Outcome, OutcomeResult, Policy,
    Profile, Replaced, Side, Status, Tick, Unbind, Until, Window,
};
use std::time::Duration;

const WANTED: u64 = 0x60b4_daf1_243e_f008; // params_hash(0.7, 0.95, 42, "json-v1")
const STALE: u64 = 0x0a58_2a5f_fabc_b4ff; // params_hash(0.0, 0.95, 42, "json-v1")
const DRAFT: u64 = 2;
const OLD_TARGET: u64 = 3;
const NEW_TARGET: u64 = 7;

fn seconds(s: f64) -> Duration {
    Duration::from_nanos((s * 1e9).round() as u64)
}

fn head(at_s: f64, pairing: u64) -> Head {
    Head::at(seconds(at_s)).pairing(pairing)
}

fn profile() -> Profile {
    Profile::new(1).requires(WANTED)
}

fn side(backend: u64, params: u64) -> Side {
    let known = Side::new(backend)
        .tokenizer(11)
        .params(params)
        .kv_block_tokens(16)
        .mask(1);
    known.model(if backend == DRAFT { 100 } else { 200 })
}

fn bind(at_s: f64, pairing: u64, target: u64) -> Bind {
    Bind::new(
        head(at_s, pairing),
        profile(),
        side(DRAFT, WANTED),
        side(target, WANTED),
    )
    .forwards(Forwarded::Logits)
    .draft_tokens(2)
}

/// 50 ms in which 1000 tokens were drafted, both engines reporting what they run with.
fn window(at_s: f64, pairing: u64, target: u64, accepted: u64, draft_params: u64) -> Window {
    let draft = side(DRAFT, draft_params).live();
    Window::new(
        head(at_s, pairing),
        profile(),
        draft,
        side(target, WANTED).live(),
    )
    .period(seconds(at_s - 0.05), seconds(at_s))
    .counts(500, 1000, accepted)
}

/// A policy that has seen 60 s at acceptance 0.413, then target 7 taking over as pairing 2.
fn failed_over(config: &str) -> Policy {
    let mut policy = Policy::new(config).unwrap();
    policy.on_event(&bind(0.0, 1, OLD_TARGET)).unwrap();
    for at in 39..99 {
        policy
            .on_event(&window(f64::from(at), 1, OLD_TARGET, 413, WANTED))
            .unwrap();
    }
    policy
        .on_event(&Failover::new(head(100.0, 2), 1, OLD_TARGET, NEW_TARGET))
        .unwrap();
    policy.on_event(&bind(100.0, 2, NEW_TARGET)).unwrap();
    policy.on_event(&Unbind::new(head(100.0, 1))).unwrap();
    policy
}

/// Windows of pairing 2 each 10 s; all that was said.
fn serve(policy: &mut Policy, from_s: f64, to_s: f64, accepted: u64, params: u64) -> Vec<Decision> {
    let mut said = Vec::new();
    let mut at = from_s;
    while at <= to_s {
        let seen = window(at, 2, NEW_TARGET, accepted, params);
        said.extend(policy.on_event(&seen).unwrap().iter().copied());
        at += 10.0;
    }
    said
}

// 0.943 is rewarded until one cool-down of 300 s after the first window.
#[test]
fn gate_none_locks_the_incident() {
    let mut policy = failed_over(r#"{"gate": "none"}"#);
    let said = serve(&mut policy, 100.1, 390.0, 943, STALE);
    assert_eq!(said.len(), 1);
    let expected = Kind::Lock {
        prefer: 2,
        reward_ppm: 943_000,
        until: Until::At(seconds(400.1)),
    };
    assert_eq!(said[0].kind(), expected);
    assert!(!said[0].dry_run());
}

#[test]
fn gate_validity_replaces_the_stale_draft() {
    let mut policy = failed_over(r#"{"gate": "validity"}"#);
    let said = serve(&mut policy, 100.1, 100.1, 943, STALE);
    let rebind = said.last().expect("a decision");
    assert_eq!(policy.reason(rebind), "params_differ_logits_forwarded");
    assert!(
        policy.explain(rebind).contains("REBIND"),
        "{}",
        policy.explain(rebind)
    );
    assert_eq!((rebind.pairing(), rebind.profile()), (2, 1));
    let to = match rebind.kind() {
        Kind::Rebind(to) => to,
        other => panic!("{:?}", other),
    };
    assert_eq!(to.replaced(), Some(Replaced::Draft));
    assert_eq!(to.keeps(), NEW_TARGET);
    assert_eq!(to.required_params(), Some((WANTED, 1)));
    assert_eq!(to.excluded(), [DRAFT]);
    // Without a word of what became of it, it is not said again within 5 s.
    let done = Outcome::new(head(100.2, 2), rebind.id(), OutcomeResult::Done);
    assert_eq!(policy.on_event(&done).unwrap().status(), Status::Applied);
}

#[test]
fn a_shadow_gate_marks_what_it_says() {
    let mut policy = failed_over(r#"{"gate": "validity", "mode": "shadow"}"#);
    let said = serve(&mut policy, 100.1, 100.1, 943, STALE);
    assert!(said.last().expect("a decision").dry_run());
}

#[test]
fn an_event_without_use_is_ignored() {
    let mut policy = Policy::new(r#"{"gate": "validity"}"#).unwrap();
    let answer = policy
        .on_event(&window(1.0, 77, NEW_TARGET, 1, WANTED))
        .unwrap();
    assert_eq!(answer.status(), Status::Ignored);
    assert_eq!(answer.into_iter().count(), 0);
}

#[test]
fn an_evicted_pairing_is_told() {
    let mut policy = Policy::new(r#"{"gate": "none", "max_pairings": 1}"#).unwrap();
    let status = |policy: &mut Policy, pairing| {
        policy
            .on_event(&bind(pairing as f64, pairing, NEW_TARGET))
            .unwrap()
            .status()
    };
    assert_eq!(status(&mut policy, 1), Status::Applied);
    assert_eq!(status(&mut policy, 2), Status::Evicted);
}

// The library answers a tick for a hundred pairings in parts; the crate gives them as one.
#[test]
fn a_tick_has_all_its_decisions() {
    let mut policy = Policy::new(r#"{"gate": "cooldown_only", "cool_down_s": 10}"#).unwrap();
    for pairing in 1..=200 {
        policy.on_event(&bind(1.0, pairing, NEW_TARGET)).unwrap();
        policy
            .on_event(&window(1.0, pairing, NEW_TARGET, 413, WANTED))
            .unwrap();
    }
    let answer = policy
        .on_event(&Tick::new(Head::at(seconds(11.0))))
        .unwrap();
    let locks = answer
        .iter()
        .filter(|said| matches!(said.kind(), Kind::Lock { .. }));
    assert_eq!(locks.count(), 200);
}

#[test]
fn a_refused_event_changes_nothing() {
    let mut policy = failed_over(r#"{"gate": "validity"}"#);
    let before = policy.digest();
    let lies = window(101.0, 2, NEW_TARGET, 1001, WANTED);
    assert_eq!(policy.on_event(&lies).unwrap_err().code(), Code::Argument);
    let early = window(99.0, 2, NEW_TARGET, 413, WANTED);
    assert_eq!(policy.on_event(&early).unwrap_err().code(), Code::Time);
    let again = bind(101.0, 2, NEW_TARGET);
    assert_eq!(policy.on_event(&again).unwrap_err().code(), Code::State);
    for cut in [&[][..], &[9; 3], &[0; 32], &[255; 40], &[40, 0, 0, 0, 4, 0]] {
        assert_eq!(policy.on_record(cut).unwrap_err().code(), Code::Argument);
    }
    assert_eq!(policy.digest(), before);
}

#[test]
fn a_record_of_a_newer_host_is_served_or_ignored() {
    let mut policy = failed_over(r#"{"gate": "none"}"#);
    // Type 0x7777, 40 bytes, at 101 s: not known, and never an error.
    let mut unknown = [0u8; 41];
    unknown[1..5].copy_from_slice(&40u32.to_ne_bytes());
    unknown[5..7].copy_from_slice(&0x7777u16.to_ne_bytes());
    unknown[9..17].copy_from_slice(&101_000_000_000u64.to_ne_bytes());
    let answer = policy.on_record(&unknown[1..]).unwrap();
    assert_eq!(answer.status(), Status::Ignored);
    // A tick with 8 bytes after it that version 1 does not have.
    let mut longer = [0u8; 40];
    longer[..4].copy_from_slice(&40u32.to_ne_bytes());
    longer[4..6].copy_from_slice(&10u16.to_ne_bytes());
    longer[8..16].copy_from_slice(&101_000_000_000u64.to_ne_bytes());
    assert!(policy.on_record(&longer).is_ok());
}

#[test]
fn a_hostile_configuration_is_refused_with_its_byte() {
    let refused = Policy::new(r#"{"gate": "validty"}"#).unwrap_err();
    assert_eq!(refused.code(), Code::Config);
    assert_eq!(refused.offset(), Some(9));
    assert!(refused.text().contains("validity"), "{}", refused);
    let twice = Policy::new(r#"{"gate": "none", "gate": "none"}"#).unwrap_err();
    assert_eq!(twice.code(), Code::Config);
    let deep = "[".repeat(100_000);
    for text in [
        "",
        "{",
        "null",
        "\0",
        "{\"gate\": 3.7}",
        "\u{1f980}",
        deep.as_str(),
    ] {
        assert_eq!(
            Policy::new(text).unwrap_err().code(),
            Code::Config,
            "{:.20}",
            text
        );
        assert!(Module::linked().unwrap().validate(text).is_err());
    }
    assert!(Module::linked()
        .unwrap()
        .validate(r#"{"gate": "bandit"}"#)
        .is_ok());
}

#[test]
fn a_restored_policy_has_the_same_future() {
    let mut lived = failed_over(r#"{"gate": "validity"}"#);
    serve(&mut lived, 100.1, 200.0, 943, WANTED);
    let mut restored = Policy::new(r#"{"gate": "validity"}"#).unwrap();
    restored.restore(&lived.snapshot()).unwrap();
    assert_eq!(restored.digest(), lived.digest());
    let mut said = Vec::new();
    for policy in [&mut lived, &mut restored] {
        let mut heard = serve(policy, 201.0, 420.0, 943, WANTED);
        heard.extend(serve(policy, 421.0, 421.0, 943, STALE));
        said.push(heard);
    }
    assert_eq!(said[0], said[1]);
    assert_eq!(said[0].len(), 2); // LOCK, REBIND
    assert_eq!(restored.digest(), lived.digest());
}

#[test]
fn a_damaged_snapshot_is_refused() {
    let mut policy = failed_over(r#"{"gate": "validity"}"#);
    let mut bytes = policy.snapshot();
    let before = policy.digest();
    bytes[40] ^= 64;
    for damaged in [&bytes[..], &bytes[..8], &[]] {
        assert_eq!(policy.restore(damaged).unwrap_err().code(), Code::State);
    }
    assert_eq!(policy.digest(), before);
}

#[test]
fn a_policy_moves_to_another_thread() {
    let mut policy = failed_over(r#"{"gate": "none"}"#);
    let said = std::thread::spawn(move || serve(&mut policy, 100.1, 100.1, 943, STALE).len());
    assert_eq!(said.join().unwrap(), 1);
}
