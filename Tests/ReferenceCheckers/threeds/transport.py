"""HTTP as a client, one connection a request, without redirects and proxies; and listening servers."""
import concurrent.futures
import dataclasses
import http.client
import http.server
import socket
import ssl
import threading
import time
import urllib.parse


class Unreachable(Exception):
    """No HTTP response came: the connection, TLS or the timeout failed."""


@dataclasses.dataclass
class Response:
    status: int
    headers: list[tuple[str, str]]
    body: bytes
    seconds: float

    def header(self, name: str) -> str | None:
        values = [value for key, value in self.headers if key.lower() == name.lower()]
        return ", ".join(values) if values else None

    @property
    def media_type(self) -> str:
        return (self.header("content-type") or "").partition(";")[0].strip().lower()


@dataclasses.dataclass(frozen=True)
class Client:
    """Trusts `authority`, a file; has a certificate for mutual TLS, or none."""
    authority: str
    certificate: str | None = None
    key: str | None = None

    def context(self) -> ssl.SSLContext:
        context = ssl.create_default_context(cafile=self.authority)
        context.minimum_version = ssl.TLSVersion.TLSv1_2
        if self.certificate:
            context.load_cert_chain(self.certificate, self.key)
        return context


def send(client: Client, method: str, url: str, body: bytes = b"", media_type: str | None = None,
         timeout: float = 10) -> Response:
    target = urllib.parse.urlsplit(url)
    if target.scheme == "https":
        connection = http.client.HTTPSConnection(
            target.hostname, target.port or 443, timeout=timeout, context=client.context())
    else:
        connection = http.client.HTTPConnection(target.hostname, target.port or 80, timeout=timeout)
    path = (target.path or "/") + ("?" + target.query if target.query else "")
    headers = {"Content-Type": media_type} if media_type else {}
    start = time.monotonic()
    try:
        connection.request(method, path, body=body or None, headers=headers)
        response = connection.getresponse()
        data = response.read()
    except (OSError, http.client.HTTPException) as failure:
        raise Unreachable(f"{type(failure).__name__}: {failure}") from None
    finally:
        connection.close()
    return Response(response.status, response.getheaders(), data, time.monotonic() - start)


def send_twice(client: Client, url: str, body: bytes, media_type: str,
               timeout: float) -> tuple[Response, bool]:
    """The same request by two connections at once: a response, and whether both were equal."""
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        futures = [pool.submit(send, client, "POST", url, body, media_type, timeout)
                   for _ in range(2)]
        first, second = (future.result() for future in futures)
    return first, (first.status, first.body) == (second.status, second.body)


def send_form(client: Client, url: str, fields: list[tuple[str, str]], timeout: float = 10) -> Response:
    body = urllib.parse.urlencode(fields).encode()
    return send(client, "POST", url, body, "application/x-www-form-urlencoded", timeout)


class Handler(http.server.BaseHTTPRequestHandler):
    """Reads bounded bodies, closes after each response, and logs nothing."""
    protocol_version = "HTTP/1.1"
    timeout = 20
    maximum_body = 1 << 20

    def setup(self):
        # The handshake is in the connection's own thread: a slow client blocks no other.
        if isinstance(self.request, ssl.SSLSocket):
            self.request.settimeout(self.timeout)
            self.request.do_handshake()
        super().setup()

    def body(self) -> bytes:
        length = int(self.headers.get("content-length", 0))
        if length > self.maximum_body:
            raise ValueError("body too large")
        return self.rfile.read(length)

    def reply(self, status: int, body: bytes = b"", headers: dict[str, str] | None = None) -> None:
        self.send_response(status)
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Connection", "close")
        self.end_headers()
        self.wfile.write(body)
        self.close_connection = True

    def log_message(self, *_):
        pass


class Server(http.server.ThreadingHTTPServer):
    """Listens on 127.0.0.1; with certificates, by TLS, and with `clients`, by mutual TLS."""
    daemon_threads = True
    request_queue_size = 128

    def __init__(self, handler: type[Handler], port: int = 0, context: ssl.SSLContext | None = None):
        super().__init__(("127.0.0.1", port), handler)
        self.context = context
        self.port = self.server_address[1]
        self.failed_connections = 0
        threading.Thread(target=self.serve_forever, args=(0.02,), daemon=True).start()

    def get_request(self):
        connection, address = super().get_request()
        if self.context:
            connection = self.context.wrap_socket(
                connection, server_side=True, do_handshake_on_connect=False)
        return connection, address

    def handle_error(self, request, client_address):
        # A client without the certificate, or one that went away.
        self.failed_connections += 1

    def shutdown_request(self, request):
        try:
            request.shutdown(socket.SHUT_WR)
        except OSError:
            pass
        self.close_request(request)

    def stop(self) -> None:
        self.shutdown()
        self.server_close()


def server_context(certificate: str, key: str, clients: str | None = None) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.load_cert_chain(certificate, key)
    if clients:
        context.verify_mode = ssl.CERT_REQUIRED
        context.load_verify_locations(clients)
    return context
