"""A verifier and an ACS, each in a process of its own."""

import base64
import hashlib
import json
import pathlib
import shutil
import subprocess
import tempfile

from processes import BOUND, PEER, PROGRAMS, Log, Peer
from verifier import WebServer, free_port

# The ranges of the ACS have these numbers; the last digit is the check digit.
FIRST_CARD = 400000391827465


class CardVerifier(WebServer):
    """A verifier of card payments; it serves the page for browsers if that was built."""

    @property
    def has_page(self):
        return (self.FILES / "index.html").is_file()

    def configured(self, text):
        return super().configured(text) if self.has_page else text


class Issuer:
    """The ACS, with cards of the verifier's current account; `members` change its configuration."""

    def __init__(self, verifier, **members):
        self.verifier = verifier
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="web-tests-acs-"))
        self.pki = self.folder / "pki"
        subprocess.run([*PEER, "pki", self.pki], check=True)
        self.origin = "https://localhost:%d" % free_port()
        self.directories = free_port()
        self.peer = Peer()
        started = self.start_peer()
        token = verifier.command("token", "create", "acs", "cards", "--enterprise", "bank")
        self.write("verifier-token", token)
        configuration = self.configuration(started["directory"]["results"])
        self.write("acs.json", json.dumps({**configuration, **members}))
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

    def configuration(self, results):
        authority = str(self.pki / "ca.pem")
        signing = self.files("signing")
        return {
            "store": {"sqlite": "acs.db"}, "encryptionKeys": "encryption", "enterprise": "bank",
            "verifier": {"origin": self.verifier.origin, "token": "verifier-token"},
            "directories": [{
                "rid": "A000000003", "clients": self.files("ds-client")["certificate"],
                "results": results, "authorities": authority, **self.files("acs-client"),
                "signing": {"key": signing["key"], "certificates": signing["certificate"]},
                "ranges": ["4000000000000000-4000009999999999"],
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
