"""A small ACS for the self-test of the peer. It is strict, and it can have one fault at a time.

It knows no verifier: the test decides a challenge by `decide`.
"""
import base64
import dataclasses
import json
import os
import pathlib
import secrets
import threading
import urllib.parse
import uuid

from cryptography import x509
from cryptography.hazmat.primitives.serialization import Encoding, load_pem_private_key
from jwcrypto import jwe, jwk, jws

from threeds import elements, jose, pki, small_pages, transport

FRICTIONLESS = "4000000000000028"


@dataclasses.dataclass
class Challenge:
    request: dict
    body: bytes
    acs_id: str
    response: bytes = b""
    key: bytes = b""
    cipher: str | None = None
    received: int = 0
    sent: int = 0
    last_request: bytes | None = None
    last_response: bytes | None = None
    verdict: str | None = None
    cancelled: bool = False
    is_over: bool = False
    handle: str = dataclasses.field(default_factory=lambda: secrets.token_urlsafe(16))
    token: str = dataclasses.field(default_factory=lambda: secrets.token_urlsafe(16))
    creq: str | None = None
    session: str | None = None

    @property
    def is_decoupled(self) -> bool:
        return self.request.get("threeDSRequestorDecReqInd") == "Y"

    def authentication_type(self, is_wrong: bool) -> str:
        return "04" if self.is_decoupled != is_wrong else "03"

    def ids(self) -> dict:
        names = ("threeDSServerTransID", "dsTransID", "sdkTransID")
        return {"acsTransID": self.acs_id} | {
            name: self.request[name] for name in names if name in self.request}

    def head(self, kind: str, without: str = "") -> dict:
        ids = {name: value for name, value in self.ids().items() if name != without}
        return {"messageType": kind, "messageVersion": self.request["messageVersion"], **ids}


class SmallACS(small_pages.Pages):
    def __init__(self, folder: pathlib.Path, signing: str = "signing"):
        self.folder, self.signing, self.fault = folder, signing, ""
        self.results = ""
        self.challenges: dict[str, Challenge] = {}
        self.outcomes: list[str] = []
        self._lock = threading.RLock()
        acs = self

        class Directories(transport.Handler):
            def do_POST(self):
                self.reply(200, acs.authenticate(self.body()), {"Content-Type": "application/json"})

        class Challenges(transport.Handler):
            def do_POST(self):
                acs.posted(self)

            def do_GET(self):
                acs.got(self)

        server, key = str(folder / "acs-server.pem"), str(folder / "acs-server.key")
        self._directories = transport.Server(
            Directories, 0, transport.server_context(server, key, str(folder / "ca.pem")))
        self._challenges = transport.Server(Challenges, 0, transport.server_context(server, key))
        self.origin = f"https://127.0.0.1:{self._challenges.port}"
        self.directories = f"https://127.0.0.1:{self._directories.port}/3ds/authentication"

    def stop(self) -> None:
        self._directories.stop()
        self._challenges.stop()

    # AReq

    def authenticate(self, body: bytes) -> bytes:
        with self._lock:
            try:
                request = jose.read_json(body)
            except jose.Malformed as failure:
                code = "204" if "repeated" in str(failure) else "101"
                return self._error({}, code, "acctNumber", "AReq", "2.2.0")
            if request.get("messageVersion") not in elements.VERSIONS:
                return self._error(request, "102", "2.1.0,2.2.0,2.3.1", "AReq", "2.3.1")
            if "acctNumber" not in request:
                return self._error(request, "201", "acctNumber", "AReq")
            known = next((one for one in self.challenges.values()
                          if one.request["dsTransID"] == request["dsTransID"]), None)
            if known:
                is_same = known.body == body and self.fault != "areq-repeat"
                return known.response if is_same else self._error(request, "301", "dsTransID", "AReq")
            acs_id = str(uuid.uuid4())
            if self.fault == "ares-twice" and self.challenges:
                acs_id = next(iter(self.challenges))
            challenge = Challenge(request, body, acs_id)
            self.challenges[challenge.acs_id] = challenge
            challenge.response = json.dumps(self._response(challenge)).encode()
            return challenge.response

    def _response(self, challenge: Challenge) -> dict:
        request, version = challenge.request, challenge.request["messageVersion"]
        ares = challenge.head("ARes") | {
            "acsReferenceNumber": "SMALL-ACS-0001", "dsReferenceNumber": request["dsReferenceNumber"]}
        if version == "2.3.1" and "sdkTransID" in request:
            ares |= {"threeDSRequestorAppURLInd": "N", "deviceInfoRecognisedVersion": "1.4"}
        if self.fault == "ares-id":
            ares["dsTransID"] = str(uuid.uuid4())
        if self.fault == "ares-card":
            ares["broadInfo"] = {"text": request["acctNumber"]}
        if request["acctNumber"] == FRICTIONLESS:
            reason = {} if self.fault == "ares-reason" else {"transStatusReason": "08"}
            eci = "05" if self.fault == "ares-eci" else "07"
            return ares | {"transStatus": "N", "eci": eci} | reason
        ares |= {"transStatus": "C", "acsChallengeMandated": "Y"}
        ares |= {"authenticationMethod": ["09"]} if version == "2.3.1" else {
            "authenticationType": challenge.authentication_type(self.fault == "ares-type")}
        if challenge.is_decoupled:
            return ares | {"transStatus": "D", "acsDecConInd": "Y", "cardholderInfo": "Approve later"}
        if "sdkTransID" not in request:
            return ares | {"acsURL": self.origin + "/3ds/browser"}
        return ares | {"acsRenderingType": _rendering(version),
                       "acsSignedContent": self._signed_content(challenge)}

    def _signed_content(self, challenge: Challenge) -> str:
        ours = pki.elliptic_key()
        theirs = challenge.request["sdkEphemPubKey"]
        challenge.key = jose.derived_key(
            ours, jose.public_key(theirs), challenge.request["sdkReferenceNumber"])
        if self.fault == "jws-sdk-key":
            theirs = jose.public_jwk(pki.elliptic_key().public_key())
        content = {"acsURL": self.origin + "/3ds/challenge", "sdkEphemPubKey": theirs,
                   "acsEphemPubKey": jose.public_jwk(ours.public_key())}
        names = {"jws-root": "other-signing", "jws-time": "expired-signing"}
        name = names.get(self.fault, self.signing)
        key = load_pem_private_key((self.folder / f"{name}.key").read_bytes(), None)
        chain = _certificates((self.folder / f"{name}.pem").read_text())
        header = {"alg": "PS256" if "rsa" in name else "ES256", "x5c": chain}
        if self.fault == "jws-algorithm":
            header["alg"] = "RS256"
        if self.fault == "jws-header":
            header["jku"] = "https://acs.example/keys"
        token = jws.JWS(json.dumps(content))
        token.allowed_algs = ["ES256", "PS256", "RS256"]
        token.add_signature(jwk.JWK.from_pyca(key), None, json.dumps(header))
        text = token.serialize(compact=True)
        if self.fault == "jws-bytes":
            text = text[:-9] + ("A" if text[-9] != "A" else "B") + text[-8:]
        return text

    def _error(self, known: dict, code: str, detail: str, kind: str,
               version: str | None = None) -> bytes:
        names = ("threeDSServerTransID", "acsTransID", "dsTransID", "sdkTransID")
        ids = {name: known[name] for name in names if name in known}
        if self.fault == "erro-id":
            ids.pop("threeDSServerTransID", None)
        return json.dumps({
            "messageType": "Erro", "messageVersion": version or known["messageVersion"], **ids,
            "errorCode": code, "errorComponent": "A", "errorDescription": "Refused",
            "errorDetail": detail, "errorMessageType": kind}).encode()

    # CReq

    def posted(self, handler: transport.Handler) -> None:
        body, path = handler.body(), urllib.parse.urlsplit(handler.path).path
        with self._lock:
            if path == "/3ds/challenge":
                return self._app(handler, body)
            fields = dict(urllib.parse.parse_qsl(body.decode(), keep_blank_values=True))
            if path == "/3ds/browser":
                return self.opened(handler, fields)
            if path == "/3ds/method":
                return self.method(handler, fields)
            return self.pressed(handler, path, fields)

    def _app(self, handler: transport.Handler, body: bytes) -> None:
        if handler.headers.get_content_type() == "application/json":
            message = jose.read_json(body)
            if message.get("messageType") == "Erro":
                self.challenges[message["acsTransID"]].is_over = True
                return handler.reply(200)
            return self._refuse(handler, None, "101")
        try:
            header = jose.header_of(body.decode(), 5)
        except (jose.Malformed, UnicodeDecodeError):
            return self._refuse(handler, None, "302")
        challenge = self.challenges.get(str(header.get("kid")))
        if not challenge:
            return self._refuse(handler, None, "301")
        if body == challenge.last_request:
            if self.fault == "cres-repeat":
                challenge.sent -= 1
                again = self._sealed(challenge, self._page_message(challenge) | {"whyInfoText": "!"})
                return _reply_token(handler, again)
            return _reply_token(handler, challenge.last_response)
        if challenge.is_over:
            return self._refuse(handler, challenge, "305")
        try:
            message = self._opened(challenge, header, body.decode())
        except jose.Malformed:
            if self.fault != "creq-forged":
                challenge.is_over = True
                return self._refuse(handler, challenge, "302")
            message = {}
        self._advance(handler, challenge, message, body)

    def _opened(self, challenge: Challenge, header: dict, token: str) -> dict:
        cipher = challenge.cipher or header.get("enc")
        if header != {"alg": "dir", "enc": cipher, "kid": challenge.acs_id}:
            raise jose.Malformed("header")
        if cipher not in (jose.CBC, jose.GCM):
            raise jose.Malformed("cipher")
        key = jose.cipher_key(challenge.key, cipher, True)
        message = jose.read_json(jose.open_sealed(token, key, cipher))
        nonce = jose.decode(token.split(".")[2])
        is_next = message.get("sdkCounterStoA") == f"{challenge.received:03}"
        if not is_next or cipher == jose.GCM and nonce[-1] != challenge.received:
            raise jose.Malformed("counter")
        challenge.cipher = cipher
        return message

    def _advance(self, handler: transport.Handler, challenge: Challenge, message: dict,
                 body: bytes) -> None:
        if message.get("challengeCancel"):
            challenge.cancelled = True
            self.decide(challenge.acs_id, "N")
        is_early = self.fault == "cres-early" and challenge.sent == 1
        if challenge.verdict or is_early:
            cres = self._final_message(challenge)
            challenge.is_over = True
        else:
            cres = self._page_message(challenge)
        token = self._sealed(challenge, cres)
        challenge.received += 1
        challenge.last_request, challenge.last_response = body, token
        _reply_token(handler, token)

    def _page_message(self, challenge: Challenge) -> dict:
        text = "47.11 EUR to a shop" * (30 if self.fault == "cres-length" else 1)
        card = challenge.request["acctNumber"] if self.fault == "cres-card" else "ending 0010"
        message = challenge.head("CRes", without="dsTransID") | {
            "acsUiType": "04", "challengeCompletionInd": "N", "challengeInfoHeader": "Approve",
            "challengeInfoText": f"{text}\nCard {card}", "oobContinueLabel": "Approved"}
        if self.fault == "cres-type":
            del message["acsUiType"]
        return message

    def _final_message(self, challenge: Challenge) -> dict:
        status = challenge.verdict or "Y"
        if self.fault == "cres-verdict":
            status = "N"
        message = challenge.head("CRes", without="dsTransID") | {
            "challengeCompletionInd": "Y", "transStatus": status}
        return message | ({"whyInfoText": "Why"} if self.fault == "cres-final" else {})

    def _sealed(self, challenge: Challenge, message: dict) -> bytes:
        cipher, counter = challenge.cipher or jose.CBC, challenge.sent
        shown = 0 if self.fault == "cres-nonces" else counter
        shown += self.fault == "cres-counter"
        message = message | {"acsCounterAtoS": f"{shown:03}"}
        if self.fault == "cres-nonces":
            message["whyInfoText"] = f"Text {counter}"
        header = {"alg": "dir", "enc": cipher, "kid": challenge.acs_id}
        if self.fault == "cres-kid":
            header["kid"] = str(uuid.uuid4())
        if self.fault == "cres-header":
            header["cty"] = "json"
        key = jose.cipher_key(challenge.key, cipher, self.fault == "cres-direction")
        nonce = jose.counter_nonce(shown + (self.fault == "cres-nonce"), False)
        if cipher == jose.CBC:
            nonce = bytes(16) if self.fault == "cres-vector" else os.urandom(16)
        challenge.sent += 1
        content = json.dumps(message).encode()
        if cipher == jose.GCM:
            return jose.seal(header, key, content, nonce).encode()
        return _sealed_by_jwcrypto(header, key, content, nonce if self.fault == "cres-vector" else None)

    def _refuse(self, handler: transport.Handler, challenge: Challenge | None, code: str) -> None:
        known = challenge.head("") if challenge else {"messageVersion": "2.2.0"}
        handler.reply(200, self._error(known, code, "the token", "CReq"),
                      {"Content-Type": "application/json; charset=utf-8"})

    # RReq

    def decide(self, acs_id: str, status: str, timeout: float = 5) -> None:
        """Sends the RReq once; `outcomes` gets the directory's verdict about it."""
        challenge = self.challenges[acs_id]
        challenge.verdict = status
        if self.fault == "rreq-missing":
            return
        message = self._results(challenge, status)
        self.outcomes.append(self._sent(message, timeout))
        if self.fault == "rreq-twice":
            self._sent(message, timeout)
        if self.fault == "rreq-changed":
            self._sent(message | {"eci": "06"}, timeout)
        if self.fault == "rreq-erro":
            self._sent(challenge.head("Erro") | {
                "errorCode": "402", "errorComponent": "C", "errorDescription": "A test of errors",
                "errorDetail": "A test of errors"}, timeout)

    def _results(self, challenge: Challenge, status: str) -> dict:
        version = challenge.request["messageVersion"]
        message = challenge.head("RReq") | {
            "messageCategory": challenge.request["messageCategory"], "transStatus": status,
            "interactionCounter": "01" if status == "Y" else "00",
            "eci": "05" if status == "Y" else "07"}
        methods = ["09", "12"] if challenge.is_decoupled else ["09"]
        message |= ({"authenticationMethod": methods} if version == "2.3.1" else
                    {"authenticationType": challenge.authentication_type(self.fault == "rreq-type"),
                     "authenticationMethod": "09"})
        if challenge.is_decoupled:
            del message["interactionCounter"]
        elif "sdkTransID" in challenge.request:
            message["acsRenderingType"] = _rendering(version)
        if status == "Y":
            size = 19 if self.fault == "rreq-value" else 20
            message["authenticationValue"] = base64.b64encode(bytes([1] * size)).decode()
        else:
            message["transStatusReason"] = "01" if challenge.cancelled else "14"
            message["challengeCancel"] = "01" if challenge.cancelled else "04"
        if self.fault == "rreq-reason":
            message.pop("transStatusReason", None)
        if self.fault == "rreq-eci":
            message["eci"] = "07"
        if self.fault == "rreq-id":
            message["threeDSServerTransID"] = str(uuid.uuid4())
        if self.fault == "rreq-unknown":
            message["acsTransID"] = str(uuid.uuid4())
        if self.fault == "rreq-card":
            message["acctNumber"] = challenge.request["acctNumber"]
        return message

    def _sent(self, message: dict, timeout: float) -> str:
        client = transport.Client(str(self.folder / "ca.pem"), str(self.folder / "acs-client.pem"),
                                  str(self.folder / "acs-client.key"))
        try:
            response = transport.send(
                client, "POST", self.results, json.dumps(message).encode(), "application/json", timeout)
            if response.status != 200:
                return f"HTTP {response.status}"
            found = jose.read_json(response.body)
        except transport.Unreachable as failure:
            return "timeout" if "timed out" in str(failure) else "unreachable"
        except jose.Malformed:
            return "malformed"
        if found["messageType"] == "Erro":
            return f"Erro {found['errorCode']}"
        is_same = found["acsTransID"] == message["acsTransID"]
        return f"RRes {found.get('resultsStatus')}" if is_same else "another id"


def _rendering(version: str) -> dict:
    mode = {"deviceUserInterfaceMode": "01"} if version == "2.3.1" else {}
    return {"acsInterface": "01", "acsUiTemplate": "04", **mode}


def _certificates(pem: str) -> list[str]:
    end = "-----END CERTIFICATE-----"
    texts = [part + end for part in pem.split(end) if part.strip()]
    found = [x509.load_pem_x509_certificate(text.encode()) for text in texts]
    return [base64.b64encode(one.public_bytes(Encoding.DER)).decode() for one in found]


def _sealed_by_jwcrypto(header: dict, key: bytes, content: bytes, vector: bytes | None) -> bytes:
    """By another library than the peer's, unless a fault needs a fixed vector."""
    if vector:
        return jose.seal(header, key, content, vector).encode()
    token = jwe.JWE(content, json.dumps(header), algs=["dir", jose.CBC])
    token.add_recipient(jwk.JWK(kty="oct", k=jose.encode(key)))
    return token.serialize(compact=True).encode()


def _reply_token(handler: transport.Handler, token: bytes) -> None:
    handler.reply(200, token, {"Content-Type": "application/jose; charset=utf-8"})
