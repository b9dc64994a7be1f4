//! What a policy proposes.

use crate::sys;
use std::mem;
use std::time::Duration;

/// When something ends by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Until {
    /// At that date, since the host's epoch.
    At(Duration),
    /// Never.
    Forever,
}

impl Until {
    fn of(date: sys::srp_ns) -> Self {
        match date {
            sys::SRP_FOREVER => Until::Forever,
            date => Until::At(Duration::from_nanos(date)),
        }
    }
}

/// The side that goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Replaced {
    /// The proposing side.
    Draft,
    /// The verifying side.
    Target,
}

/// Which backend may take the replaced side.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Constraint(sys::srp_constraint);

impl Constraint {
    /// The side that goes; none where the policy names none.
    pub fn replaced(&self) -> Option<Replaced> {
        match self.0.replace {
            sys::SRP_REPLACE_DRAFT => Some(Replaced::Draft),
            sys::SRP_REPLACE_TARGET => Some(Replaced::Target),
            _ => None,
        }
    }

    /// The backend of the side that stays, which the newcomer equals in what
    /// [`matches`](Constraint::matches) names.
    pub fn keeps(&self) -> u64 {
        self.0.keep_backend
    }

    /// The params hash that the newcomer has to have, and the version of the hash.
    pub fn required_params(&self) -> Option<(u64, u32)> {
        let asked = self.0.match_ & sys::SRP_FP_PARAMS != 0;
        asked.then_some((self.0.required, self.0.params_version))
    }

    /// Bits `sys::SRP_FP_*` in which the newcomer equals the side that stays (its params hash: the
    /// required one).
    pub fn matches(&self) -> u32 {
        self.0.match_
    }

    /// Backends that were rejected here within one cool-down.
    pub fn excluded(&self) -> &[u64] {
        let known = (self.0.n_exclude as usize).min(self.0.exclude.len());
        &self.0.exclude[..known]
    }
}

/// What is proposed for a (pairing, profile).
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Kind {
    /// Serve without reward. It ends an earlier `NoDraft` or `Quarantine` before its date.
    Hold,
    /// Reward: prefer that pairing by that acceptance rate.
    Lock {
        /// The pairing to prefer.
        prefer: u64,
        /// The acceptance rate that is rewarded, in parts per million.
        reward_ppm: i64,
        /// When it ends.
        until: Until,
    },
    /// Reject: replace one side.
    Rebind(Constraint),
    /// Serve on the target alone.
    NoDraft {
        /// When it ends.
        until: Until,
    },
    /// Send nothing to the pairing, whatever the profile.
    Quarantine {
        /// When it ends.
        until: Until,
    },
    /// Of a newer library.
    Unknown(u16),
}

/// One proposal.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(transparent)]
pub struct Decision(sys::srp_decision);

impl Decision {
    /// What is proposed.
    pub fn kind(&self) -> Kind {
        let until = Until::of(self.0.valid_until);
        match self.0.h.type_ {
            sys::SRP_HOLD => Kind::Hold,
            sys::SRP_LOCK => Kind::Lock {
                prefer: self.0.prefer_pairing,
                reward_ppm: self.0.reward_ppm,
                until,
            },
            sys::SRP_REBIND => Kind::Rebind(Constraint(self.0.to)),
            sys::SRP_NO_DRAFT => Kind::NoDraft { until },
            sys::SRP_QUARANTINE => Kind::Quarantine { until },
            other => Kind::Unknown(other),
        }
    }

    /// The number that an [`Outcome`](crate::Outcome) refers to: 1, 2, ... per policy.
    pub fn id(&self) -> u64 {
        self.0.id
    }

    /// The pairing that it is about.
    pub fn pairing(&self) -> u64 {
        self.0.h.pairing
    }

    /// And the profile.
    pub fn profile(&self) -> u64 {
        self.0.profile
    }

    /// The `now` of the event that it answers.
    pub fn now(&self) -> Duration {
        Duration::from_nanos(self.0.h.now)
    }

    /// The `seq` of the event that it answers.
    pub fn seq(&self) -> u64 {
        self.0.h.seq
    }

    /// Whether it is not to be carried out: the policy runs in shadow mode.
    pub fn dry_run(&self) -> bool {
        self.0.dry_run != 0
    }

    /// The date at which a [`Tick`](crate::Tick) is asked for.
    pub fn wake_at(&self) -> Option<Duration> {
        (self.0.wake_at != 0).then(|| Duration::from_nanos(self.0.wake_at))
    }

    /// Why, as a number; [`Policy::reason`](crate::Policy::reason) names it.
    pub fn reason_number(&self) -> u32 {
        self.0.reason
    }

    /// The numbers behind the reason.
    pub fn arguments(&self) -> [i64; 4] {
        self.0.arg
    }

    /// Which gate spoke, as `sys::SRP_GATE_*`.
    pub fn gate(&self) -> u32 {
        self.0.gate
    }

    /// The record as the ABI has it, for a trace.
    pub fn record(&self) -> &sys::srp_decision {
        &self.0
    }
}

/// How an event was taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// It was applied.
    Applied,
    /// Nothing changed: the policy does not know the event's type, or has no use for it.
    Ignored,
    /// It was applied, and of a table that was full the entry heard of longest ago is forgotten:
    /// the configured capacities are too small.
    Evicted,
}

/// The answer to one event, borrowed from the policy until the next.
#[derive(Debug)]
pub struct Decisions<'policy> {
    status: Status,
    said: &'policy [sys::srp_decision],
}

impl<'policy> Decisions<'policy> {
    pub(crate) fn new(status: Status, said: &'policy [sys::srp_decision]) -> Self {
        Decisions { status, said }
    }

    /// How the event was taken.
    pub fn status(&self) -> Status {
        self.status
    }

    /// The decisions, in the policy's order.
    pub fn as_slice(&self) -> &'policy [Decision] {
        const _: () = assert!(
            mem::size_of::<Decision>() == mem::size_of::<sys::srp_decision>()
                && mem::align_of::<Decision>() == mem::align_of::<sys::srp_decision>()
        );
        // SAFETY: Decision is a transparent wrapper, so slices of both have one layout.
        unsafe { std::slice::from_raw_parts(self.said.as_ptr().cast(), self.said.len()) }
    }

    /// The same one by one.
    pub fn iter(&self) -> std::slice::Iter<'policy, Decision> {
        self.as_slice().iter()
    }
}

impl<'policy> IntoIterator for Decisions<'policy> {
    type Item = &'policy Decision;
    type IntoIter = std::slice::Iter<'policy, Decision>;
    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}
