"""The device of a person, which is a program."""

import json
import os
import pathlib
import shutil
import subprocess
import tempfile

from processes import PROGRAMS

PIN = "271905"
# The exit code of countersign.
NOTHING_WAITS = 2


class Device:
    """The program countersign with an account, in a home of its own."""

    def __init__(self, verifier):
        self.home = pathlib.Path(tempfile.mkdtemp(prefix="web-tests-device-"))
        settings = self.home / ".config/countersign/countersign.json"
        settings.parent.mkdir(parents=True)
        printed = verifier.command("init")
        block = printed[printed.index("\n    {\n"):printed.index("\n    }\n")] + "}"
        settings.write_text(block)
        settings.chmod(0o600)
        words = ["activation", "create", verifier.account, "--json"]
        activation = json.loads(verifier.command(*words))
        self.run("activate", activation["id"], "--pin-fd", "0", lines=[activation["code"], PIN])

    def run(self, *words, lines=(), accepted=(0,)):
        environment = {
            name: value for name, value in os.environ.items() if not name.startswith("XDG_")}
        done = subprocess.run(
            [PROGRAMS / "countersign", *words], input="".join(line + "\n" for line in lines),
            capture_output=True, text=True, check=False,
            env={**environment, "HOME": str(self.home), "no_proxy": "localhost"})
        if done.returncode not in accepted:
            raise AssertionError(" ".join(words) + ": " + done.stderr)
        return done.stdout

    def pending(self):
        output = self.run("pending", "--json", accepted=(0, NOTHING_WAITS))
        return json.loads(output)["transactions"] if output else []

    def approve(self, transaction):
        words = ["--yes", "--with", "pin", "--pin-fd", "0"]
        self.run("approve", transaction, *words, lines=[PIN])

    def consent(self, transaction):
        """Approves without the PIN, which takes a processor less time."""
        self.run("approve", transaction, "--yes", "--with", "consent")

    def close(self):
        shutil.rmtree(self.home)
