#!/usr/bin/env python3
"""The gate of gate.c as a program of its own: JSON lines on standard input and output.

    specroute run SCENARIO --policy 'exec:python3 gate_exec.py --windows 3'

The first line greets; each further line is one event, answered with one line: the decisions. What
is printed on standard error is shown where something goes wrong. Nothing but the standard library.
"""

import argparse
import json
import sys


class Gate:
    """Rewards a pairing after N windows in a row in which both engines report equal parameters."""

    def __init__(self, windows, lock_s):
        self.windows = windows
        self.lock_ns = lock_s * 10**9
        self.rows = {}  # by (pairing, profile)

    def on_event(self, event):
        """The decisions about one event."""
        if event["type"] == "window":
            decision = self.on_window(event)
            return [decision] if decision else []
        if event["type"] == "unbind":
            for key in [key for key in self.rows if key[0] == event["pairing"]]:
                del self.rows[key]
        return []

    def on_window(self, window):
        key = (window["pairing"], window["profile"]["id"])
        row = self.rows.setdefault(key, {"run": 0, "locked_until": 0, "rebind_said": False})
        if "stale" in window["window_flags"]:
            return None
        now = nanoseconds(window["now_s"])
        if contradicts(window["draft"], window["target"]):
            row["run"] = row["locked_until"] = 0
            if not row["rebind_said"]:
                row["rebind_said"] = True
                return rebind(window)
        elif not is_live(window) or "counter_reset" in window["window_flags"]:
            row["run"] = 0
            if row["locked_until"] > now:
                row["locked_until"] = 0
                return decide(window, "hold", "no_longer_live", 3,
                              "the engines no longer report what they serve")
        else:
            row["run"] += 1
            if row["run"] >= self.windows and row["locked_until"] <= now and window["drafted"] > 0:
                row["locked_until"] = now + self.lock_ns
                return lock(window, row)
        return None


def nanoseconds(seconds):
    """Dates come as decimals exact to the nanosecond, which a float is not."""
    whole, _, fraction = str(seconds).partition(".")
    return int(whole) * 10**9 + int(fraction.ljust(9, "0") or 0)


def contradicts(draft, target):
    known = set(draft["known"]) & set(target["known"])
    return ("params" in known and draft["params_v1"] != target["params_v1"]) or (
        "tokenizer" in known and draft["tokenizer"] != target["tokenizer"])


def is_live(window):
    draft, target = window["draft"], window["target"]
    required = window["profile"]["required_v1"]
    return ({"params", "tokenizer"} <= set(draft["known"]) & set(target["known"])
            and draft["provenance"] == target["provenance"] == "live"
            and (int(required, 16) == 0 or draft["params_v1"] == required))


def decide(window, kind, reason, code, sentence):
    """The host fills in what is missing: date, number of the event, number of the decision."""
    return {"type": kind, "pairing": window["pairing"], "profile": window["profile"]["id"],
            "reason": reason, "reason_code": code, "explain": sentence}


def rebind(window):
    decision = decide(window, "rebind", "contradiction", 2,
                      "draft and target contradict each other")
    required = window["profile"]["required_v1"]
    decision["to"] = {"replace": "replace_draft", "match": ["tokenizer", "params"],
                      "params_version": 1,
                      "required": required if int(required, 16) else window["target"]["params_v1"],
                      "keep_backend": window["target"]["backend"],
                      "exclude": [window["draft"]["backend"]]}
    return decision


def lock(window, row):
    decision = decide(window, "lock", "consistent_windows", 1,
                      f"{row['run']} consistent windows in a row")
    decision.update(arg=[row["run"]], valid_until=row["locked_until"],
                    reward_ppm=window["accepted"] * 1000000 // window["drafted"],
                    prefer_pairing=window["pairing"])
    return decision


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--windows", type=int, default=3)
    parser.add_argument("--lock-s", type=int, default=60)
    arguments = parser.parse_args()
    gate = Gate(arguments.windows, arguments.lock_s)
    for line in sys.stdin:
        message = json.loads(line, parse_float=str)  # dates keep their digits
        if "hello" in message:
            answer = {"name": "example_gate", "version": "1.0"}
        else:
            answer = gate.on_event(message)
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
