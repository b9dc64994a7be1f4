"""router/examples/replica_gate.py plays the incident: three replicas, one lost, a stale heir. And the code
of router/README.md does what its comments say."""

import asyncio
import contextlib
import io
import pathlib
import re
import sys
import types
import unittest

import specroute_router as specroute

ROUTER = pathlib.Path(__file__).resolve().parents[2] / "router"
sys.path.insert(0, str(ROUTER / "examples"))
import replica_gate  # noqa: E402

WANTED = specroute.params_hash(0.7, 0.95, 42, "json-v1")
STALE = specroute.params_hash(0.0, 0.95, 42, "json-v1")


class Clock:
    """Seconds that the test sets."""

    def __init__(self):
        self.seconds = 0

    def __call__(self):
        return self.seconds * 10**9


def after_the_take_over(config):
    said, clock = [], Clock()
    gate = replica_gate.ReplicaGate(config, WANTED, log=said.append, clock=clock)
    for name in "abc":
        gate.bind(name)
    for clock.seconds in range(1, 61):
        gate.scraped("a", clock.seconds * 500, clock.seconds * 1000, clock.seconds * 410, WANTED, WANTED)
    gate.take_over("a", "b")
    clock.seconds = 61
    gate.scraped("b", 500, 1000, 940, STALE, WANTED)
    return gate, said, clock


class ReplicaGate(unittest.TestCase):
    def test_bars_the_stale_heir_for_a_while(self):
        gate, said, clock = after_the_take_over({"gate": "validity"})
        self.assertEqual([gate.allows(name) for name in ("b", "c", "unknown")], [False, True, True])
        self.assertIn("REBIND", said[-2])
        self.assertIn("NO_DRAFT", said[-1])
        clock.seconds = 92  # no_draft_s is 30
        self.assertTrue(gate.allows("b"))
        self.assertEqual(gate.refused, 0)

    def test_in_shadow_mode_only_tells(self):
        gate, said, _ = after_the_take_over({"gate": "validity", "mode": "shadow"})
        self.assertTrue(gate.allows("b"))
        self.assertTrue(said[-1].startswith("specroute (dry run): validity: REBIND"), said[-1])

    def test_takes_a_counter_that_fell_for_a_restart(self):
        gate, said, clock = after_the_take_over({"gate": "none"})
        clock.seconds = 62
        gate.scraped("b", 5, 10, 9, STALE, WANTED)
        self.assertEqual(gate.refused, 0)

    def test_goes_on_where_an_event_is_refused(self):
        gate, said, clock = after_the_take_over({"gate": "validity"})
        clock.seconds = 3  # a clock that went back
        gate.scraped("c", 500, 1000, 410, WANTED, WANTED)
        gate.tick()
        self.assertGreaterEqual(gate.refused, 1)
        self.assertTrue(gate.allows("c"))

    def test_a_wrong_configuration_ends_the_start(self):
        with self.assertRaises(specroute.ConfigError):
            replica_gate.ReplicaGate({"gate": "validty"}, WANTED)


class InRouters(unittest.TestCase):
    def test_litellm_gets_the_deployments_that_are_allowed(self):
        gate, _, _ = after_the_take_over({"gate": "validity"})
        named = {name: {"model_info": {"id": name}} for name in "bc"}
        ask = replica_gate.DeploymentFilter(gate).async_filter_deployments
        self.assertEqual(asyncio.run(ask("m", [named["b"], named["c"]], None)), [named["c"]])
        self.assertEqual(asyncio.run(ask("m", [named["b"]], None)), [named["b"]])

    def test_ray_serve_gets_the_barred_last(self):
        gate, _, _ = after_the_take_over({"gate": "validity"})
        b, c = (types.SimpleNamespace(replica_id=types.SimpleNamespace(unique_id=name)) for name in "bc")
        self.assertEqual(replica_gate.gated_replicas(gate, [b, c]), [[c], [b]])
        self.assertEqual(replica_gate.gated_replicas(gate, [b]), [[b]])


class Readme(unittest.TestCase):
    def test_runs_as_it_is_written(self):
        (code,) = re.findall(r"^```python\n(.*?)^```", (ROUTER / "README.md").read_text(encoding="utf-8"), re.M | re.S)
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            exec(compile(code, "README.md", "exec"), {})
        self.assertTrue(printed.getvalue().startswith("HOLD validity: HOLD pairing 1"), printed.getvalue())


if __name__ == "__main__":
    unittest.main()
