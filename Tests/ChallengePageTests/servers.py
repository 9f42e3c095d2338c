"""An ACS that shows the pages of the project, and the servers of a shop, on three origins."""

import base64
import http.server
import json
import sys
import threading
import time
import urllib.parse

from written import page, random_name

# As the page requests it, in seconds.
WAIT = 25


class Challenge:
    """One challenge of the ACS, with the requests of the browser for it."""

    def __init__(self, requestor, **view):
        self.handle = random_name()
        self.token = random_name()
        self.requestor = requestor
        self.view = {"language": "en", "amount": 4711, "shop": "CoffeeHouse2 (Dæmø)", **view}
        self.session_data = "c2Vzc2lvbg"
        self.path = "/done"
        self.deadline = time.monotonic() + 300
        self.over = threading.Event()
        self.actions = []
        # The times of the requests.
        self.loads = []
        self.polls = []
        # Replaces the next responses to requests of the state.
        self.faults = []
        # Of the next pages; the last one is that of all later ones.
        self.states = ["pending"]
        # The state of the page that was loaded last.
        self.shown = None
        # Whether the response to a form comes after that to a request of the state.
        self.is_slow = False
        self.pressed, self.polled, self.loaded = (threading.Event() for _ in range(3))

    @property
    def page(self):
        if self.over.is_set():
            return page(
                kind="result", language=self.view["language"], message='{"messageType":"CRes"}',
                sessionData=self.session_data, notificationURL=self.requestor + self.path)
        self.shown = self.states.pop(0) if len(self.states) > 1 else self.states[0]
        return page(**{
            "kind": "waiting", "handle": self.handle, "token": self.token, "state": self.shown,
            "seconds": int(self.deadline - time.monotonic()), **self.view})

    def respond_late(self):
        """Until the page has its new state, and for a moment in which it could load itself."""
        self.polled.clear()
        self.loaded.clear()
        self.pressed.set()
        self.polled.wait(WAIT)
        self.loaded.wait(1)

    def take(self, action, fields):
        """A form of the page; another website cannot know the token."""
        assert fields == {"token": [self.token]}, fields
        self.actions.append(action)
        if action == "cancel":
            self.over.set()
        else:
            self.view["note"] = {"continue": "notYet", "again": "askedAgain"}[action]


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, world, host):
        super().__init__(("127.0.0.1", 0), Handler)
        self.world = world
        self.origin = "http://%s:%d" % (host, self.server_port)
        threading.Thread(target=self.serve_forever, args=(0.05,), daemon=True).start()

    def handle_error(self, request, client_address):
        # The browser left the page of a request.
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


class World:
    """The ACS and the shop are two sites, and the shop redirects to a third origin."""

    def __init__(self):
        self.acs = Server(self, "127.0.0.1")
        self.shop = Server(self, "localhost")
        self.other = Server(self, "127.0.0.1")
        self.challenges = {}
        self.forget()

    def forget(self):
        for challenge in self.challenges.values():
            challenge.over.set()
        self.challenges = {}
        # Requests to the ACS for which no page has a reason.
        self.unexpected = []
        self.reports = []
        # Fields of the forms that arrived at the shop, with the header fields of the requests.
        self.results = []
        self.requested = 0
        self.fixed = {}
        # For a page of the third origin, which has no policy.
        self.content = b""

    def challenge(self, **view):
        challenge = Challenge(self.shop.origin, **view)
        self.challenges[challenge.handle] = challenge
        return challenge

    def address(self, challenge):
        return "%s/3ds/page/%s" % (self.acs.origin, challenge.handle)

    def serve(self, page):
        """The address of a page of the ACS that never changes."""
        path = "/fixed/%d" % len(self.fixed)
        self.fixed[path] = page
        return self.acs.origin + path

    def close(self):
        self.forget()
        for server in (self.acs, self.shop, self.other):
            server.shutdown()
            server.server_close()


class Handler(http.server.BaseHTTPRequestHandler):
    @property
    def world(self):
        return self.server.world

    def do_GET(self):
        path, _, query = self.path.partition("?")
        if self.server is self.world.acs and path.startswith("/3ds/page/"):
            handle, _, rest = path.removeprefix("/3ds/page/").partition("/")
            self.answer_page(self.world.challenges.get(handle), rest, query)
        elif self.server is self.world.acs and path in self.world.fixed:
            self.send_page(self.world.fixed[path])
        elif self.server is self.world.shop and path == "/shop":
            self.send(200, shop_page(self.world, urllib.parse.parse_qs(query)))
        elif self.server is self.world.other and path == "/pages":
            self.send(200, self.world.content, ("content-type", "text/plain; charset=utf-8"))
        elif self.server is self.world.other and path in ("/thanks", "/approve"):
            self.send(200, b"<!doctype html><html lang=en><title>Other</title><h1>%s</h1>"
                      % path.encode())
        else:
            self.refuse()

    def answer_page(self, challenge, rest, query):
        if challenge is None:
            self.send_page(page(kind="unknown"))
        elif rest == "":
            challenge.loads.append(time.monotonic())
            challenge.loaded.set()
            self.send_page(challenge.page)
        elif (rest, query) == ("state", "wait=%d&state=%s" % (WAIT, challenge.shown)):
            challenge.polls.append(time.monotonic())
            if challenge.faults:
                self.send(*challenge.faults.pop(0))
                return
            end = time.monotonic() + WAIT
            while not challenge.over.wait(0.05) and time.monotonic() < end:
                if challenge.is_slow and challenge.pressed.is_set():
                    break
            state = "over" if challenge.over.is_set() else challenge.states[0]
            self.send(200, json.dumps({"state": state}).encode(),
                      ("content-type", "application/json"))
            challenge.polled.set()
        else:
            self.refuse()

    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"])).decode()
        fields = urllib.parse.parse_qs(body, keep_blank_values=True)
        if self.path == "/report":
            self.world.reports.append(body)
            self.send(204)
        elif self.server is self.world.acs and self.path == "/3ds/browser":
            self.world.requested += 1
            self.redirect("/3ds/page/" + fields["creq"][0])
        elif self.server is self.world.acs and self.path.startswith("/3ds/page/"):
            handle, _, action = self.path.removeprefix("/3ds/page/").partition("/")
            challenge = self.world.challenges[handle]
            challenge.take(action, fields)
            if challenge.is_slow:
                challenge.respond_late()
                # The requests of the next page wait again: the page would pause between them.
                challenge.is_slow = False
            self.redirect("/3ds/page/" + handle)
        elif self.server is self.world.shop and self.path in ("/done", "/silent"):
            self.world.results.append((fields, dict(self.headers)))
            if self.path == "/done":
                self.redirect(self.world.other.origin + "/thanks")
            else:
                # The browser stays on the page.
                self.send(204)
        else:
            self.refuse()

    def redirect(self, address):
        self.send(303, b"", ("location", address))

    def refuse(self):
        if self.server is self.world.acs:
            self.world.unexpected.append(self.command + " " + self.path)
        self.send(404)

    def send_page(self, page):
        fields = [
            (name, value + "; report-uri /report" if name == "content-security-policy" else value)
            for name, value in page["fields"]]
        self.send(page["status"], page["body"].encode(), *fields)

    def send(self, status, body=b"", *fields):
        self.send_response(status)
        for name, value in fields or [("content-type", "text/html")]:
            self.send_header(name, value)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments):
        pass


def shop_page(world, query):
    """The checkout, which posts the request into a frame or into its own window."""
    handle, target = query["handle"][0], query["target"][0]
    frame = b"<iframe name=challenge title=Bank width=500 height=600></iframe>"
    return (
        b"<!doctype html><html lang=en><title>Shop</title><h1>Shop</h1>%s"
        b"<form method=post target=%s action=%s/3ds/browser>"
        b"<input type=hidden name=creq value=%s><button>Pay</button></form>"
    ) % (frame if target == "challenge" else b"", target.encode(), world.acs.origin.encode(),
         handle.encode())


def decoded(field):
    return base64.urlsafe_b64decode(field + "=" * (-len(field) % 4)).decode()
