//! A router in miniature: what a host says to the policy, and what it hears. A target fails over, and
//! the new pairing's draft serves with a stale temperature.
//!
//! It exits with 0 where the policy has the pairing replaced once.

use specroute_router::{
    Bind, Error, Event, Failover, Forwarded, Head, Kind, Module, Policy, Profile, Sampling, Side,
    Window,
};
use std::process::ExitCode;
use std::time::Duration;

const OLD_TARGET: u64 = 3;
const NEW_TARGET: u64 = 7;
const DRAFT: u64 = 2;

fn side(backend: u64, params: u64) -> Side {
    let known = Side::new(backend).tokenizer(11).params(params);
    known.kv_block_tokens(16).mask(1)
}

/// Sends one event, prints the answer; how many re-binds it asks for.
fn send<E: Event>(policy: &mut Policy, event: &E) -> Result<usize, Error> {
    let said = policy.on_event(event)?.as_slice().to_vec();
    let mut rebinds = 0;
    for decision in &said {
        println!(
            "{:4} s  {}",
            decision.now().as_secs(),
            policy.explain(decision)
        );
        rebinds += usize::from(matches!(decision.kind(), Kind::Rebind(_)));
    }
    Ok(rebinds)
}

fn play(policy: &mut Policy) -> Result<usize, Error> {
    let wanted = Sampling::new(0.7, 0.95, 42, "json-v1").hash(1)?;
    let stale = Sampling::new(0.0, 0.95, 42, "json-v1").hash(1)?;
    let profile = Profile::new(1).requires(wanted);
    // Pairings have their target's number here.
    let head = |at_s, target| Head::at(Duration::from_secs(at_s)).pairing(target);
    let bind = |at_s, target| {
        Bind::new(
            head(at_s, target),
            profile,
            side(DRAFT, wanted),
            side(target, wanted),
        )
        .forwards(Forwarded::Logits)
        .draft_tokens(2)
    };
    // One second of traffic: 1000 tokens were drafted, and both engines said what they run with.
    let window = |at_s, target, params, accepted| {
        let (draft, target_side) = (side(DRAFT, params).live(), side(target, wanted).live());
        Window::new(head(at_s, target), profile, draft, target_side)
            .period(Duration::from_secs(at_s - 1), Duration::from_secs(at_s))
            .counts(500, 1000, accepted)
    };

    let mut rebinds = send(policy, &bind(0, OLD_TARGET))?;
    for at_s in 1..=60 {
        rebinds += send(policy, &window(at_s, OLD_TARGET, wanted, 410))?;
    }
    let failover = Failover::new(head(60, NEW_TARGET), OLD_TARGET, OLD_TARGET, NEW_TARGET);
    rebinds += send(policy, &failover)?;
    rebinds += send(policy, &bind(60, NEW_TARGET))?;
    for at_s in 61..=64 {
        rebinds += send(policy, &window(at_s, NEW_TARGET, stale, 940))?;
    }
    Ok(rebinds)
}

fn run() -> Result<usize, Error> {
    let (name, version) = Module::linked()?.name_and_version();
    println!("{} {}", name, version);
    play(&mut Policy::new(r#"{"gate": "params_hash"}"#)?)
}

fn main() -> ExitCode {
    match run() {
        Ok(1) => ExitCode::SUCCESS,
        Ok(_) => ExitCode::from(1),
        Err(refused) => {
            eprintln!("{}", refused);
            ExitCode::from(2)
        }
    }
}
