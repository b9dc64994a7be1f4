//! What is known of a side of a pairing, and of what a class of requests asks for.

use crate::error::Error;
use crate::host::lent;
use crate::module::Module;
use crate::sys;

/// One side of a pairing as it would serve one sampling profile.
///
/// Unknown is not equal: only what was set here is compared. What is set is claimed (from
/// configuration) unless [`verified_at_bind`](Side::verified_at_bind) or [`live`](Side::live) says
/// that the engine itself reported it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Side(sys::srp_side);

impl Side {
    /// Of the engine service `backend`, in its first incarnation, with nothing else known.
    pub fn new(backend: u64) -> Self {
        Side(sys::srp_side {
            backend,
            incarnation: 1,
            ..Default::default()
        })
    }

    fn know(mut self, bit: u32) -> Self {
        self.0.known |= bit;
        self
    }

    /// One more with each restart of the backend.
    pub fn incarnation(mut self, incarnation: u64) -> Self {
        self.0.incarnation = incarnation;
        self
    }

    /// Id or hash of the model.
    pub fn model(mut self, model: u64) -> Self {
        self.0.model = model;
        self.know(sys::SRP_FP_MODEL)
    }

    /// Leading 64 bits of the vocabulary's hash.
    pub fn tokenizer(mut self, hash: u64) -> Self {
        self.0.tokenizer = hash;
        self.know(sys::SRP_FP_TOKENIZER)
    }

    /// Leading 64 bits of the params hash, the same for both of its versions: for a host that
    /// computes one of them, the one that the configuration names.
    pub fn params(self, hash: u64) -> Self {
        self.params_of_versions(hash, hash)
    }

    /// Leading 64 bits of the params hash by version.
    pub fn params_of_versions(mut self, v1: u64, v2: u64) -> Self {
        self.0.params_v1 = v1;
        self.0.params_v2 = v2;
        self.know(sys::SRP_FP_PARAMS)
    }

    /// Tokens of a KV block.
    pub fn kv_block_tokens(mut self, tokens: u32) -> Self {
        self.0.kv_block_tokens = tokens;
        self.know(sys::SRP_FP_KV)
    }

    /// The attention-mask convention, as the host numbers them.
    pub fn mask(mut self, convention: u32) -> Self {
        self.0.mask = convention;
        self.know(sys::SRP_FP_MASK)
    }

    /// The engine was asked when the pairing was bound.
    pub fn verified_at_bind(mut self) -> Self {
        self.0.provenance = sys::SRP_VERIFIED_AT_BIND;
        self
    }

    /// The engine reported it with the traffic that it served.
    pub fn live(mut self) -> Self {
        self.0.provenance = sys::SRP_LIVE;
        self
    }

    pub(crate) fn to_abi(self) -> sys::srp_side {
        self.0
    }
}

/// What a class of requests asks for.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Profile(sys::srp_profile);

impl Profile {
    /// The profile of that id, which states no parameters.
    pub fn new(id: u64) -> Self {
        Profile(sys::srp_profile {
            id,
            ..Default::default()
        })
    }

    /// The params hash that it requires, for a host that computes one version.
    pub fn requires(self, hash: u64) -> Self {
        self.requires_of_versions(hash, hash)
    }

    /// The params hash that it requires, by version; 0: not stated.
    pub fn requires_of_versions(mut self, v1: u64, v2: u64) -> Self {
        self.0.required_v1 = v1;
        self.0.required_v2 = v2;
        self
    }

    pub(crate) fn to_abi(self) -> sys::srp_profile {
        self.0
    }
}

/// Sampling parameters in force on one side for one profile.
///
/// Version 1 of the hash covers the four of [`Sampling::new`]; version 2 all of them.
#[derive(Clone, Debug, PartialEq)]
pub struct Sampling {
    temperature: f64,
    top_p: f64,
    seed: i64,
    grammar_id: String,
    /// Most likely tokens kept; 0: all.
    pub top_k: i32,
    /// Least probability, as a share of the most likely token's.
    pub min_p: f64,
    /// 1: none.
    pub repetition_penalty: f64,
    /// 0: none.
    pub presence_penalty: f64,
    /// 0: none.
    pub frequency_penalty: f64,
    /// 1 + the verification rule as a bind has it; 0: not said, and then no part of the hash.
    pub rule: u32,
}

impl Sampling {
    /// The four of the rule; the others at the values that change nothing. `grammar_id` is empty
    /// without guided decoding.
    pub fn new(temperature: f64, top_p: f64, seed: i64, grammar_id: &str) -> Self {
        Sampling {
            temperature,
            top_p,
            seed,
            grammar_id: grammar_id.to_owned(),
            top_k: 0,
            min_p: 0.0,
            repetition_penalty: 1.0,
            presence_penalty: 0.0,
            frequency_penalty: 0.0,
            rule: 0,
        }
    }

    /// The params hash of version 1 or 2 as [`Side::params`] and [`Profile::requires`] take it.
    ///
    /// # Errors
    /// Another version, or a library of another ABI.
    pub fn hash(&self, version: u32) -> Result<u64, Error> {
        let digits = Module::linked()?.params_hash(version, self)?;
        u64::from_str_radix(&digits, 16)
            .map_err(|_| Error::new(sys::SRP_E_ARG, format!("the module's hash is '{}'", digits)))
    }

    /// Borrows from `self`.
    pub(crate) fn to_abi(&self) -> sys::srp_sampling {
        sys::srp_sampling {
            temperature: self.temperature,
            top_p: self.top_p,
            min_p: self.min_p,
            repetition_penalty: self.repetition_penalty,
            presence_penalty: self.presence_penalty,
            frequency_penalty: self.frequency_penalty,
            seed: self.seed,
            top_k: self.top_k,
            rule: self.rule,
            grammar_id: lent(&self.grammar_id),
        }
    }
}

/// The rule's hash of (temperature, top-p, seed, grammar): the first 16 hex digits of SHA-256 over
/// `{temperature:.4f}|{top_p:.4f}|{seed}|{grammar_id}`.
///
/// # Errors
/// A library of another ABI.
pub fn params_hash(
    temperature: f64,
    top_p: f64,
    seed: i64,
    grammar_id: &str,
) -> Result<String, Error> {
    Module::linked()?.params_hash(1, &Sampling::new(temperature, top_p, seed, grammar_id))
}
