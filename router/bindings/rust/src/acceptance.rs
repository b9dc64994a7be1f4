//! The rule's own names: what its code asks of a pairing after a fail-over.

use crate::fingerprint::Side;
use crate::module::Module;
use std::fmt;

/// One side of a pairing as the rule names it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct BackendBinding {
    /// Its name.
    pub backend_id: String,
    /// The vocabulary's hash.
    pub tokenizer_hash: String,
    /// That of (temperature, top-p, seed, grammar): [`params_hash`](crate::params_hash).
    pub params_hash: String,
    /// Tokens of a KV block.
    pub kv_block_size: i64,
}

/// A routing decision would act on acceptance that cannot be attributed; in the rule's words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpeculativeRoutingError(String);

impl fmt::Display for SpeculativeRoutingError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}

impl std::error::Error for SpeculativeRoutingError {}

/// Two numbers, equal exactly where the two values are: the rule asks for no more.
fn numbers<T: PartialEq>(draft: &T, target: &T) -> (u64, u64) {
    (1, if draft == target { 1 } else { 2 })
}

fn sides(draft: &BackendBinding, target: &BackendBinding) -> (Side, Side) {
    let tokenizers = numbers(&draft.tokenizer_hash, &target.tokenizer_hash);
    let params = numbers(&draft.params_hash, &target.params_hash);
    let blocks = numbers(&draft.kv_block_size, &target.kv_block_size);
    let side = |backend, tokenizer, params, block| {
        let known = Side::new(backend).tokenizer(tokenizer).params(params);
        known.kv_block_tokens(block as u32)
    };
    (
        side(1, tokenizers.0, params.0, blocks.0),
        side(2, tokenizers.1, params.1, blocks.1),
    )
}

/// The ABI has numbers where the rule's sentences have the names and hashes that were given.
fn in_the_rules_words(draft: &BackendBinding, target: &BackendBinding, said: &str) -> String {
    if draft.tokenizer_hash != target.tokenizer_hash {
        return format!(
            "tokenizer mismatch draft={} target={}",
            draft.backend_id, target.backend_id
        );
    }
    match said.split_once("; draft params=") {
        Some((head, _)) => format!(
            "{}; draft params={} target params={}",
            head, draft.params_hash, target.params_hash
        ),
        None => said.to_owned(),
    }
}

/// Whether acceptance after a fail-over may be acted on.
///
/// # Errors
/// The rule's sentence where it cannot be attributed to a verified-consistent pair.
///
/// # Panics
/// Where the linked library is of another ABI, which the rule has no word for.
pub fn validate_post_failover_acceptance(
    draft: &BackendBinding,
    target: &BackendBinding,
    pre_acceptance: f64,
    post_acceptance: f64,
    forwarded_logits: bool,
) -> Result<(), SpeculativeRoutingError> {
    let module = Module::linked().expect("the linked library serves version 1 of the ABI");
    let (one, other) = sides(draft, target);
    let judged = module.judge(
        (&one, &other),
        pre_acceptance,
        post_acceptance,
        forwarded_logits,
    );
    if judged.accepted {
        return Ok(());
    }
    Err(SpeculativeRoutingError(in_the_rules_words(
        draft,
        target,
        &judged.why,
    )))
}

/// `"REBIND"` where [`validate_post_failover_acceptance`] has an error, else `"LOCK"`.
///
/// # Panics
/// As it.
pub fn route_after_failover(
    draft: &BackendBinding,
    target: &BackendBinding,
    pre_acceptance: f64,
    post_acceptance: f64,
    forwarded_logits: bool,
) -> &'static str {
    match validate_post_failover_acceptance(
        draft,
        target,
        pre_acceptance,
        post_acceptance,
        forwarded_logits,
    ) {
        Ok(()) => "LOCK",
        Err(_) => "REBIND",
    }
}
