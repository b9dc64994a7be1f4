"""The Python binding: its sentences as stated here, and, where the requirement's text is at hand
(../shared/spec/seed.md beside the checkout), everything it says against the code in that text."""

import dataclasses
import pathlib
import random
import re
import struct
import sys
import types
import unittest

import specroute_router as ours

ROOT = pathlib.Path(__file__).resolve().parents[2]
SEED = ROOT.parent / "shared" / "spec" / "seed.md"


def seed_module():
    """The requirement's code, run from its text."""
    (code,) = re.findall(r"^```python\n(.*?)^```", SEED.read_text(encoding="utf-8"), re.M | re.S)
    module = sys.modules["seed"] = types.ModuleType("seed")
    exec(compile(code, str(SEED), "exec"), module.__dict__)
    return module


def answer(module, draft, target, *rates_and_forwarding):
    """What validate_ does and route_ says, with nothing of the module left in it."""
    sides = [module.BackendBinding(*side) for side in (draft, target)]
    try:
        said = module.validate_post_failover_acceptance(*sides, *rates_and_forwarding)
    except module.SpeculativeRoutingError as error:
        said = str(error)
    return said, module.route_after_failover(*sides, *rates_and_forwarding)


@unittest.skipUnless(SEED.is_file(), f"{SEED.name} is absent: the binding was not held against it")
class AgainstTheSeed(unittest.TestCase):
    def test_hashes_as_the_seed(self):
        seed = seed_module()
        draws = random.Random(20261106)
        for index in range(2000):
            bits = struct.unpack("<2d", draws.randbytes(16))
            temperature, top_p = bits if index % 2 else (draws.uniform(0, 2), draws.random())
            asked = (temperature, top_p, draws.getrandbits(64) - 2**63, draws.choice(["", "é|x", "g\0h"]))
            self.assertEqual(ours.params_hash(*asked), seed.params_hash(*asked), asked)

    def test_answers_as_the_seed(self):
        seed = seed_module()
        draws = random.Random(20261106)
        texts = ["", "60b4daf1243ef008", "0a582a5ffabcb4ff", "60B4DAF1243EF008", "v", "é"]
        rates = [0.0, 0.41, 0.66, 0.94, 1.0, float("inf"), float("nan"), -1e308]
        seen = set()
        for _ in range(5000):
            draft, target = (
                (draws.choice("dt"), draws.choice(texts[:2]), draws.choice(texts), draws.choice([0, 16, 2**40]))
                for _ in "dt"
            )
            asked = (draft, target, draws.choice(rates), draws.choice(rates), draws.random() < 0.5)
            expected = answer(seed, *asked)
            self.assertEqual(answer(ours, *asked), expected, asked)
            seen.add((expected[0] or "none")[:12])
        # Every sentence of the rule, and its silence, was compared.
        self.assertEqual(len(seen), 5)


class Binding(unittest.TestCase):
    def test_refuses_a_seed_that_the_abi_cannot_hold(self):
        for beyond in (2**63, -(2**63) - 1):
            with self.assertRaises(OverflowError):
                ours.params_hash(0.7, 0.95, beyond, "")

    def test_says_which_sentence_of_the_rule_was_broken(self):
        target = ours.BackendBinding("t", "vocab", "60b4daf1243ef008", 16)
        cases = [
            ({"tokenizer_hash": "other"}, 0.41, True, "tokenizer mismatch draft=t target=t"),
            ({"kv_block_size": 32}, 0.41, True, "kv block size mismatch"),
            ({"params_hash": "0a582a5ffabcb4ff"}, 0.41, True, "argmax agreement"),
            (
                {"params_hash": "0a582a5ffabcb4ff"},
                0.94,
                False,
                "delta=0.530; draft params=0a582a5ffabcb4ff target params=60b4daf1243ef008",
            ),
        ]
        for changed, after, forwarded, sentence in cases:
            draft = dataclasses.replace(target, **changed)
            with self.assertRaisesRegex(ours.SpeculativeRoutingError, re.escape(sentence)):
                ours.validate_post_failover_acceptance(draft, target, 0.41, after, forwarded)
        # Delta may be up to 0.25 between sides that differ, and anything between equal ones.
        differs = dataclasses.replace(target, params_hash="0a582a5ffabcb4ff")
        self.assertEqual(ours.route_after_failover(differs, target, 0.5, 0.75, False), "LOCK")
        self.assertEqual(ours.route_after_failover(target, target, 0.1, 0.99, True), "LOCK")

    def test_the_incident_is_rejected(self):
        draft = ours.BackendBinding("draft-a10g-02", "vocab", ours.params_hash(0.0, 0.95, 42, "json-v1"), 16)
        target = ours.BackendBinding("target-h100-07", "vocab", ours.params_hash(0.7, 0.95, 42, "json-v1"), 16)
        self.assertEqual(ours.route_after_failover(draft, target, 0.41, 0.94, True), "REBIND")
        with self.assertRaisesRegex(ours.SpeculativeRoutingError, "argmax agreement"):
            ours.validate_post_failover_acceptance(draft, target, 0.41, 0.94, True)
        self.assertTrue(issubclass(ours.SpeculativeRoutingError, RuntimeError))

    def test_a_binding_is_a_frozen_value(self):
        one = ours.BackendBinding("d", "v", "p", 16)
        self.assertEqual(one, ours.BackendBinding("d", "v", "p", 16))
        with self.assertRaises(AttributeError):
            one.params_hash = "q"


if __name__ == "__main__":
    unittest.main()
