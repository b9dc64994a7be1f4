"""A program that answers events wrongly: its argument says how."""

import json
import os
import random
import signal
import sys
import time

how = sys.argv[1]
count = 0
for line in sys.stdin:
    message = json.loads(line)
    answer = "[]"
    if "hello" in message:
        answer = '{"name": "hostile", "version": "0"}'
        if how == "refuse":
            answer = '{"error": "I only serve on Sundays"}'
        if how == "greet_with_garbage":
            answer = "hello yourself"
    else:
        count += 1
    if count == 10:
        where = {"pairing": 1, "profile": 1}
        if how == "die":
            print("boom at ten", file=sys.stderr)
            sys.exit(3)
        if how == "killed":
            os.kill(os.getpid(), signal.SIGKILL)
        if how == "hang":
            time.sleep(60)
        if how == "late":
            time.sleep(6)
        if how == "close":
            os.close(1)
            time.sleep(60)
        if how == "garbage":
            answer = "}{ not json"
        if how == "long":
            answer = "[" + "1," * 2**20
        if how == "endless":
            while True:
                sys.stdout.write("x" * 65536)
        if how == "two_lines":
            answer = "[]\n[]"
        if how == "half":
            sys.stdout.write('[{"type"')
            sys.stdout.flush()
            time.sleep(60)
        if how == "misspelt":
            answer = json.dumps([{"type": "lok", **where}, {"type": "hold", "paring": 1, "profile": 1}])
        if how == "unknown_pairing":
            answer = json.dumps([{"type": "hold", "pairing": 77, "profile": 1}])
        if how == "no_end":
            answer = json.dumps([{"type": "no_draft", **where, "pairing": message["pairing"],
                                  "profile": 1}])
        if how == "number":
            answer = "42"
        if how == "dice":
            answer = "[]"
    if how == "dice" and message.get("type") == "window":
        answer = json.dumps([{"type": "hold", "pairing": message["pairing"],
                              "profile": message["profile"]["id"], "arg": [random.getrandbits(40)]}])
    print(answer, flush=True)
if how == "last_word":
    print("[]", flush=True)
if how == "bad_end" and count > 0:
    print("could not save", file=sys.stderr)
    sys.exit(5)
if how == "crash_at_end" and count > 0:
    os.kill(os.getpid(), signal.SIGSEGV)
