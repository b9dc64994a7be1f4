"""The Python face of an instance: its records against the frozen list of the C header, the incident's
stream, snapshots, and what a host may do wrong."""

import ctypes
import pathlib
import re
import unittest

import specroute_router as router
from specroute_router import _abi as abi

FROZEN = pathlib.Path(__file__).resolve().parents[1] / "unit" / "router" / "abi_frozen.h"
WANTED = router.params_hash(0.7, 0.95, 42, "json-v1")
STALE = router.params_hash(0.0, 0.95, 42, "json-v1")
DRAFT, OLD_TARGET, NEW_TARGET = 2, 3, 7
SECOND = 10**9


def side(backend, params=WANTED, provenance=router.CLAIMED):
    return router.side(
        backend, tokenizer=11, params=params, kv_block_tokens=16, mask=1, model=100 if backend == DRAFT else 200, provenance=provenance
    )


PROFILE = router.profile(1, WANTED)


def window(policy, at_s, pairing, target, accepted, draft_params=WANTED):
    """50 ms in which 1000 tokens were drafted, both engines reporting what they run with."""
    now = round(at_s * SECOND)
    return policy.window(
        now,
        pairing,
        PROFILE,
        side(DRAFT, draft_params, router.LIVE),
        side(target, WANTED, router.LIVE),
        start=now - SECOND // 20,
        steps=500,
        drafted=1000,
        accepted=accepted,
    )


def bind(policy, at_s, pairing, target):
    return policy.bind(at_s * SECOND, pairing, PROFILE, side(DRAFT), side(target), forward=router.FORWARD_LOGITS, draft_tokens=2)


def failed_over(config):
    """60 s at acceptance 0.413; then target 7 takes over at 100 s as pairing 2."""
    policy = router.Policy(config)
    bind(policy, 0, 1, OLD_TARGET)
    for at_s in range(39, 99):
        window(policy, at_s, 1, OLD_TARGET, 413)
    policy.failover(100 * SECOND, 2, 1, OLD_TARGET, NEW_TARGET)
    bind(policy, 100, 2, NEW_TARGET)
    policy.unbind(100 * SECOND, 1)
    return policy


class Records(unittest.TestCase):
    def test_are_those_of_the_frozen_header(self):
        text = re.sub(r"^#.*", "", FROZEN.read_text(encoding="utf-8"), flags=re.M)
        sizes = dict(re.findall(r"FROZEN_SIZE\((srp_\w+), (\d+)\)", text))
        fields = re.findall(r"FROZEN_FIELD\((srp_\w+), (\w+), (\d+),", text)
        self.assertGreater(len(fields), 120)

        def python_type(name):
            return getattr(abi, "".join(part.capitalize() for part in name.removeprefix("srp_").split("_")))

        for name, size in sizes.items():
            self.assertEqual(ctypes.sizeof(python_type(name)), int(size), name)
        for name, field, offset in fields:
            self.assertEqual(getattr(python_type(name), field).offset, int(offset), f"{name}.{field}")


class Incident(unittest.TestCase):
    def test_gate_none_locks_it(self):
        policy = failed_over({"gate": "none"})
        (lock,) = window(policy, 100.1, 2, NEW_TARGET, 943, STALE)
        self.assertEqual((lock.kind, lock.prefer_pairing, lock.reward_ppm), ("LOCK", 2, 943_000))
        self.assertEqual(lock.valid_until, 400_100_000_000)  # one cool-down of 300 s after the window
        self.assertFalse(lock.dry_run)

    def test_gate_validity_replaces_the_stale_draft(self):
        policy = failed_over('{"gate": "validity"}')
        (rebind,) = window(policy, 100.1, 2, NEW_TARGET, 943, STALE)
        self.assertEqual((rebind.kind, rebind.reason), ("REBIND", "params_differ_logits_forwarded"))
        self.assertEqual((rebind.replace, rebind.keep_backend), (router.REPLACE_DRAFT, NEW_TARGET))
        self.assertEqual((rebind.required_params, rebind.exclude), (int(WANTED, 16), (DRAFT,)))
        self.assertIn("draft params=" + STALE, rebind.explanation)
        self.assertEqual(policy.outcome(101 * SECOND, rebind.id, router.DONE), [])

    def test_a_shadow_gate_marks_what_it_says(self):
        (said,) = window(failed_over({"gate": "validity", "mode": "shadow"}), 100.1, 2, NEW_TARGET, 943, STALE)
        self.assertTrue(said.dry_run)

    def test_every_kind_of_event_is_taken(self):
        policy = failed_over({"gate": "validity"})
        now = 101 * SECOND
        policy.candidate(now, side(20, WANTED), router.REPLACE_DRAFT, 1, load_ppm=500_000)
        policy.sampling(now, PROFILE, side(DRAFT, STALE, router.LIVE))
        policy.health(now, NEW_TARGET, 10, 1, 1)
        policy.quality(now, 2, 1, sampled=10, looping=2)
        policy.tick(now)
        policy.window(now, 2, PROFILE, side(DRAFT), side(NEW_TARGET), steps=1, drafted=2, accepted=1, accepted_at=[1, 0])

    # The library answers a tick for two hundred pairings in parts.
    def test_a_tick_has_all_its_decisions(self):
        policy = router.Policy({"gate": "cooldown_only", "cool_down_s": 10})
        for pairing in range(1, 201):
            bind(policy, 1, pairing, NEW_TARGET)
            window(policy, 1, pairing, NEW_TARGET, 413)
        self.assertEqual([said.kind for said in policy.tick(11 * SECOND)].count("LOCK"), 200)


class Refusals(unittest.TestCase):
    def test_of_a_configuration_name_its_byte(self):
        with self.assertRaisesRegex(router.ConfigError, '"validity"') as raised:
            router.Policy('{"gate": "validty"}')
        self.assertEqual(raised.exception.offset, 9)
        for text in ("", "{", "null", '{"gate": "none", "gate": "none"}', "[" * 100_000, "\0"):
            with self.assertRaises(router.ConfigError):
                router.validate(text)
        router.validate({"gate": "bandit"})

    def test_of_an_event_change_nothing(self):
        policy = failed_over({"gate": "validity"})
        before = policy.digest()
        refused = [
            (-3, lambda: window(policy, 101, 2, NEW_TARGET, 1001)),
            (-4, lambda: window(policy, 99, 2, NEW_TARGET, 413)),
            (-5, lambda: bind(policy, 101, 2, NEW_TARGET)),
            (-3, lambda: policy.record(b"\xff" * 40)),
            (-3, lambda: policy.record(b"")),
        ]
        for code, call in refused:
            with self.assertRaises(router.EventError) as raised:
                call()
            self.assertEqual(raised.exception.code, code)
        self.assertEqual(policy.digest(), before)

    def test_an_unknown_event_is_none(self):
        head = abi.Record(40, 0x7777, 0, 101 * SECOND, 1, 0)
        self.assertEqual(failed_over({"gate": "none"}).record(bytes(head) + bytes(8)), [])


class State(unittest.TestCase):
    def test_a_restored_policy_has_the_same_future(self):
        lived = failed_over({"gate": "validity"})
        restored = router.Policy({"gate": "validity"})
        restored.restore(lived.snapshot())
        self.assertEqual(restored.digest(), lived.digest())
        futures = [window(policy, 101, 2, NEW_TARGET, 943, STALE) for policy in (lived, restored)]
        self.assertEqual([said.kind for said in futures[0]], ["REBIND"])
        self.assertEqual(restored.digest(), lived.digest())

    def test_a_damaged_snapshot_is_refused(self):
        policy = failed_over({"gate": "validity"})
        data = bytearray(policy.snapshot())
        data[40] ^= 64
        for damaged in (data, data[:8], b""):
            with self.assertRaises(router.EventError) as raised:
                policy.restore(damaged)
            self.assertEqual(raised.exception.code, -5)

    def test_memory_goes_back_to_the_host(self):
        from specroute_router import _policy

        before = len(_policy._memory._lent)
        with router.Policy({"gate": "validity"}):
            self.assertEqual(len(_policy._memory._lent), before + 1)
        self.assertEqual(len(_policy._memory._lent), before)


if __name__ == "__main__":
    unittest.main()
