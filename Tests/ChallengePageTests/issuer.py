"""A verifier, an ACS and the peer of a card scheme, each in a process of its own."""

import base64
import hashlib
import itertools
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import threading
import time

from verifier import PROGRAM, WebServer, free_port

PROGRAMS = pathlib.Path(PROGRAM).parent
ROOT = pathlib.Path(__file__).resolve().parents[2]
PYTHON = ROOT / ".build/reference-checkers/bin/python"
PEER = ROOT / "Tests/ReferenceCheckers/threeds_peer.py"
PIN = "271905"
# The exit code of countersign.
NOTHING_WAITS = 2
# The ranges of the ACS have these numbers; the last digit is the check digit.
FIRST_CARD = 400000391827465
# Each ends with the tests, also if they are killed.
BOUND = ["setpriv", "--pdeathsig", "KILL"]


class CardVerifier(WebServer):
    """A verifier of card payments; it serves the page for browsers if that was built."""

    @property
    def has_page(self):
        return (self.FILES / "index.html").is_file()

    def configured(self, text):
        return super().configured(text) if self.has_page else text


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
            [*BOUND, PYTHON, "-B", PEER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

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


class Issuer:
    """The ACS, with cards of the verifier's current account; `members` change its configuration."""

    def __init__(self, verifier, **members):
        self.verifier = verifier
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="web-tests-acs-"))
        self.pki = self.folder / "pki"
        subprocess.run([PYTHON, "-B", PEER, "pki", self.pki], check=True)
        self.origin = "https://localhost:%d" % free_port()
        self.directories = free_port()
        self.peer = Peer()
        started = self.start_peer()
        token = verifier.command("token", "create", "acs", "cards", "--enterprise", "bank")
        self.write("verifier-token", token)
        self.write("acs.json", json.dumps(self.configuration(started["directory"]["results"], members)))
        self.command("init")
        self.cards = 0
        self.process, self.log = None, None
        self.start()

    def start_peer(self):
        return self.peer.run(
            "start",
            acs={"directories": "https://localhost:%d/3ds/authentication" % self.directories,
                 "challenges": self.origin, "ca": str(self.pki / "ca.pem")},
            client=self.files("ds-client"),
            directory={**self.files("ds-server"), "clientAuthorities": str(self.pki / "ca.pem")},
            shop=self.files("ds-server"), root=str(self.pki / "ca.pem"))

    def files(self, name):
        return {"certificate": str(self.pki / (name + ".pem")), "key": str(self.pki / (name + ".key"))}

    def configuration(self, results, members):
        authority = str(self.pki / "ca.pem")
        signing = {"key": self.files("signing")["key"], "certificates": self.files("signing")["certificate"]}
        return {
            "store": {"sqlite": "acs.db"}, "encryptionKeys": "encryption", "enterprise": "bank",
            "verifier": {"origin": self.verifier.origin, "token": "verifier-token"},
            "directories": [{
                "rid": "A000000003", "clients": self.files("ds-client")["certificate"],
                "results": results, "authorities": authority, **self.files("acs-client"),
                "signing": signing, "ranges": ["4000000000000000-4000009999999999"],
            }],
            "server": {
                "directories": {
                    "listen": ["127.0.0.1:%d" % self.directories],
                    "tls": {**self.files("acs-server"), "clientAuthorities": authority},
                },
                "challenges": {
                    "origin": self.origin, "listen": ["127.0.0.1:" + self.origin.split(":")[-1]],
                    "tls": self.files("acs-server"),
                },
            },
            **members,
        }

    def write(self, name, text):
        (self.folder / name).write_text(text)
        (self.folder / name).chmod(0o600)

    def command(self, *words, text=None):
        done = subprocess.run(
            [PROGRAMS / "countersign-acs", *words, "--config", self.folder / "acs.json"], input=text,
            capture_output=True, text=True, check=False)
        if done.returncode:
            raise AssertionError(" ".join(words) + ": " + done.stderr)
        return done.stdout

    def start(self):
        self.process = subprocess.Popen(
            [*BOUND, PROGRAMS / "countersign-acs", "run", "--config", self.folder / "acs.json"],
            stderr=subprocess.PIPE, text=True)
        self.log = Log(self.process.stderr)
        self.log.wait(lambda line: line["message"] == "started")

    def add_card(self):
        """A card of the verifier's current account, and its number."""
        digits = str(FIRST_CARD + self.cards)
        self.cards += 1
        number = digits + check_digit(digits)
        words = ["card", "add", self.verifier.account, "--card-fd", "0"]
        self.command(*words, text=number + "\n")
        return number

    @property
    def browser_argument(self):
        """Chromium accepts the certificates of the ACS and of the shop, and no others."""
        digests = [self.key_digest(name) for name in ("acs-server", "ds-server")]
        return "--ignore-certificate-errors-spki-list=" + ",".join(digests)

    def key_digest(self, name):
        key = subprocess.run(
            ["openssl", "pkey", "-in", self.files(name)["key"], "-pubout", "-outform", "DER"],
            capture_output=True, check=True).stdout
        return base64.b64encode(hashlib.sha256(key).digest()).decode()

    def close(self):
        self.process.terminate()
        self.process.wait(30)
        self.process.stderr.close()
        self.peer.close()
        shutil.rmtree(self.folder)


def check_digit(digits):
    doubled = [int(digit) * (2 - index % 2) for index, digit in enumerate(reversed(digits))]
    total = sum(value - 9 if value > 9 else value for value in doubled)
    return str(-total % 10)
