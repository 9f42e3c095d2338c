"""A bank's backend for one app: it receives webhooks, and logs people in.

It needs Python 3.11 and nothing else. Start it with a settings file:

    python3 bank_backend.py settings.json

The settings name two kinds of secrets, each in a private file: the token of an `issuer`, and one
or two webhook secrets. Relative paths start at the folder of the settings. A test runs this program
with a verifier and a device. For production, put it behind a proxy with TLS.

    POST /webhooks     an event of the verifier
    POST /challenges   {"account": "main/4711"}: a challenge, which the app signs
    POST /sessions     {"challenge": ..., "login": ...}: a session, if the verifier confirms the login
    GET /session       the account of the session in "Authorization: Bearer SESSION"
"""

import base64
import hashlib
import hmac
import http.client
import http.server
import json
import os
import re
import secrets
import sqlite3
import ssl
import sys
import threading
import time
import urllib.error
import urllib.request

MAXIMUM_BODY = 65_536
MAXIMUM_AGE_OF_EVENT = 300
MAXIMUM_AGE_OF_CHALLENGE = 300
# Of all accounts together: a client needs no session to get a challenge.
MAXIMUM_CHALLENGES = 10_000
MAXIMUM_AGE_OF_SESSION = 900
# The codes that concern the login. All others concern this program or the verifier.
LOGIN_REFUSALS = {
    "loginRedeemed", "loginExpired", "dataMismatch", "notFound", "deviceNotActive",
    "testAccountForbidden",
}
# Between attempts to redeem a login, which expires after two minutes.
WAITS = [0.5, 1, 2]


def private_text(path):
    """The content of a file that only its owner can read."""
    with open(path) as file:
        if os.fstat(file.fileno()).st_mode & 0o077:
            raise SystemExit(f"bank_backend: {path} is readable for other users; run chmod 600")
        return file.read().strip()


# MARK: Webhooks


def is_authentic(headers, body, keys, now):
    """Verifies a delivery by Standard Webhooks: the signature covers id, time and body."""
    name, moment = headers.get("Webhook-Id", ""), headers.get("Webhook-Timestamp", "")
    if not name or not re.fullmatch("[0-9]{1,12}", moment):
        return False
    signed = f"{name}.{moment}.".encode() + body
    right = [b"v1," + base64.b64encode(hmac.digest(key, signed, "sha256")) for key in keys]
    given = headers.get("Webhook-Signature", "").encode().split(b" ")
    # All pairs are compared, each in constant time.
    matches = [hmac.compare_digest(one, other) for one in right for other in given]
    return any(matches) and abs(now - int(moment)) <= MAXIMUM_AGE_OF_EVENT


# MARK: The verifier


class Refused(Exception):
    """The verifier refused the login; the code is stable."""

    def __init__(self, code):
        super().__init__(code)
        self.code = code


class Unavailable(Exception):
    """The verifier cannot be reached at the moment."""


def code_of(error):
    """The code of a problem; None for a response without one, such as a proxy's."""
    try:
        return json.load(error)["code"]
    except (ValueError, KeyError, TypeError, OSError, http.client.HTTPException):
        return None


class NoRedirect(urllib.request.HTTPRedirectHandler):
    """A redirect would send the token to another address."""

    def redirect_request(self, *arguments):
        return None


class Verifier:
    def __init__(self, origin, enterprise, token, authorities):
        self.accounts = f"{origin}/bank/v1/enterprises/{enterprise}/accounts"
        self.token = token
        context = ssl.create_default_context(cafile=authorities)
        self.opener = urllib.request.build_opener(
            urllib.request.ProxyHandler({}),
            urllib.request.HTTPSHandler(context=context),
            NoRedirect,
        )

    def redeem(self, login, account, challenge):
        """Redeems a login over our own challenge, and returns it with its device."""
        digest = hashlib.sha256(challenge.encode()).digest()
        content = {"dataDigest": base64.urlsafe_b64encode(digest).decode().rstrip("=")}
        # The key is new for each call of the app, and the same for our own attempts. So a repeated
        # call of the app is refused, and a lost response is not.
        key = secrets.token_hex(16)
        for wait in [*WAITS, None]:
            try:
                return self.post(f"{account}/logins/{login}/redemption", content, key)
            except urllib.error.HTTPError as error:
                code = code_of(error)
                if code in LOGIN_REFUSALS:
                    raise Refused(code) from None
                if error.code not in (408, 429) and error.code < 500:
                    print("unexpected response:", error.code, code, file=sys.stderr, flush=True)
                    raise Unavailable from None
            except (OSError, http.client.HTTPException):
                # The result is unknown.
                pass
            if wait is not None:
                time.sleep(wait)
        raise Unavailable

    def post(self, path, content, key):
        headers = {
            "Authorization": f"Bearer {self.token}",
            "Content-Type": "application/json",
            "Idempotency-Key": key,
        }
        body = json.dumps(content).encode()
        request = urllib.request.Request(f"{self.accounts}/{path}", body, headers, method="POST")
        with self.opener.open(request, timeout=10) as response:
            return json.load(response)


# MARK: The database


class Database:
    """Events, challenges and sessions; each method is one transaction."""

    def __init__(self, path):
        self.lock = threading.Lock()
        self.connection = sqlite3.connect(path, check_same_thread=False)
        self.connection.executescript(
            """
            CREATE TABLE IF NOT EXISTS events (
                id TEXT PRIMARY KEY, type TEXT NOT NULL, subject TEXT NOT NULL, body BLOB NOT NULL);
            CREATE TABLE IF NOT EXISTS challenges (
                challenge TEXT PRIMARY KEY, account TEXT NOT NULL, created REAL NOT NULL);
            CREATE TABLE IF NOT EXISTS sessions (
                digest BLOB PRIMARY KEY, account TEXT NOT NULL, device TEXT NOT NULL,
                created REAL NOT NULL);
            """
        )

    def store_event(self, name, event, body):
        """Returns False for an event that is stored already."""
        kind, subject = event["type"], event["data"].get("subject", "")
        with self.lock, self.connection as store:
            new = store.execute(
                "INSERT OR IGNORE INTO events VALUES (?, ?, ?, ?)", (name, kind, subject, body)
            )
            if new.rowcount == 0:
                return False
            # The effect is in the same transaction, so it happens once too.
            if kind == "device.revoked":
                store.execute("DELETE FROM sessions WHERE device = ?", (subject,))
            if kind == "credential.blocked":
                account = "{type}/{id}".format(**event["data"]["account"])
                store.execute("DELETE FROM sessions WHERE account = ?", (account,))
            return True

    def add_challenge(self, account, now):
        """Returns None if there are too many already."""
        # Without a hyphen at its start, which a command would read as an option.
        challenge = secrets.token_hex(32)
        with self.lock, self.connection as store:
            oldest = now - MAXIMUM_AGE_OF_CHALLENGE
            store.execute("DELETE FROM challenges WHERE created < ?", (oldest,))
            added = store.execute(
                "INSERT INTO challenges SELECT ?, ?, ? WHERE "
                "(SELECT count(*) FROM challenges) < ?",
                (challenge, account, now, MAXIMUM_CHALLENGES),
            )
        return challenge if added.rowcount else None

    def account(self, challenge, now):
        """The account that a challenge was made for; None if it is unknown or too old."""
        oldest = now - MAXIMUM_AGE_OF_CHALLENGE
        with self.lock:
            row = self.connection.execute(
                "SELECT account FROM challenges WHERE challenge = ? AND created >= ?",
                (challenge, oldest),
            ).fetchone()
        return row and row[0]

    def last_event(self):
        """The number of the event that was stored last."""
        with self.lock:
            return self.connection.execute("SELECT max(rowid) FROM events").fetchone()[0] or 0

    def add_session(self, account, device, last_event, now):
        """Returns None if the device was revoked, or a credential blocked after `last_event`."""
        session = secrets.token_urlsafe(32)
        digest = hashlib.sha256(session.encode()).digest()
        with self.lock, self.connection as store:
            added = store.execute(
                "INSERT INTO sessions SELECT ?, ?, ?, ? WHERE NOT EXISTS "
                "(SELECT 1 FROM events WHERE type = 'device.revoked' AND subject = ?) "
                "AND NOT EXISTS (SELECT 1 FROM events WHERE type = 'credential.blocked' "
                "AND rowid > ? AND CAST(body AS TEXT) ->> '$.data.account.type' || '/' || "
                "(CAST(body AS TEXT) ->> '$.data.account.id') = ?)",
                (digest, account, device, now, device, last_event, account),
            )
        return session if added.rowcount else None

    def session(self, session, now):
        """None if the session is unknown or too old."""
        digest = hashlib.sha256(session.encode()).digest()
        with self.lock:
            row = self.connection.execute(
                "SELECT account, device FROM sessions WHERE digest = ? AND created >= ?",
                (digest, now - MAXIMUM_AGE_OF_SESSION),
            ).fetchone()
        return row and {"account": row[0], "device": row[1]}


# MARK: The server


class Invalid(Exception):
    """A request that the handler refuses with this status."""

    def __init__(self, status):
        super().__init__(status)
        self.status = status


class Handler(http.server.BaseHTTPRequestHandler):
    timeout = 20
    # Set before the server starts.
    verifier = database = webhook_keys = None

    def do_POST(self):
        routes = {
            "/webhooks": self.receive_event,
            "/challenges": self.make_challenge,
            "/sessions": self.log_in,
        }
        self.respond(routes.get(self.path))

    def do_GET(self):
        self.respond({"/session": self.show_session}.get(self.path))

    def respond(self, route):
        try:
            status, content = route() if route else (404, {"code": "notFound"})
        except Invalid as invalid:
            status, content = invalid.status, {"code": "invalidRequest"}
        body = b"" if content is None else json.dumps(content).encode()
        self.send_response(status)
        if content is not None:
            self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def body(self):
        length = self.headers.get("Content-Length", "")
        if not re.fullmatch("[0-9]{1,9}", length):
            raise Invalid(411)
        if int(length) > MAXIMUM_BODY:
            raise Invalid(413)
        return self.rfile.read(int(length))

    def members(self, **patterns):
        """The members of the JSON body, each of which must match its pattern."""
        try:
            content = json.loads(self.body())
            values = [content[name] for name in patterns]
            if not all(map(re.fullmatch, patterns.values(), values)):
                raise Invalid(400)
        except (ValueError, KeyError, TypeError, RecursionError):
            raise Invalid(400) from None
        return values

    def receive_event(self):
        body = self.body()
        if not is_authentic(self.headers, body, self.webhook_keys, time.time()):
            return 401, {"code": "invalidSignature"}
        event = json.loads(body)
        is_new = self.database.store_event(self.headers["Webhook-Id"], event, body)
        print("event" if is_new else "duplicate", event["type"], flush=True)
        # Slow work begins after this response, for example mail to the person.
        return 204, None

    def make_challenge(self):
        name = "[A-Za-z0-9_-][A-Za-z0-9._-]{0,63}"
        (account,) = self.members(account=f"{name}/{name}")
        challenge = self.database.add_challenge(account, time.time())
        if challenge is None:
            return 503, {"code": "tooManyChallenges"}
        return 201, {"challenge": challenge}

    def log_in(self):
        challenge, login = self.members(challenge="[0-9a-f]{64}", login="[0-9a-f]{32}")
        # The account comes from the challenge, and never from the app's second request.
        account = self.database.account(challenge, time.time())
        if account is None:
            return 403, {"code": "challengeUnknown"}
        # An event that arrives before the verifier's response must end this session, too.
        last_event = self.database.last_event()
        try:
            grant = self.verifier.redeem(login, account, challenge)
        except Refused as refused:
            return 403, {"code": refused.code}
        except Unavailable:
            return 503, {"code": "serverUnavailable"}
        session = self.database.add_session(
            account, grant["device"], last_event, time.time()
        )
        if session is None:
            return 403, {"code": "deviceNotActive"}
        return 201, {"session": session}

    def show_session(self):
        session = self.headers.get("Authorization", "").removeprefix("Bearer ")
        found = self.database.session(session, time.time())
        return (200, found) if found else (401, {"code": "unauthorized"})

    def log_message(self, *words):
        """No log of requests: a path or a header can have personal data."""


def main(path):
    # The database has personal data.
    os.umask(0o077)
    folder = os.path.dirname(os.path.abspath(path))
    with open(path) as file:
        settings = json.load(file)

    def place(name):
        return os.path.join(folder, name)

    authorities = settings.get("authorities")
    Handler.verifier = Verifier(
        settings["verifier"],
        settings["enterprise"],
        private_text(place(settings["token"])),
        authorities and place(authorities),
    )
    Handler.webhook_keys = [
        base64.b64decode(private_text(place(name)).removeprefix("whsec_"), validate=True)
        for name in settings["webhookSecrets"]
    ]
    Handler.database = Database(place(settings["database"]))
    host, port = settings["listen"].rsplit(":", 1)
    try:
        server = http.server.ThreadingHTTPServer((host, int(port)), Handler)
    except OSError as error:
        sys.exit(f"cannot listen at {host}:{port}: {error.strerror}")
    print(f"listening on {host}:{server.server_port}", flush=True)
    server.serve_forever()


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python3 bank_backend.py SETTINGS")
    main(sys.argv[1])
