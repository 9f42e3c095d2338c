"""A real verifier in a temporary folder, and the bank's calls to it."""

import json
import os
import pathlib
import random
import re
import shutil
import socket
import subprocess
import tempfile
import time
import urllib.request

PROGRAM = os.path.join(os.environ.get("PROGRAMS", ".build/debug"), "countersignd")
POLICY = {
    "allowsTestAccounts": True,
    "authentication": ["consent", "userPIN"],
    "consentCeilings": [{"currency": "EUR", "minorUnits": 3000}],
    "returnAddresses": ["https://bank.example"],
    "pendingTransactions": 3,
    "devicesPerAccount": 20,
    "webDevices": {"allowed": True, "requiresPRF": False},
}


def payment(title, minor_units=4711, **members):
    return dict({
        "context": "payment",
        "title": title,
        "amounts": [{"currency": "EUR", "minorUnits": minor_units}],
        "payees": [{"name": "Grocer", "account": "DE89370400440532013000"}],
    }, **members)


class Verifier:
    def __init__(self, pages, port=None):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="web-tests-verifier-"))
        self.config = self.folder / "countersignd.json"
        self.log = self.folder / "log"
        self.port = port or free_port()
        pages.verifier = self.port
        said = self.command("init")
        text = self.config.read_text()
        text = text.replace("http://127.0.0.1:8080", pages.origin)
        text = text.replace('"127.0.0.1:8080"', '"127.0.0.1:%d"' % self.port)
        self.config.write_text(self.configured(text.replace("127.0.0.1:8081", "127.0.0.1:0")))
        self.keys = dict(re.findall(r'"(agreementKey|signingKey)": "([\w-]+)"', said))
        self.keys["origin"] = pages.origin
        # Makes the keys that only this configuration names.
        self.command("init")
        self.account = None
        self.tokens = {}
        self.count = 0
        self.add_enterprise("bank")
        self.process = None
        self.start()

    def configured(self, text):
        """The text of the configuration with this verifier's own members."""
        return text

    def start(self):
        log = self.log.open("ab")
        # It ends with the tests, also if they are killed.
        self.process = subprocess.Popen(
            ["setpriv", "--pdeathsig", "KILL", PROGRAM, "run", "--config", str(self.config)],
            stdout=log, stderr=log)
        log.close()
        deadline = time.monotonic() + 120
        while b'"listening"' not in self.log.read_bytes():
            if self.process.poll() is not None or time.monotonic() > deadline:
                raise AssertionError(self.log.read_text())
            time.sleep(0.02)

    def stop(self):
        self.process.terminate()
        self.process.wait(120)
        shutil.rmtree(self.folder)

    def command(self, *words, text=None):
        # Commands create activations for browsers only if the page is configured. Most tests load it
        # from their own server, so that a changed page needs no other build of the verifier.
        done = subprocess.run(
            [PROGRAM, *words, "--config", str(self.config)], input=text, capture_output=True,
            text=True, check=False, env={**os.environ, "COUNTERSIGND_SERVER_WEB": "{}"})
        if done.returncode:
            raise AssertionError(" ".join(words) + ": " + done.stderr)
        return done.stdout

    def set_policy(self, enterprise, changes, *options):
        text = json.dumps({**POLICY, **changes})
        self.command("policy", "set", enterprise, "-", *options, text=text)

    def add_enterprise(self, name, changes=None):
        self.set_policy(name, changes or {}, "--new")
        token = self.command("token", "create", name + "-core", "issuer", "--enterprise", name)
        self.tokens[name] = token.strip()

    def add_account(self, enterprise="bank"):
        """Makes a new account the current one, so that tests do not see each other's."""
        self.count += 1
        self.account = "%s/main/%d" % (enterprise, self.count)
        self.call("", {"test": True}, method="PUT")

    def activation(self):
        return json.loads(self.command("activation", "create", self.account, "--web", "--json"))

    def call(self, path, body=None, key=None, method="POST"):
        """A call of the bank's API for the current account; a GET without a body."""
        enterprise, kind, name = self.account.split("/")
        request = urllib.request.Request(
            "http://127.0.0.1:%d/bank/v1/enterprises/%s/accounts/%s/%s%s"
            % (self.port, enterprise, kind, name, path))
        request.add_header("Authorization", "Bearer " + self.tokens[enterprise])
        if body is not None:
            request.method = method
            request.data = json.dumps(body).encode()
            request.add_header("Content-Type", "application/json")
            if method == "POST":
                request.add_header("Idempotency-Key", key or os.urandom(8).hex())
        with urllib.request.urlopen(request, timeout=30) as response:
            content = response.read()
        return json.loads(content) if content else None

    def pay(self, content):
        return self.call("/transactions", content)

    def ask(self, title, minor_units=4711, **members):
        return self.call("/transactions", payment(title, minor_units, **members))

    def state(self, transaction):
        return self.call("/transactions/" + transaction["id"])["state"]


# The kernel frees these names at the end of the process.
PORT_LOCKS = []


def free_port():
    """A port that no other test uses until this process ends.

    It is below the ephemeral range, so no outgoing connection uses it before a server binds it.
    """
    for port in random.sample(range(10_000, 30_000), 100):
        lock = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        try:
            lock.bind("\0countersign-test-port-%d" % port)
        except OSError:
            lock.close()
            continue
        PORT_LOCKS.append(lock)
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) != 0:
                return port
    raise OSError("no free port")


class WebServer(Verifier):
    """A verifier that serves the page itself."""

    FILES = pathlib.Path(__file__).resolve().parents[2] / ".build/web"

    def __init__(self, push_service=None):
        """With a push service, browsers can subscribe there."""
        self.push_service = push_service
        port = free_port()
        # Browsers have no passkeys for an address without a name.
        self.origin = "http://localhost:%d" % port
        super().__init__(self, port)

    def activation(self):
        # A command takes much longer, and these tests need one each.
        return self.call("/activations", {"web": True})

    def configured(self, text):
        text = text.replace('"listen": ["127.0.0.1:%d"]' % self.port,
                            '"listen": ["127.0.0.1:%d"], "web": {"files": "%s"}' % (self.port, self.FILES), 1)
        if not self.push_service:
            return text
        contact = '"contact": "https://bank.example/security"'
        return text.replace('// "web": {"key"', '"web": {"key"').replace(
            contact, '%s, "services": ["%s"], "caCertificates": "%s"' % (
                contact, self.push_service.host, self.push_service.certificate.name))
