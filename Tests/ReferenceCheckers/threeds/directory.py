"""The directory server's listener for RReq and Erro, with faults that a test chooses."""
import dataclasses
import json
import threading
import time
import uuid

from threeds import jose, transport

MODES = ("ok", "down", "slow", "erro", "status", "garbage", "wrongid", "lacking", "refuse")


@dataclasses.dataclass
class Arrival:
    """A request of the ACS, and how the directory responded."""
    moment: float
    path: str
    media_type: str
    body: bytes
    message: dict | None
    malformation: str | None
    client: str | None
    mode: str

    @property
    def was_accepted(self) -> bool:
        """Whether the ACS got an RRes for it, and so must not send it again."""
        return self.message is not None and self.mode.partition(":")[0] in ("ok", "status")


class Directory:
    """Keeps every request. `down` closes the listener, and `ok` opens it on the same port again."""

    def __init__(self, certificate: str, key: str, clients: str, port: int = 0):
        self._context = transport.server_context(certificate, key, clients)
        self._changed = threading.Condition()
        self._released = threading.Event()
        self._mode = "ok"
        self.arrivals: list[Arrival] = []
        self.errors: list[Arrival] = []
        self._server: transport.Server | None = None
        self._open(port)
        self.port = self._server.port

    def _open(self, port: int) -> None:
        directory = self

        class Results(transport.Handler):
            def do_POST(self):
                arrival = directory._arrived(self)
                directory._respond(self, arrival)

        self._server = transport.Server(Results, port, self._context)

    def set_mode(self, mode: str) -> None:
        if mode.partition(":")[0] not in MODES:
            raise ValueError(f"unknown mode of the directory: {mode}")
        # Requests that wait under the old mode end first.
        self._released.set()
        if mode == "down" and self._server:
            self._server.stop()
            self._server = None
        with self._changed:
            self._mode = mode
        self._released = threading.Event()
        if mode != "down" and not self._server:
            self._open(self.port)

    def show(self, certificate: str, key: str) -> None:
        """Has another certificate for later connections."""
        self._context.load_cert_chain(certificate, key)

    def stop(self) -> None:
        self._released.set()
        if self._server:
            self._server.stop()
            self._server = None

    @property
    def failed_connections(self) -> int:
        return self._server.failed_connections if self._server else 0

    def wait(self, seconds: float, is_enough) -> None:
        """Waits until `is_enough` holds for the requests, or until the time is over."""
        with self._changed:
            self._changed.wait_for(lambda: is_enough(self.arrivals), timeout=seconds)

    def _arrived(self, request: transport.Handler) -> Arrival:
        body, message, malformation = request.body(), None, None
        try:
            message = jose.read_json(body)
        except jose.Malformed as failure:
            malformation = str(failure)
        names = request.connection.getpeercert().get("subject", ())
        client = next((value for name in names for key, value in name if key == "commonName"), None)
        arrival = Arrival(
            time.monotonic(), request.path, request.headers.get_content_type(), body, message,
            malformation, client, self._mode)
        is_error = (message or {}).get("messageType") == "Erro"
        with self._changed:
            (self.errors if is_error else self.arrivals).append(arrival)
            self._changed.notify_all()
        return arrival

    def _respond(self, request: transport.Handler, arrival: Arrival) -> None:
        kind, _, value = arrival.mode.partition(":")
        if (arrival.message or {}).get("messageType") == "Erro":
            return request.reply(200)
        if kind == "refuse" or arrival.message is None:
            return request.reply(503 if kind == "refuse" else 400)
        if kind == "slow":
            self._released.wait(float(value))
        if kind == "garbage":
            return request.reply(200, b'{"messageType":', {"Content-Type": "application/json"})
        message = results(arrival.message, "01")
        if kind == "status":
            message["resultsStatus"] = value
        if kind == "wrongid":
            message["acsTransID"] = str(uuid.uuid4())
        if kind == "lacking":
            del message["resultsStatus"]
        if kind == "erro":
            message = error(arrival.message, value)
        body = json.dumps(message).encode()
        request.reply(200, body, {"Content-Type": "application/json; charset=utf-8"})


def _ids(message: dict) -> dict:
    names = ("threeDSServerTransID", "acsTransID", "dsTransID", "sdkTransID")
    return {name: message[name] for name in names if name in message}


def results(message: dict, status: str) -> dict:
    """The RRes to an RReq."""
    return {"messageType": "RRes", "messageVersion": message.get("messageVersion"),
            **_ids(message), "resultsStatus": status}


def error(message: dict, code: str) -> dict:
    """The Erro of a directory server to an RReq."""
    return {"messageType": "Erro", "messageVersion": message.get("messageVersion"), **_ids(message),
            "errorCode": code, "errorComponent": "D", "errorDescription": "A test of errors",
            "errorDetail": "A test of errors", "errorMessageType": "RReq"}
