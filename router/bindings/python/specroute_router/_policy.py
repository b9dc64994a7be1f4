"""One instance of a policy. Dates are whole nanoseconds since an epoch that the host chooses, such as
time.monotonic_ns(), and never decrease; hashes are whole numbers or the 16 hex digits of params_hash.
One caller at a time: an instance has no lock.
"""

import ctypes
import json
import sys
from dataclasses import dataclass

from . import _abi as abi
from ._abi import module

CLAIMED, VERIFIED_AT_BIND, LIVE = 0, 1, 2
FORWARD_TOKENS, FORWARD_LOGITS, FORWARD_PROBS = 0, 1, 2
REPLACE_DRAFT, REPLACE_TARGET = 1, 2
DONE, DECLINED_NO_CANDIDATE, DECLINED_NO_CAPACITY, SUPERSEDED = 0, 1, 2, 3
WINDOW_PARTIAL, WINDOW_STALE, WINDOW_COUNTER_RESET, WINDOW_FROM_RATIO = 1, 2, 4, 8

_KINDS = {
    abi.HOLD: "HOLD",
    abi.LOCK: "LOCK",
    abi.REBIND: "REBIND",
    abi.NO_DRAFT: "NO_DRAFT",
    abi.QUARANTINE: "QUARANTINE",
}
_REFUSALS = {
    -3: "a record shorter than its type, or counts that cannot be",
    -4: "its date is before that of an earlier event",
    -5: "a second bind of this pairing and profile, or a snapshot that does not fit",
    -6: "no memory or no room",
}


class ConfigError(ValueError):
    """A configuration is refused; `offset` is the byte of the first fault."""

    def __init__(self, text, offset):
        super().__init__(f"byte {offset}: {text}")
        self.offset = offset


class EventError(RuntimeError):
    """An event or a snapshot is refused, and nothing has changed; `code` is the ABI's."""

    def __init__(self, code):
        super().__init__(_REFUSALS.get(code, f"refused: {code}"))
        self.code = code


@dataclass(frozen=True)
class Decision:
    """A proposal for (pairing, profile). `kind`: HOLD, LOCK, REBIND, NO_DRAFT or QUARANTINE."""

    kind: str
    id: int
    pairing: int
    profile: int
    reason: str
    explanation: str
    valid_until: int  # LOCK, NO_DRAFT, QUARANTINE: when it ends by itself (FOREVER: never); else 0
    wake_at: int  # send a tick at this date; 0: no need
    reward_ppm: int  # LOCK: the acceptance rate rewarded, parts per million
    prefer_pairing: int  # LOCK: the pairing to prefer
    replace: int  # REBIND: REPLACE_DRAFT or REPLACE_TARGET; else 0
    keep_backend: int  # REBIND: the side that stays
    required_params: int  # REBIND: the params hash of the newcomer; 0: not asked for
    exclude: tuple  # REBIND: backends that may not take the side
    dry_run: bool  # shadow mode: not to be carried out


def _bits(value):
    return int(value, 16) if isinstance(value, str) else value


def side(
    backend, *, incarnation=1, model=None, tokenizer=None, params=None, kv_block_tokens=None, mask=None, provenance=CLAIMED
):
    """One side of a pairing; what is None is unknown, and unknown is not equal."""
    made = abi.Side(backend=backend, incarnation=incarnation, provenance=provenance)
    known = [
        (abi.MODEL, model, ["model"]),
        (abi.TOKENIZER, tokenizer, ["tokenizer"]),
        (abi.PARAMS, params, ["params_v1", "params_v2"]),
        (abi.KV, kv_block_tokens, ["kv_block_tokens"]),
        (abi.MASK, mask, ["mask"]),
    ]
    for bit, value, names in known:
        if value is None:
            continue
        made.known |= bit
        for name in names:
            setattr(made, name, _bits(value))
    return made


def profile(of, required=0):
    """A sampling profile and the params hash that it requires; 0: not stated."""
    return abi.Profile(id=of, required_v1=_bits(required), required_v2=_bits(required))


def _refusal():
    """Where a module writes why it refused, and the room for it."""
    room = ctypes.create_string_buffer(4096)
    return abi.Error(ctypes.sizeof(abi.Error), len(room), ctypes.addressof(room), 0, 0), room


def _json(config):
    return (config if isinstance(config, str) else json.dumps(config)).encode()


def _check(status, refusal, room):
    if status == abi.E_CONFIG:
        raise ConfigError(room.value.decode(errors="replace"), refusal.config_offset)
    if status != abi.OK:
        raise EventError(status)


def validate(config):
    """ConfigError where the configuration (JSON text, or what is written as such) is refused."""
    said, room = _refusal()
    given = _json(config)
    _check(module.validate(abi.lent(given), ctypes.byref(said)), said, room)


class _Memory:
    """What instances borrow: buffers by their aligned address, kept until they are given back."""

    def __init__(self):
        self._lent = {}
        self.alloc = abi.ALLOC(self._alloc)
        self.free = abi.FREE(self._free)

    def _alloc(self, _, size, align):
        try:
            buffer = ctypes.create_string_buffer(size + align)
            start = (ctypes.addressof(buffer) + align - 1) // align * align
            self._lent[start] = buffer
            return start
        except (MemoryError, OverflowError, ValueError):
            return None

    def _free(self, _, start, size, align):
        self._lent.pop(start, None)


_memory = _Memory()


class Policy:
    """An instance, from its configuration: JSON text, or a dict. ConfigError where it is refused."""

    _ROOM = 64  # decisions of any event but a tick that wakes more pairings; that one is sent again

    def __init__(self, config):
        self._instance = ctypes.c_void_p()
        self._out = (abi.Decision * self._ROOM)()
        self._seq = 0
        cast = ctypes.cast
        host = abi.Host(struct_size=ctypes.sizeof(abi.Host), abi=abi.ABI)
        host.alloc = cast(_memory.alloc, ctypes.c_void_p)
        host.free = cast(_memory.free, ctypes.c_void_p)
        said, room = _refusal()
        given = _json(config)
        status = module.create(
            ctypes.byref(host), abi.lent(given), ctypes.byref(self._instance), ctypes.byref(said)
        )
        _check(status, said, room)

    def close(self):
        """Gives the instance back; the policy is of no more use."""
        instance, self._instance = self._instance, ctypes.c_void_p()
        module.destroy(instance)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def __del__(self):
        if getattr(self, "_instance", None):
            self.close()

    # ---- events: each returns the list of decisions, and raises EventError where it is refused ----

    def candidate(self, now, of, role, profile_id, *, available=True, load_ppm=0):
        """A spare backend that could take `role`, or news about one."""
        fields = {"side": of, "role": role, "available": int(available), "load_ppm": load_ppm}
        return self._send(abi.EvCandidate, abi.CANDIDATE, now, 0, profile=profile_id, **fields)

    def bind(self, now, pairing, served, draft, target, *, forward=FORWARD_TOKENS, rule=0, draft_tokens=0):
        """The pairing starts to serve a profile."""
        fields = {"profile": served, "draft": draft, "target": target}
        fields.update(forward=forward, rule=rule, draft_tokens=draft_tokens)
        return self._send(abi.EvBind, abi.BIND, now, pairing, **fields)

    def unbind(self, now, pairing):
        """The pairing ends, for all its profiles."""
        return self._send(abi.EvUnbind, abi.UNBIND, now, pairing)

    def window(self, now, pairing, served, draft, target, **counts):
        """Counts of one telemetry period: start, end, steps, drafted, accepted, accepted_at (a list),
        completions, latency_p50_ns, window_flags."""
        positions = list(counts.pop("accepted_at", ()))[:16]
        fields = {"from": counts.pop("start", now), "to": counts.pop("end", now)}
        fields.update(profile=served, draft=draft, target=target, positions=len(positions), **counts)
        fields["accepted_at"] = (ctypes.c_uint64 * 16)(*positions)
        return self._send(abi.EvWindow, abi.WINDOW, now, pairing, **fields)

    def failover(self, now, pairing, from_pairing, from_backend, to_backend, *, to_incarnation=1, cause=0):
        """A target was replaced; sent just before the binds of the new pairing."""
        fields = {"from_pairing": from_pairing, "from_backend": from_backend, "to_backend": to_backend}
        fields.update(to_incarnation=to_incarnation, cause=cause)
        return self._send(abi.EvFailover, abi.FAILOVER, now, pairing, **fields)

    def sampling(self, now, served, of, *, origin=0):
        """The parameters in force on a backend changed for one profile."""
        fields = {"profile": served, "side": of, "origin": origin, "changed": abi.PARAMS}
        return self._send(abi.EvSampling, abi.SAMPLING, now, 0, **fields)

    def health(self, now, backend, requests, errors, timeouts=0):
        """How the backend's requests went since the last such event."""
        fields = {"backend": backend, "requests": requests, "errors": errors, "timeouts": timeouts}
        return self._send(abi.EvHealth, abi.HEALTH, now, 0, **fields)

    def quality(self, now, pairing, profile_id, *, sampled, looping=0, schema_invalid=0):
        """What a detector found that samples completions."""
        fields = {"profile": profile_id, "sampled": sampled, "looping": looping, "schema_invalid": schema_invalid}
        return self._send(abi.EvQuality, abi.QUALITY, now, pairing, **fields)

    def outcome(self, now, decision, result):
        """What became of a decision (its id): DONE, DECLINED_..., SUPERSEDED."""
        return self._send(abi.EvOutcome, abi.OUTCOME, now, 0, decision=decision, result=result)

    def tick(self, now):
        """Time has come to a date that a decision's `wake_at` asked for."""
        return self._send(abi.EvTick, abi.TICK, now, 0)

    def record(self, data):
        """A record as it stands in a trace, of whatever type and length."""
        if len(data) < ctypes.sizeof(abi.Record) or int.from_bytes(data[:4], sys.byteorder) > len(data):
            raise EventError(-3)
        return self._feed(ctypes.create_string_buffer(bytes(data), len(data)))

    def _send(self, of, kind, now, pairing, **fields):
        self._seq += 1
        event = of(**fields)
        event.h = abi.Record(ctypes.sizeof(of), kind, 0, now, self._seq, pairing)
        return self._feed(event)

    def _feed(self, event):
        said = []
        used = ctypes.c_size_t()
        while True:
            status = module.on_event(
                self._instance, ctypes.byref(event), self._out, ctypes.sizeof(self._out), ctypes.byref(used)
            )
            found = used.value // ctypes.sizeof(abi.Decision)
            said += [_decision(one) for one in self._out[:found]]
            if status == abi.E_SPACE and found:
                continue
            if status < 0 and status != abi.E_FULL:
                raise EventError(status)
            return said

    # ---- state ------------------------------------------------------------------------------------

    def snapshot(self):
        """The whole state as bytes."""
        need = ctypes.c_size_t()
        module.snapshot(self._instance, None, 0, ctypes.byref(need))
        room = ctypes.create_string_buffer(need.value)
        _check(module.snapshot(self._instance, room, len(room), None), None, room)
        return room.raw

    def restore(self, data):
        """Takes the state of a policy of the same configuration; EventError where it does not fit."""
        said, room = _refusal()
        _check(module.restore(self._instance, bytes(data), len(data), ctypes.byref(said)), said, room)

    def digest(self):
        """Equal digests, equal futures."""
        return module.state_digest(self._instance)


def _explanation(of):
    room = ctypes.create_string_buffer(2048)
    module.explain(ctypes.byref(of), room, len(room), None)
    return room.value.decode(errors="replace")


def _decision(of):
    asks_params = of.to.match & abi.PARAMS
    return Decision(
        kind=_KINDS.get(of.h.type, str(of.h.type)),
        id=of.id,
        pairing=of.h.pairing,
        profile=of.profile,
        reason=abi.text(module.reason_code(of.reason)),
        explanation=_explanation(of),
        valid_until=of.valid_until,
        wake_at=of.wake_at,
        reward_ppm=of.reward_ppm,
        prefer_pairing=of.prefer_pairing,
        replace=of.to.replace,
        keep_backend=of.to.keep_backend,
        required_params=of.to.required if asks_params else 0,
        exclude=tuple(of.to.exclude[: of.to.n_exclude]),
        dry_run=bool(of.dry_run),
    )
