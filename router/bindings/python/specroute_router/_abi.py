"""specroute/policy_abi.h, version 1, for ctypes: its records, its table, and the library itself."""

import ctypes
import os
from ctypes import c_char_p, c_double, c_int32, c_int64, c_size_t, c_uint16, c_uint32, c_uint64, c_void_p

ABI = 1 << 16
SONAME = "libspecroute_router.so.1"
FOREVER = 2**64 - 1

OK, IGNORED, E_CONFIG, E_SPACE, E_FULL = 0, 1, -2, -6, -7
HOLD, LOCK, REBIND, NO_DRAFT, QUARANTINE = range(0x100, 0x105)
TOKENIZER, PARAMS, KV, MASK, MODEL = 1, 2, 4, 8, 16
CANDIDATE, BIND, UNBIND, WINDOW, FAILOVER, SAMPLING, HEALTH, QUALITY, OUTCOME, TICK = range(1, 11)


def _record(name, *fields):
    """A structure of the header: (type, names) pairs in its order."""
    named = [(field, of) for of, names in fields for field in names.split()]
    return type(name, (ctypes.Structure,), {"_fields_": named})


Str = _record("Str", (c_void_p, "ptr"), (c_size_t, "len"))
Error = _record("Error", (c_uint32, "struct_size cap"), (c_void_p, "buf"), (c_uint32, "len config_offset"))
Host = _record("Host", (c_uint32, "struct_size abi"), (c_void_p, "ctx alloc free log"))
Side = _record(
    "Side",
    (c_uint64, "backend incarnation model tokenizer params_v1 params_v2"),
    (c_uint32, "kv_block_tokens mask known provenance"),
    (c_uint64 * 2, "reserved"),
)
Profile = _record("Profile", (c_uint64, "id required_v1 required_v2 reserved"))
Record = _record("Record", (c_uint32, "size"), (c_uint16, "type flags"), (c_uint64, "now seq pairing"))
EvCandidate = _record(
    "EvCandidate", (Record, "h"), (Side, "side"), (c_uint32, "role available"), (c_int64, "load_ppm"), (c_uint64, "profile")
)
EvBind = _record(
    "EvBind", (Record, "h"), (Profile, "profile"), (Side, "draft target"), (c_uint32, "forward rule draft_tokens reserved")
)
EvUnbind = _record("EvUnbind", (Record, "h"), (c_uint64, "reserved"))
EvWindow = _record(
    "EvWindow",
    (Record, "h"),
    (Profile, "profile"),
    (Side, "draft target"),
    (c_uint64, "from to steps drafted accepted"),
    (c_uint64 * 16, "accepted_at"),
    (c_uint64, "completions latency_p50_ns"),
    (c_uint32, "positions window_flags"),
)
EvFailover = _record(
    "EvFailover", (Record, "h"), (c_uint64, "from_backend to_backend to_incarnation from_pairing"), (c_uint32, "cause reserved")
)
EvSampling = _record("EvSampling", (Record, "h"), (Profile, "profile"), (Side, "side"), (c_uint32, "origin changed"))
EvHealth = _record("EvHealth", (Record, "h"), (c_uint64, "backend requests errors timeouts reserved"))
EvQuality = _record("EvQuality", (Record, "h"), (c_uint64, "profile sampled looping schema_invalid"))
EvOutcome = _record("EvOutcome", (Record, "h"), (c_uint64, "decision"), (c_uint32, "result reserved"))
EvTick = _record("EvTick", (Record, "h"))
Constraint = _record(
    "Constraint",
    (c_uint64, "required keep_backend"),
    (c_uint64 * 8, "exclude"),
    (c_uint32, "replace match n_exclude params_version"),
)
Decision = _record(
    "Decision",
    (Record, "h"),
    (c_uint64, "id profile"),
    (c_uint32, "gate reason"),
    (c_int64 * 4, "arg"),
    (c_uint64, "valid_until wake_at"),
    (c_int64, "reward_ppm"),
    (c_uint64, "prefer_pairing"),
    (Constraint, "to"),
    (c_uint32, "dry_run reserved"),
)
Sampling = _record(
    "Sampling",
    (c_double, "temperature top_p min_p repetition_penalty presence_penalty frequency_penalty"),
    (c_int64, "seed"),
    (c_int32, "top_k"),
    (c_uint32, "rule"),
    (Str, "grammar_id"),
)
Case = _record(
    "Case", (Side, "draft target"), (c_double, "pre_acceptance post_acceptance"), (c_uint32, "forwarded_logits reserved")
)

_pointer = ctypes.POINTER
ALLOC = ctypes.CFUNCTYPE(c_void_p, c_void_p, c_size_t, c_size_t)
FREE = ctypes.CFUNCTYPE(None, c_void_p, c_void_p, c_size_t, c_size_t)
_FUNCTIONS = {
    "validate": ctypes.CFUNCTYPE(c_int32, Str, _pointer(Error)),
    "create": ctypes.CFUNCTYPE(c_int32, _pointer(Host), Str, _pointer(c_void_p), _pointer(Error)),
    "destroy": ctypes.CFUNCTYPE(None, c_void_p),
    "on_event": ctypes.CFUNCTYPE(c_int32, c_void_p, c_void_p, c_void_p, c_size_t, _pointer(c_size_t)),
    "snapshot": ctypes.CFUNCTYPE(c_int32, c_void_p, c_char_p, c_size_t, _pointer(c_size_t)),
    "restore": ctypes.CFUNCTYPE(c_int32, c_void_p, c_char_p, c_size_t, _pointer(Error)),
    "state_digest": ctypes.CFUNCTYPE(c_uint64, c_void_p),
    "reason_code": ctypes.CFUNCTYPE(Str, c_uint32),
    "explain": ctypes.CFUNCTYPE(c_int32, _pointer(Decision), c_char_p, c_size_t, _pointer(c_size_t)),
    "params_hash": ctypes.CFUNCTYPE(c_int32, c_uint32, _pointer(Sampling), c_char_p),
    "judge": ctypes.CFUNCTYPE(c_int32, _pointer(Case), c_char_p, c_size_t, _pointer(c_size_t)),
}
Module = _record(
    "Module", (c_uint32, "struct_size abi"), (Str, "name version config_schema"), *((of, name) for name, of in _FUNCTIONS.items())
)


def _load():
    """The library, which must stay referenced, and its table."""
    loaded = ctypes.CDLL(os.environ.get("SPECROUTE_ROUTER_LIBRARY") or SONAME)
    loaded.srp_module_get.argtypes = [c_uint32]
    loaded.srp_module_get.restype = _pointer(Module)
    table = loaded.srp_module_get(ABI)
    if not table or table.contents.struct_size < ctypes.sizeof(Module):
        raise ImportError("the specroute router library does not serve version 1 of its ABI")
    return loaded, table.contents


library, module = _load()


def text(borrowed):
    """A text that the module lends for good."""
    return ctypes.string_at(borrowed.ptr, borrowed.len).decode() if borrowed.len else ""


def lent(of):
    """Bytes as the ABI borrows them: as long as `of` is referenced."""
    return Str(ctypes.cast(of, c_void_p), len(of))
