//! What a gateway in Rust adds to its workers: counters in, "may this worker be chosen?" out. Each
//! worker is an engine with its draft inside, so a pairing is one worker between two take-overs.
//!
//! It plays the incident with three workers, and exits with 0 where the stale one is barred.

use specroute_router::{
    Bind, Decision, Error, Event, Failover, Forwarded, Head, Kind, Outcome, OutcomeResult, Policy,
    Profile, Sampling, Side, Tick, Unbind, Until, Window,
};
use std::collections::BTreeMap;
use std::process::ExitCode;
use std::time::Duration;

/// The engine's counters of speculation since it began.
#[derive(Clone, Copy, Default)]
struct Counters {
    drafts: u64,
    draft_tokens: u64,
    accepted_tokens: u64,
}

struct Worker {
    backend: u64, // of its target; its draft has the next number
    pairing: u64,
    seen: Counters,
    scraped_at: Duration,
    barred: Option<Until>,
}

struct Gate {
    policy: Policy,
    profile: Profile,
    required: u64,
    workers: BTreeMap<String, Worker>,
    pairings: u64,
}

/// A side of a worker. What the engine does not report is left unknown, and earns no reward.
fn side(backend: u64, params: Option<u64>) -> Side {
    let known = Side::new(backend).tokenizer(11).kv_block_tokens(16).mask(1);
    match params {
        Some(hash) => known.params(hash).live(),
        None => known,
    }
}

impl Gate {
    /// Refuses a configuration that it cannot serve: a gate that never fires is worse than none.
    fn new(config: &str, required: u64) -> Result<Gate, Error> {
        Ok(Gate {
            policy: Policy::new(config)?,
            profile: Profile::new(1).requires(required),
            required,
            workers: BTreeMap::new(),
            pairings: 0,
        })
    }

    /// A worker was registered, or takes over: it serves as a new pairing.
    fn bind(&mut self, now: Duration, url: &str) -> Result<(), Error> {
        self.pairings += 1;
        let known = self.workers.len() as u64 * 2 + 1;
        let worker = self.workers.entry(url.to_owned()).or_insert(Worker {
            backend: known,
            pairing: 0,
            seen: Counters::default(),
            scraped_at: now,
            barred: None,
        });
        worker.pairing = self.pairings;
        let head = Head::at(now).pairing(worker.pairing);
        let (draft, target) = (worker.backend + 1, worker.backend);
        let claimed = |backend| side(backend, None).params(self.required);
        let bind = Bind::new(head, self.profile, claimed(draft), claimed(target));
        self.tell(&bind.forwards(Forwarded::Logits).draft_tokens(2))
    }

    /// The breaker of `lost` opened, and `heir` takes its requests.
    fn take_over(&mut self, now: Duration, lost: &str, heir: &str) -> Result<(), Error> {
        let (from, to) = (&self.workers[lost], &self.workers[heir]);
        let (replaced, ended) = (from.pairing, to.pairing);
        let head = Head::at(now).pairing(self.pairings + 1);
        let failover = Failover::new(head, replaced, from.backend, to.backend);
        self.tell(&failover)?;
        self.bind(now, heir)?;
        for pairing in [replaced, ended] {
            self.tell(&Unbind::new(Head::at(now).pairing(pairing)))?;
        }
        Ok(())
    }

    /// The counters that a worker has now, and the params hashes of its draft and its target if it
    /// reports them.
    fn scraped(
        &mut self,
        now: Duration,
        url: &str,
        counters: Counters,
        live: (Option<u64>, Option<u64>),
    ) -> Result<(), Error> {
        let worker = self.workers.get_mut(url).expect("a worker that is bound");
        let (before, since) = (worker.seen, worker.scraped_at);
        worker.seen = counters;
        worker.scraped_at = now;
        let head = Head::at(now).pairing(worker.pairing);
        let (draft, target) = (
            side(worker.backend + 1, live.0),
            side(worker.backend, live.1),
        );
        let window = Window::new(head, self.profile, draft, target).period(since, now);
        // A counter that fell is a restarted engine: a new epoch, whose counts are not compared.
        let window = match counters.draft_tokens.checked_sub(before.draft_tokens) {
            Some(drafted) => window.counts(
                counters.drafts.saturating_sub(before.drafts),
                drafted,
                counters
                    .accepted_tokens
                    .saturating_sub(before.accepted_tokens),
            ),
            None => window.counter_reset(),
        };
        self.tell(&window)
    }

    /// Beside `is_healthy()` and `can_execute()`.
    fn allows(&self, url: &str, now: Duration) -> bool {
        match self.workers.get(url).and_then(|worker| worker.barred) {
            Some(Until::At(date)) => date <= now,
            Some(Until::Forever) => false,
            None => true, // fails open: a worker that the gate knows nothing of may serve
        }
    }

    fn tell<E: Event>(&mut self, event: &E) -> Result<(), Error> {
        let said = self.policy.on_event(event)?.as_slice().to_vec();
        said.iter()
            .try_for_each(|decision| self.carry_out(decision))
    }

    fn carry_out(&mut self, said: &Decision) -> Result<(), Error> {
        println!(
            "{:>6.2} s  {}",
            said.now().as_secs_f64(),
            self.policy.explain(said)
        );
        let of = |worker: &&mut Worker| worker.pairing == said.pairing();
        let worker = match self.workers.values_mut().find(of) {
            Some(worker) if !said.dry_run() => worker,
            _ => return Ok(()), // shadow mode, or a pairing that is over
        };
        match said.kind() {
            Kind::Hold | Kind::Lock { .. } => worker.barred = None,
            // No request can ask such an engine for another draft, or for none: bar the worker.
            Kind::NoDraft { until } | Kind::Quarantine { until } => worker.barred = Some(until),
            Kind::Rebind(_) => {
                let head = Head::at(said.now()).pairing(said.pairing());
                let declined = OutcomeResult::DeclinedNoCandidate;
                return self.tell(&Outcome::new(head, said.id(), declined));
            }
            _ => {}
        }
        Ok(())
    }
}

fn play(gate: &mut Gate, wanted: u64, stale: u64) -> Result<(), Error> {
    let at = Duration::from_secs;
    let (a, b, c) = ("http://a:30000", "http://b:30000", "http://c:30000");
    for url in [a, b, c] {
        gate.bind(at(0), url)?;
    }
    let counters = |seconds: u64, accepted_of_1000: u64| Counters {
        drafts: seconds * 500,
        draft_tokens: seconds * 1000,
        accepted_tokens: seconds * accepted_of_1000,
    };
    for s in 1..=60 {
        gate.scraped(at(s), a, counters(s, 410), (Some(wanted), Some(wanted)))?;
    }
    gate.take_over(at(60), a, b)?;
    gate.scraped(at(61), b, counters(1, 940), (Some(stale), Some(wanted)))?;
    gate.tell(&Tick::new(Head::at(at(62))))
}

fn main() -> ExitCode {
    let hash = |temperature| Sampling::new(temperature, 0.95, 42, "json-v1").hash(1);
    let played = (|| {
        let (wanted, stale) = (hash(0.7)?, hash(0.0)?);
        let mut gate = Gate::new(r#"{"gate": "validity"}"#, wanted)?;
        play(&mut gate, wanted, stale)?;
        let now = Duration::from_secs(62);
        Ok::<_, Error>(
            ["a", "b", "c"].map(|name| gate.allows(&format!("http://{}:30000", name), now)),
        )
    })();
    match played {
        Ok([_, false, true]) => ExitCode::SUCCESS,
        Ok(allowed) => {
            eprintln!("allowed: {:?}", allowed);
            ExitCode::from(1)
        }
        Err(refused) => {
            eprintln!("{}", refused);
            ExitCode::from(2)
        }
    }
}
