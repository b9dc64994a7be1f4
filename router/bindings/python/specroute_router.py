"""The rule of specroute's policy library, called from Python: BackendBinding, params_hash,
validate_post_failover_acceptance, route_after_failover. Needs the shared library and ctypes, nothing
else.

The library is the file that SPECROUTE_ROUTER_LIBRARY names, else libspecroute_router.so.1 where the
loader finds it.
"""

import ctypes
import os
from dataclasses import dataclass

ABI = 1 << 16
SONAME = "libspecroute_router.so.1"

_LOCK = 0x101
_TOKENIZER, _PARAMS, _KV = 1, 2, 4


class SpeculativeRoutingError(RuntimeError):
    """A routing decision would act on an unattributable acceptance signal."""


@dataclass(frozen=True)
class BackendBinding:
    """One side of a pairing. params_hash is that of (temperature, top_p, seed, grammar_id)."""

    backend_id: str
    tokenizer_hash: str
    params_hash: str
    kv_block_size: int


class _Str(ctypes.Structure):
    _fields_ = [("ptr", ctypes.c_void_p), ("len", ctypes.c_size_t)]


class _Sampling(ctypes.Structure):
    _fields_ = [
        ("temperature", ctypes.c_double),
        ("top_p", ctypes.c_double),
        ("min_p", ctypes.c_double),
        ("repetition_penalty", ctypes.c_double),
        ("presence_penalty", ctypes.c_double),
        ("frequency_penalty", ctypes.c_double),
        ("seed", ctypes.c_int64),
        ("top_k", ctypes.c_int32),
        ("reserved", ctypes.c_uint32),
        ("grammar_id", _Str),
    ]


class _Side(ctypes.Structure):
    _fields_ = [
        ("backend", ctypes.c_uint64),
        ("incarnation", ctypes.c_uint64),
        ("model", ctypes.c_uint64),
        ("tokenizer", ctypes.c_uint64),
        ("params_v1", ctypes.c_uint64),
        ("params_v2", ctypes.c_uint64),
        ("kv_block_tokens", ctypes.c_uint32),
        ("mask", ctypes.c_uint32),
        ("known", ctypes.c_uint32),
        ("provenance", ctypes.c_uint32),
        ("reserved", ctypes.c_uint64 * 2),
    ]


class _Case(ctypes.Structure):
    _fields_ = [
        ("draft", _Side),
        ("target", _Side),
        ("pre_acceptance", ctypes.c_double),
        ("post_acceptance", ctypes.c_double),
        ("forwarded_logits", ctypes.c_uint32),
        ("reserved", ctypes.c_uint32),
    ]


_PARAMS_HASH = ctypes.CFUNCTYPE(
    ctypes.c_int32, ctypes.c_uint32, ctypes.POINTER(_Sampling), ctypes.c_char_p
)
_JUDGE = ctypes.CFUNCTYPE(
    ctypes.c_int32,
    ctypes.POINTER(_Case),
    ctypes.c_char_p,
    ctypes.c_size_t,
    ctypes.POINTER(ctypes.c_size_t),
)


class _Module(ctypes.Structure):
    _fields_ = [
        ("struct_size", ctypes.c_uint32),
        ("abi", ctypes.c_uint32),
        ("name", _Str),
        ("version", _Str),
        ("config_schema", _Str),
        ("validate", ctypes.c_void_p),
        ("create", ctypes.c_void_p),
        ("destroy", ctypes.c_void_p),
        ("on_event", ctypes.c_void_p),
        ("snapshot", ctypes.c_void_p),
        ("restore", ctypes.c_void_p),
        ("state_digest", ctypes.c_void_p),
        ("reason_code", ctypes.c_void_p),
        ("explain", ctypes.c_void_p),
        ("params_hash", _PARAMS_HASH),
        ("judge", _JUDGE),
    ]


def _load():
    """The library, which must stay referenced, and its table."""
    library = ctypes.CDLL(os.environ.get("SPECROUTE_ROUTER_LIBRARY") or SONAME)
    library.srp_module_get.argtypes = [ctypes.c_uint32]
    library.srp_module_get.restype = ctypes.POINTER(_Module)
    table = library.srp_module_get(ABI)
    if not table or table.contents.struct_size < ctypes.sizeof(_Module):
        raise ImportError("the specroute router library does not serve version 1 of its ABI")
    return library, table.contents


_library, _module = _load()


def _text(borrowed):
    return ctypes.string_at(borrowed.ptr, borrowed.len).decode()


__version__ = _text(_module.version)


def params_hash(temperature: float, top_p: float, seed: int, grammar_id: str) -> str:
    """16 hex digits. OverflowError where the seed has more than 64 bits."""
    if not -(2**63) <= seed < 2**63:
        raise OverflowError("the ABI holds seeds of 64 bits")
    grammar = grammar_id.encode()
    asked = _Sampling(temperature=temperature, top_p=top_p, seed=seed)
    asked.grammar_id = _Str(ctypes.cast(grammar, ctypes.c_void_p), len(grammar))
    digits = ctypes.create_string_buffer(17)
    status = _module.params_hash(1, ctypes.byref(asked), digits)
    if status != 0:
        raise RuntimeError(f"params_hash is refused: {status}")
    return digits.value.decode()


def _numbers(draft, target):
    """Two numbers, equal exactly where the two values are: the rule asks for no more."""
    return (1, 1) if draft == target else (1, 2)


def _case(draft, target, pre_acceptance, post_acceptance, forwarded_logits):
    case = _Case(
        pre_acceptance=pre_acceptance,
        post_acceptance=post_acceptance,
        forwarded_logits=1 if forwarded_logits else 0,
    )
    case.draft.known = case.target.known = _TOKENIZER | _PARAMS | _KV
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
    if _module.judge(ctypes.byref(case), said, len(said), None) != _LOCK:
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
