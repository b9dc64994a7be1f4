"""The rule for acceptance after a fail-over: the four names of its code, with its words."""

import ctypes
from dataclasses import dataclass

from ._abi import KV, LOCK, PARAMS, TOKENIZER, Case, Sampling, Str, module


class SpeculativeRoutingError(RuntimeError):
    """A routing decision would act on an unattributable acceptance signal."""


@dataclass(frozen=True)
class BackendBinding:
    """One side of a pairing. params_hash is that of (temperature, top_p, seed, grammar_id)."""

    backend_id: str
    tokenizer_hash: str
    params_hash: str
    kv_block_size: int


def params_hash(temperature: float, top_p: float, seed: int, grammar_id: str) -> str:
    """16 hex digits. OverflowError where the seed has more than 64 bits."""
    if not -(2**63) <= seed < 2**63:
        raise OverflowError("the ABI holds seeds of 64 bits")
    grammar = grammar_id.encode()
    asked = Sampling(temperature=temperature, top_p=top_p, seed=seed)
    asked.grammar_id = Str(ctypes.cast(grammar, ctypes.c_void_p), len(grammar))
    digits = ctypes.create_string_buffer(17)
    status = module.params_hash(1, ctypes.byref(asked), digits)
    if status != 0:
        raise RuntimeError(f"params_hash is refused: {status}")
    return digits.value.decode()


def _numbers(draft, target):
    """Two numbers, equal exactly where the two values are: the rule asks for no more."""
    return (1, 1) if draft == target else (1, 2)


def _case(draft, target, pre_acceptance, post_acceptance, forwarded_logits):
    case = Case(
        pre_acceptance=pre_acceptance,
        post_acceptance=post_acceptance,
        forwarded_logits=1 if forwarded_logits else 0,
    )
    case.draft.known = case.target.known = TOKENIZER | PARAMS | KV
    case.draft.backend, case.target.backend = 1, 2
    case.draft.tokenizer, case.target.tokenizer = _numbers(
        draft.tokenizer_hash, target.tokenizer_hash
    )
    case.draft.params_v1, case.target.params_v1 = _numbers(draft.params_hash, target.params_hash)
    case.draft.kv_block_tokens, case.target.kv_block_tokens = _numbers(
        draft.kv_block_size, target.kv_block_size
    )
    return case


def _why(draft, target, said):
    """The ABI has numbers where the sentences have the names and hashes that were given."""
    if draft.tokenizer_hash != target.tokenizer_hash:
        return f"tokenizer mismatch draft={draft.backend_id} target={target.backend_id}"
    head, hashes, _ = said.partition("; draft params=")
    if hashes:
        return f"{head}{hashes}{draft.params_hash} target params={target.params_hash}"
    return said


def validate_post_failover_acceptance(
    draft: BackendBinding,
    target: BackendBinding,
    pre_acceptance: float,
    post_acceptance: float,
    forwarded_logits: bool,
) -> None:
    """SpeculativeRoutingError where the acceptance may not be acted on; else nothing."""
    case = _case(draft, target, pre_acceptance, post_acceptance, forwarded_logits)
    said = ctypes.create_string_buffer(512)  # the longest sentence holds a double of 314 characters
    if module.judge(ctypes.byref(case), said, len(said), None) != LOCK:
        raise SpeculativeRoutingError(_why(draft, target, said.value.decode()))


def route_after_failover(
    draft: BackendBinding,
    target: BackendBinding,
    pre_acceptance: float,
    post_acceptance: float,
    forwarded_logits: bool,
) -> str:
    """The answer: "REBIND" where the pairing is to be rejected, else "LOCK"."""
    try:
        validate_post_failover_acceptance(
            draft, target, pre_acceptance, post_acceptance, forwarded_logits
        )
    except SpeculativeRoutingError:
        return "REBIND"
    return "LOCK"
