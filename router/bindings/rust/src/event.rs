//! What a host tells a policy. Each event is a record of the ABI, made by `new` and filled in by
//! what is known.

use crate::fingerprint::{Profile, Side};
use crate::sys;
use std::mem;
use std::time::Duration;

/// A span since the host's epoch as the ABI has it; one of more than 584 years is its end.
pub(crate) fn nanoseconds(span: Duration) -> u64 {
    u64::try_from(span.as_nanos()).unwrap_or(u64::MAX)
}

/// When and of what an event speaks.
#[derive(Clone, Copy, Debug)]
pub struct Head {
    now: Duration,
    seq: u64,
    pairing: u64,
}

impl Head {
    /// Sent at `now` since the host's epoch; a policy never sees it decrease.
    pub fn at(now: Duration) -> Self {
        Head {
            now,
            seq: 0,
            pairing: 0,
        }
    }

    /// The pairing that is meant. Its id is never used again.
    pub fn pairing(mut self, pairing: u64) -> Self {
        self.pairing = pairing;
        self
    }

    /// The host's count of events, which a decision repeats.
    pub fn seq(mut self, seq: u64) -> Self {
        self.seq = seq;
        self
    }

    fn record<Record>(self, type_: u16) -> sys::srp_record {
        sys::srp_record {
            size: mem::size_of::<Record>() as u32,
            type_,
            flags: 0,
            now: nanoseconds(self.now),
            seq: self.seq,
            pairing: self.pairing,
        }
    }
}

mod sealed {
    /// Only the records of this crate are sure to be as long as their head says.
    pub trait Record {
        fn record(&self) -> *const crate::sys::srp_record;
    }
}

/// An event of this crate.
pub trait Event: sealed::Record {}
impl<Any: sealed::Record> Event for Any {}

macro_rules! events {
    ($($(#[$doc:meta])* $name:ident($record:ident);)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug)]
        pub struct $name(sys::$record);

        impl sealed::Record for $name {
            fn record(&self) -> *const sys::srp_record {
                // Every record begins with its head; the pointer is good for the whole of it.
                (&self.0 as *const sys::$record).cast()
            }
        }
    )*};
}

events! {
    /// A spare backend, or news about one.
    Candidate(srp_ev_candidate);
    /// A pairing starts to serve a profile; after a [`Failover`] to the same pairing it is one.
    Bind(srp_ev_bind);
    /// A pairing ends, for all its profiles.
    Unbind(srp_ev_unbind);
    /// Counts of one telemetry period of one (pairing, profile), and the fingerprints seen with it.
    Window(srp_ev_window);
    /// A target was replaced: sent just before the binds of the pairing that the head names.
    Failover(srp_ev_failover);
    /// The parameters in force on a backend changed for one profile.
    SamplingChange(srp_ev_sampling);
    /// How the requests of one backend went since the last such event.
    Health(srp_ev_health);
    /// What a detector found that samples completions of one pairing and profile.
    Quality(srp_ev_quality);
    /// What became of a decision.
    Outcome(srp_ev_outcome);
    /// Time has come to a date that a decision's `wake_at` asked for.
    Tick(srp_ev_tick);
}

/// The side that a candidate could take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// The proposing side.
    Draft,
    /// The verifying side.
    Target,
}

/// What the router forwards to the verifier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Forwarded {
    /// The draft's sampled tokens.
    Tokens,
    /// The draft's logits instead of its sampled tokens.
    Logits,
    /// The sampled tokens with the probabilities that they were drawn with.
    Probabilities,
}

/// What became of a decision that the policy proposed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OutcomeResult {
    /// Carried out.
    Done,
    /// No backend fits.
    DeclinedNoCandidate,
    /// Nobody else could serve the load.
    DeclinedNoCapacity,
    /// Something else happened first.
    Superseded,
}

impl Candidate {
    /// A backend that could take `role` for `profile`, with no load.
    pub fn new(head: Head, side: Side, role: Role, profile: u64) -> Self {
        Candidate(sys::srp_ev_candidate {
            h: head.record::<sys::srp_ev_candidate>(sys::SRP_EV_CANDIDATE),
            side: side.to_abi(),
            role: match role {
                Role::Draft => sys::SRP_REPLACE_DRAFT,
                Role::Target => sys::SRP_REPLACE_TARGET,
            },
            available: 1,
            load_ppm: 0,
            profile,
        })
    }

    /// Load in parts per million of capacity.
    pub fn load_ppm(mut self, load: i64) -> Self {
        self.0.load_ppm = load;
        self
    }

    /// It is no longer a candidate.
    pub fn gone(mut self) -> Self {
        self.0.available = 0;
        self
    }
}

impl Bind {
    /// The head's pairing serves `profile` by `draft` and `target`; sampled tokens are forwarded.
    pub fn new(head: Head, profile: Profile, draft: Side, target: Side) -> Self {
        Bind(sys::srp_ev_bind {
            h: head.record::<sys::srp_ev_bind>(sys::SRP_EV_BIND),
            profile: profile.to_abi(),
            draft: draft.to_abi(),
            target: target.to_abi(),
            ..Default::default()
        })
    }

    /// What the router forwards to the verifier.
    pub fn forwards(mut self, what: Forwarded) -> Self {
        self.0.forward = match what {
            Forwarded::Tokens => sys::SRP_FORWARD_TOKENS,
            Forwarded::Logits => sys::SRP_FORWARD_LOGITS,
            Forwarded::Probabilities => sys::SRP_FORWARD_PROBS,
        };
        self
    }

    /// The verification rule, as the host numbers them.
    pub fn rule(mut self, rule: u32) -> Self {
        self.0.rule = rule;
        self
    }

    /// Tokens proposed per step.
    pub fn draft_tokens(mut self, tokens: u32) -> Self {
        self.0.draft_tokens = tokens;
        self
    }
}

impl Unbind {
    /// The head's pairing ends.
    pub fn new(head: Head) -> Self {
        Unbind(sys::srp_ev_unbind {
            h: head.record::<sys::srp_ev_unbind>(sys::SRP_EV_UNBIND),
            reserved: 0,
        })
    }
}

impl Window {
    /// A period that ended at the head's `now` and lasted no time, with no traffic.
    pub fn new(head: Head, profile: Profile, draft: Side, target: Side) -> Self {
        let h = head.record::<sys::srp_ev_window>(sys::SRP_EV_WINDOW);
        Window(sys::srp_ev_window {
            h,
            profile: profile.to_abi(),
            draft: draft.to_abi(),
            target: target.to_abi(),
            from: h.now,
            to: h.now,
            ..Default::default()
        })
    }

    /// The period: `from` <= `to` <= the head's `now`.
    pub fn period(mut self, from: Duration, to: Duration) -> Self {
        self.0.from = nanoseconds(from);
        self.0.to = nanoseconds(to);
        self
    }

    /// Verification passes, draft tokens proposed, and those of them accepted (no bonus token).
    pub fn counts(mut self, steps: u64, drafted: u64, accepted: u64) -> Self {
        self.0.steps = steps;
        self.0.drafted = drafted;
        self.0.accepted = accepted;
        self
    }

    /// Accepted tokens by their position in the draft; those after the 16th are left out.
    pub fn accepted_at(mut self, by_position: &[u64]) -> Self {
        let kept = &by_position[..by_position.len().min(sys::SRP_MAX_POSITIONS)];
        self.0.accepted_at = [0; sys::SRP_MAX_POSITIONS];
        self.0.accepted_at[..kept.len()].copy_from_slice(kept);
        self.0.positions = kept.len() as u32;
        self
    }

    /// Requests completed, and their median latency.
    pub fn completions(mut self, completed: u64, median: Duration) -> Self {
        self.0.completions = completed;
        self.0.latency_p50_ns = nanoseconds(median);
        self
    }

    /// True counts of less than a period: judged, but kept out of baselines.
    pub fn partial(self) -> Self {
        self.flag(sys::SRP_WIN_PARTIAL)
    }

    /// It arrived too late to be believed: not used at all.
    pub fn stale(self) -> Self {
        self.flag(sys::SRP_WIN_STALE)
    }

    /// An engine's counter fell: a new epoch, and the counts are not used.
    pub fn counter_reset(self) -> Self {
        self.flag(sys::SRP_WIN_COUNTER_RESET)
    }

    /// The counts were derived from a ratio that the engine publishes.
    pub fn from_ratio(self) -> Self {
        self.flag(sys::SRP_WIN_FROM_RATIO)
    }

    fn flag(mut self, bit: u32) -> Self {
        self.0.window_flags |= bit;
        self
    }
}

impl Failover {
    /// The head's pairing replaces `from_pairing`; its target `to_backend`, in its first
    /// incarnation, takes over from `from_backend`.
    pub fn new(head: Head, from_pairing: u64, from_backend: u64, to_backend: u64) -> Self {
        Failover(sys::srp_ev_failover {
            h: head.record::<sys::srp_ev_failover>(sys::SRP_EV_FAILOVER),
            from_backend,
            to_backend,
            to_incarnation: 1,
            from_pairing,
            ..Default::default()
        })
    }

    /// The incarnation of the target that takes over.
    pub fn to_incarnation(mut self, incarnation: u64) -> Self {
        self.0.to_incarnation = incarnation;
        self
    }

    /// Why, as the host numbers causes.
    pub fn cause(mut self, cause: u32) -> Self {
        self.0.cause = cause;
        self
    }
}

impl SamplingChange {
    /// `side` is the backend with the parameters that are now in force for `profile`.
    pub fn new(head: Head, profile: Profile, side: Side) -> Self {
        SamplingChange(sys::srp_ev_sampling {
            h: head.record::<sys::srp_ev_sampling>(sys::SRP_EV_SAMPLING),
            profile: profile.to_abi(),
            side: side.to_abi(),
            origin: 0,
            changed: sys::SRP_FP_PARAMS,
        })
    }

    /// Who changed them, as the host numbers origins.
    pub fn origin(mut self, origin: u32) -> Self {
        self.0.origin = origin;
        self
    }
}

impl Health {
    /// Of `requests` of the backend, `errors` failed and `timeouts` were given up.
    pub fn new(head: Head, backend: u64, requests: u64, errors: u64, timeouts: u64) -> Self {
        Health(sys::srp_ev_health {
            h: head.record::<sys::srp_ev_health>(sys::SRP_EV_HEALTH),
            backend,
            requests,
            errors,
            timeouts,
            reserved: 0,
        })
    }
}

impl Quality {
    /// Of `sampled` completions, `looping` loop and `schema_invalid` break their schema; one may do
    /// both.
    pub fn new(head: Head, profile: u64, sampled: u64, looping: u64, schema_invalid: u64) -> Self {
        Quality(sys::srp_ev_quality {
            h: head.record::<sys::srp_ev_quality>(sys::SRP_EV_QUALITY),
            profile,
            sampled,
            looping,
            schema_invalid,
        })
    }
}

impl Outcome {
    /// Of the decision with that id.
    pub fn new(head: Head, decision: u64, result: OutcomeResult) -> Self {
        Outcome(sys::srp_ev_outcome {
            h: head.record::<sys::srp_ev_outcome>(sys::SRP_EV_OUTCOME),
            decision,
            result: match result {
                OutcomeResult::Done => sys::SRP_DONE,
                OutcomeResult::DeclinedNoCandidate => sys::SRP_DECLINED_NO_CANDIDATE,
                OutcomeResult::DeclinedNoCapacity => sys::SRP_DECLINED_NO_CAPACITY,
                OutcomeResult::Superseded => sys::SRP_SUPERSEDED,
            },
            reserved: 0,
        })
    }
}

impl Tick {
    /// At the head's `now`.
    pub fn new(head: Head) -> Self {
        Tick(sys::srp_ev_tick {
            h: head.record::<sys::srp_ev_tick>(sys::SRP_EV_TICK),
        })
    }
}
