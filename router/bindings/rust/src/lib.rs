//! Routing policies for speculative decoding: whether a draft's acceptance rate may be rewarded,
//! decided by `libspecroute_router` from what a router can see.
//!
//! [`Policy`] is one instance: events in ([`Bind`], [`Window`], [`Failover`], ...), [`Decision`]s
//! out, each with a reason and the numbers behind it. A policy has no clock: `now` is in the event, a
//! [`Duration`](std::time::Duration) since an epoch that the host chooses, and it never decreases.
//!
//! ```
//! use specroute_router::{Bind, Head, Kind, Policy, Profile, Side, Window};
//! use std::time::Duration;
//!
//! let mut policy = Policy::new(r#"{"gate": "params_hash"}"#)?;
//! let profile = Profile::new(1);
//! let draft = Side::new(2).tokenizer(11).params(0x0a58).kv_block_tokens(16).live();
//! let target = Side::new(7).tokenizer(11).params(0x60b4).kv_block_tokens(16).live();
//! let bound = Head::at(Duration::ZERO).pairing(1);
//! for decision in policy.on_event(&Bind::new(bound, profile, draft, target))?.iter() {
//!     println!("{}", policy_says(decision));
//! }
//! # fn policy_says(decision: &specroute_router::Decision) -> String { format!("{:?}", decision.kind()) }
//! # Ok::<(), specroute_router::Error>(())
//! ```
//!
//! The rule's four names are here too: [`BackendBinding`], [`params_hash`],
//! [`validate_post_failover_acceptance`], [`route_after_failover`]. [`sys`] is the C header.

mod acceptance;
mod decision;
mod error;
mod event;
mod fingerprint;
mod host;
mod module;
mod policy;
pub mod sys;

pub use acceptance::{
    route_after_failover, validate_post_failover_acceptance, BackendBinding,
    SpeculativeRoutingError,
};
pub use decision::{Constraint, Decision, Decisions, Kind, Replaced, Status, Until};
pub use error::{Code, Error};
pub use event::{
    Bind, Candidate, Event, Failover, Forwarded, Head, Health, Outcome, OutcomeResult, Quality,
    Role, SamplingChange, Tick, Unbind, Window,
};
pub use fingerprint::{params_hash, Profile, Sampling, Side};
pub use module::{Judgement, Module};
pub use policy::Policy;
