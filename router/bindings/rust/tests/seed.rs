//! The rule's four names, in the rule's words.

use specroute_router::{
    params_hash, route_after_failover, validate_post_failover_acceptance, BackendBinding, Module,
    Sampling, Side,
};

fn binding(id: &str, params: &str) -> BackendBinding {
    BackendBinding {
        backend_id: id.to_owned(),
        tokenizer_hash: "vocab".to_owned(),
        params_hash: params.to_owned(),
        kv_block_size: 16,
    }
}

const WANTED: &str = "60b4daf1243ef008";
const STALE: &str = "0a582a5ffabcb4ff";

// Printed by the rule's Python for the same arguments.
#[test]
fn hashes_are_those_of_the_rule() {
    let hash = |t, p, seed, grammar| params_hash(t, p, seed, grammar).unwrap();
    assert_eq!(hash(0.7, 0.95, 42, "json-v1"), WANTED);
    assert_eq!(hash(0.0, 0.95, 42, "json-v1"), STALE);
    assert_eq!(hash(-0.0, 1.0, 0, ""), "ddf7bc13e299c8dd");
    assert_eq!(hash(0.00005, 0.00015, i64::MAX, "g"), "cdba87144eaf1809");
    assert_eq!(hash(2.5, 1e22, 7, "é|x"), "4b09f9bab9617b04");
    assert_eq!(hash(f64::NAN, 1.0, 0, ""), "44c861a41cbc801b");
}

// sha256("v2|0.7000|0.9500|50|0.0500|1.1000|0.0000|-0.5000|42|json-v1"), and with top_k 40.
#[test]
fn version_two_sees_top_k() {
    let module = Module::linked().unwrap();
    let mut sampling = Sampling::new(0.7, 0.95, 42, "json-v1");
    sampling.top_k = 50;
    sampling.min_p = 0.05;
    sampling.repetition_penalty = 1.1;
    sampling.frequency_penalty = -0.5;
    assert_eq!(
        module.params_hash(2, &sampling).unwrap(),
        "4985aaa4b39cb99c"
    );
    assert_eq!(sampling.hash(2).unwrap(), 0x4985_aaa4_b39c_b99c);
    sampling.top_k = 40;
    assert_eq!(
        module.params_hash(2, &sampling).unwrap(),
        "a4dad4e4dcb16cef"
    );
    assert_eq!(sampling.hash(1).unwrap(), 0x60b4_daf1_243e_f008);
    assert!(module.params_hash(3, &sampling).is_err());
}

#[test]
fn the_incident_is_rejected_and_a_genuine_gain_is_not() {
    let (draft, target) = (
        binding("draft-a10g-02", STALE),
        binding("target-h100-07", WANTED),
    );
    assert_eq!(
        route_after_failover(&draft, &target, 0.41, 0.94, true),
        "REBIND"
    );
    let healthy = binding("draft-a10g-02", WANTED);
    assert_eq!(
        route_after_failover(&healthy, &target, 0.41, 0.94, true),
        "LOCK"
    );
    // A delta of 0.25 is none beyond 0.25, both rates being exact in binary.
    assert_eq!(
        route_after_failover(&draft, &target, 0.5, 0.75, false),
        "LOCK"
    );
}

#[test]
fn each_sentence_is_the_rules() {
    let target = binding("t", WANTED);
    let mut other_vocabulary = binding("d", WANTED);
    other_vocabulary.tokenizer_hash = "other".to_owned();
    let mut other_blocks = binding("d", WANTED);
    other_blocks.kv_block_size = 32;
    let stale = binding("d", STALE);
    let cases = [
        (
            &other_vocabulary,
            true,
            "tokenizer mismatch draft=d target=t",
        ),
        (
            &other_blocks,
            true,
            "kv block size mismatch; verifier positional indices unreliable",
        ),
        (
            &stale,
            true,
            "draft/target sampling params differ while logits are forwarded; \
             acceptance measures argmax agreement, not speculative correctness",
        ),
        (
            &stale,
            false,
            "unattributable acceptance spike delta=0.530; \
             draft params=0a582a5ffabcb4ff target params=60b4daf1243ef008",
        ),
    ];
    for (draft, logits, sentence) in cases {
        let said = validate_post_failover_acceptance(draft, &target, 0.41, 0.94, logits);
        assert_eq!(said.unwrap_err().to_string(), sentence);
    }
}

// The text is all there, however many digits a rate has.
#[test]
fn judge_gives_its_whole_sentence() {
    let module = Module::linked().unwrap();
    let side = |params| Side::new(1).tokenizer(1).params(params).kv_block_tokens(16);
    let judged = module.judge((&side(1), &side(2)), 0.0, 1e300, false);
    assert!(!judged.accepted);
    assert!(judged.why.len() > 300, "{}", judged.why);
    assert!(
        judged.why.ends_with("target params=0000000000000002"),
        "{}",
        judged.why
    );
}
