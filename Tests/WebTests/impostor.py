"""Signs responses in the verifier's place, by an independent implementation of the protocol.

With a key that the page trusts, it is a faulty or hostile verifier. Otherwise it is a stranger.
"""

import base64
import hashlib
import json
import os
import sys

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, utils

from pages import ROOT, Answer

sys.path.insert(0, str(ROOT / "Tests/VectorTests/ReferenceChecker"))

import enrolment  # noqa: E402
from fields import (  # noqa: E402
    agreed, base64url, field, label, number, point, private_key, public_key, server_key_name,
    to_base64url,
)

COMPONENTS = (
    '("@status" "content-digest" "content-type" "@method";req "@target-uri";req '
    '"content-digest";req "signature-input";req "signature";req)'
)


class Signer:
    def __init__(self, scalar, name=None):
        self.key = private_key(scalar)
        self.name = name or server_key_name(self.key.public_key()).hex()

    def signature(self, content):
        r, s = utils.decode_dss_signature(self.key.sign(content, ec.ECDSA(hashes.SHA256())))
        return r.to_bytes(32, "big") + s.to_bytes(32, "big")

    def answer(self, call, value, status=200, kind="application/json"):
        """A signed response with this value, or with these bytes."""
        body = value if isinstance(value, bytes) else json.dumps(value).encode()
        digest = "sha-256=:%s:" % base64.b64encode(hashlib.sha256(body).digest()).decode()
        input_field = 'countersign=%s;created=1;keyid="%s";tag="countersign-server-1"' % (
            COMPONENTS, self.name)
        lines = [
            '"@status": %d' % status,
            '"content-digest": ' + digest,
            '"content-type": ' + kind,
            '"@method";req: POST',
            '"@target-uri";req: ' + call.target,
            '"content-digest";req: ' + call.fields["Content-Digest"],
            '"signature-input";req: ' + call.fields["Signature-Input"],
            '"signature";req: ' + call.fields["Signature"],
            '"@signature-params": ' + input_field.removeprefix("countersign="),
        ]
        signature = base64.b64encode(self.signature("\n".join(lines).encode())).decode()
        return Answer(status, [
            ("Content-Type", kind), ("Content-Digest", digest), ("Signature-Input", input_field),
            ("Signature", "countersign=:%s:" % signature)], body)

    def problem(self, call, code, status, **members):
        value = dict(members, type="urn:countersign:" + code, title="No.", status=status)
        return self.answer(call, value, status, "application/problem+json")


def new_key():
    return os.urandom(32)


def policy(kind, version=2):
    """The policy for a kind of device: 1 an app, 2 a browser, 3 a browser with a passkey."""
    return field("countersign device-policy %d" % version) + bytes([6, 12, 3, kind])


WEB_POLICY = policy(2)


class Impostor:
    """A verifier of one account that has only what an activation needs."""

    def __init__(self, pages, policy_bytes, code="01234-56789-ABCDE-FGHXG"):
        self.signer = Signer(bytes(range(1, 33)))
        self.agreement = private_key(bytes(range(33, 65)))
        self.keys = {
            "origin": pages.origin,
            "agreementKey": to_base64url(point(self.agreement.public_key())),
            "signingKey": to_base64url(point(self.signer.key.public_key())),
        }
        self.activation = {"id": "01ABCDEFGH", "code": code}
        self.policy = policy_bytes
        self.routes = []

    @property
    def offer(self):
        return (
            label("activation-offer") + field("bank") + number(0) + field(self.policy)
            + number(1, 4) + field("main") + field("4711") + bytes(range(16)) + bytes(range(16, 32))
        )

    def session(self, claim):
        shared = agreed(self.agreement, public_key(base64url(claim["ephemeralKey"])))
        code = self.activation["code"].replace("-", "")
        return enrolment.Session(claim, shared, code, self.offer)

    def __call__(self, call):
        self.routes.append(call.route)
        message = call.message
        if call.route == "activation/claim":
            mac = self.session(message["claim"]).offer_mac
            return self.signer.answer(call, {
                "offer": to_base64url(self.offer), "mac": to_base64url(mac)})
        if call.route == "activation/commit":
            session = self.session(message["submittedClaim"]["claim"])
            receipt = session.receipt(message["enrolments"], ["enrolled"])
            return self.signer.answer(call, {
                "outcomes": ["enrolled"], "receipt": to_base64url(receipt)})
        if call.route in ("pin-check", "rekey", "decision"):
            return self.signer.answer(call, {})
        return None
