"""Processes that end with the tests, and their output."""

import itertools
import json
import os
import pathlib
import subprocess
import threading
import time

PROGRAMS = pathlib.Path(os.environ["PROGRAMS"])
ROOT = pathlib.Path(__file__).resolve().parents[2]
PEER = [
    ROOT / ".build/reference-checkers/bin/python", "-B",
    ROOT / "Tests/ReferenceCheckers/threeds_peer.py",
]
# Also if the tests are killed.
BOUND = ["setpriv", "--pdeathsig", "KILL"]


class Log:
    """The lines that a process writes, with their times."""

    def __init__(self, file):
        self.lines = []
        self.changed = threading.Condition()
        threading.Thread(target=self.read, args=[file], daemon=True).start()

    def read(self, file):
        for line in file:
            with self.changed:
                self.lines.append((time.time(), json.loads(line)))
                self.changed.notify_all()
        with self.changed:
            self.lines.append((time.time(), {"message": "the end"}))
            self.changed.notify_all()

    def wait(self, condition, start=0):
        """The time of the first line from `start` that the condition accepts."""
        with self.changed:
            deadline = time.monotonic() + 60
            for index in itertools.count(start):
                while index >= len(self.lines):
                    if not self.changed.wait(deadline - time.monotonic()):
                        raise AssertionError(self.lines)
                moment, line = self.lines[index]
                if condition(line):
                    return moment
                if line["message"] == "the end":
                    raise AssertionError(self.lines)


class Peer:
    """`threeds_peer.py`, which describes its commands: shop, 3DS server and directory server."""

    def __init__(self):
        self.lock = threading.Lock()
        self.process = subprocess.Popen(
            [*BOUND, *PEER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def run(self, command, **members):
        with self.lock:
            print(json.dumps({"command": command, **members}), file=self.process.stdin, flush=True)
            result = json.loads(self.process.stdout.readline())
        if result.get("failure") or result["problems"]:
            raise AssertionError(result)
        return result

    def close(self):
        self.process.stdin.close()
        self.process.wait(30)
        self.process.stdout.close()
