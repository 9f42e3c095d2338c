"""Serves the page, the tests and the vectors, and passes the device API on to a verifier.

The page calls its own origin only, so the verifier has the origin of this server.
"""

import http.client
import http.server
import json
import pathlib
import socket
import threading

import argon2.low_level

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDERS = {
    "/approve/": ROOT / "Sources/Web/page",
    "/tests/": ROOT / "Tests/WebTests/page",
    "/vectors/": ROOT / "Vectors",
}
# The folder with the WebAssembly modules, if `make web` built them.
BUILT = next((file.parent for file in ROOT.glob(".build/web/*/reader.wasm")), None)
TYPES = {
    ".js": "text/javascript", ".json": "application/json", ".html": "text/html",
    ".wasm": "application/wasm",
}
POLICY = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; "
    "worker-src 'self'"
)
EMPTY_PAGE = b"<!doctype html><meta charset=utf-8><title>Tests</title>"
KILLED_PAGE = EMPTY_PAGE + b"<script type=module src=/tests/killed.js></script>"
HOP_BY_HOP = {"connection", "keep-alive", "transfer-encoding", "content-length", "date"}


class Answer:
    """A response of the verifier that a test may change."""

    def __init__(self, status, fields, body, times=1):
        self.status = status
        self.fields = fields
        self.body = body
        self.times = times

    def changed(self, **members):
        """A copy with these members in place of its own."""
        return Answer(**{**vars(self), **members})


class Call:
    """A request of the device API. A test may respond in place of the verifier."""

    def __init__(self, pages, path, fields, body):
        self.route = path.removeprefix("/device/v1/")
        self.target = pages.origin + path
        self.fields = fields
        self.body = body
        self.forward = lambda: pages.forward(path, fields, body)

    @property
    def message(self):
        return json.loads(self.body)


class Pages(http.server.ThreadingHTTPServer):
    """`rule` sees each call of the device API, and returns its answer, or None to drop it."""

    daemon_threads = True

    def __init__(self, host="127.0.0.1"):
        super().__init__(("127.0.0.1", 0), Handler)
        self.origin = "http://%s:%d" % (host, self.server_address[1])
        self.verifier = None
        self.rule = None
        # Changes the fields of the head of an event stream.
        self.stream_rule = None
        self.calls = []
        self.failures = []
        # The size of the last body that a browser took as a whole.
        self.sent = 0
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def close(self):
        self.shutdown()
        self.server_close()

    def forward(self, path, fields, body):
        """The response of the verifier itself."""
        connection = http.client.HTTPConnection("127.0.0.1", self.verifier, timeout=30)
        connection.request("POST", path, body, fields)
        response = connection.getresponse()
        answer = Answer(response.status, response.getheaders(), response.read())
        connection.close()
        return answer

    def handle_error(self, request, client_address):
        """A browser may end a connection at any time."""


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def log_message(self, *_):
        pass

    def do_GET(self):
        path = self.path.partition("?")[0]
        if path == "/empty":
            return self.send(200, "text/html", EMPTY_PAGE)
        if path == "/killed":
            return self.send(200, "text/html", KILLED_PAGE)
        if path == "/failed":
            self.server.failures.append(self.path)
        for prefix, folder in [*FOLDERS.items(), ("/built/", BUILT)]:
            if not path.startswith(prefix) or not folder:
                continue
            file = folder / path.removeprefix(prefix)
            if file.is_file() and folder.resolve() in file.resolve().parents:
                return self.send(200, TYPES[file.suffix], file.read_bytes(), "max-age=3600")
        return self.send(404, "text/plain", b"")

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if self.path == "/argon2id":
            return self.send(200, "application/octet-stream", argon2id(json.loads(body)))
        fields = {name: self.headers[name] for name in (
            "Content-Type", "Content-Digest", "Signature-Input", "Signature")}
        call = Call(self.server, self.path, fields, body)
        self.server.calls.append(call)
        if self.path == "/device/v1/events":
            return self.stream(fields, body)
        rule = self.server.rule
        answer = rule(call) if rule else call.forward()
        return self.send_answer(answer) if answer else self.drop()

    def drop(self):
        """Breaks the connection inside a response. Without one, the browser repeats the request."""
        self.close_connection = True
        self.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n")

    def send_answer(self, answer):
        self.send_response_only(answer.status)
        for name, value in answer.fields:
            if name.lower() not in HOP_BY_HOP:
                self.send_header(name, value)
        self.send_header("Content-Length", str(len(answer.body) * answer.times))
        self.end_headers()
        self.server.sent = 0
        for _ in range(answer.times):
            self.wfile.write(answer.body)
            self.server.sent += len(answer.body)

    def stream(self, fields, body):
        """Passes each piece on at once."""
        connection = http.client.HTTPConnection("127.0.0.1", self.server.verifier, timeout=60)
        connection.request("POST", self.path, body, fields)
        response = connection.getresponse()
        threading.Thread(target=self.end_with_browser, args=[connection.sock], daemon=True).start()
        self.close_connection = True
        self.send_response_only(response.status)
        change = self.server.stream_rule or list
        for name, value in change(response.getheaders()):
            if name.lower() not in HOP_BY_HOP:
                self.send_header(name, value)
        self.send_header("Connection", "close")
        self.end_headers()
        while piece := response.read1(4096):
            self.wfile.write(piece)
            self.wfile.flush()
        connection.close()

    def end_with_browser(self, upstream):
        """Ends the verifier's stream as soon as the browser closes its own."""
        try:
            while self.connection.recv(4096):
                pass
            upstream.shutdown(socket.SHUT_RDWR)
        except OSError:
            # One of both connections has ended already.
            pass

    def send(self, status, kind, body, caching="no-store"):
        self.send_response_only(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Content-Security-Policy", POLICY)
        self.send_header("Cache-Control", caching)
        self.end_headers()
        self.wfile.write(body)


def argon2id(asked):
    """Argon2id with less memory, so that tests are fast. The page has a module of its own."""
    if (asked["passes"], asked["memoryKiB"], asked["lanes"]) != (3, 65_536, 4):
        raise ValueError("the page asks for another cost")
    return argon2.low_level.hash_secret_raw(
        bytes(asked["password"]), bytes(asked["salt"]), 1, 64, 4, 32,
        argon2.low_level.Type.ID, 19,
    )
