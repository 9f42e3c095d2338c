"""Reads a push message as a browser does, by http-ece, and checks VAPID as a push service does.

The request and what is expected are one JSON object on standard input. Says "good", or dies of what
is wrong.
"""
import base64
import json
import sys
import time

import http_ece
from cryptography.hazmat.primitives.asymmetric import ec
from py_vapid import Vapid02

given = json.load(sys.stdin)
fields = {name.lower(): value for name, value in given["fields"]}


def decoded(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


scalar = int.from_bytes(decoded(given["privateKey"]), "big")
assert fields["content-encoding"] == "aes128gcm"
content = http_ece.decrypt(
    base64.b64decode(given["body"]),
    private_key=ec.derive_private_key(scalar, ec.SECP256R1()),
    auth_secret=decoded(given["secret"]),
    version="aes128gcm",
)
payload = json.loads(content)
assert payload["sa_transaction_id"] == given["transaction"], payload
assert set(payload) == {"sa_transaction_id", "account_id", "account_type"}, payload

scheme, _, parameters = fields["authorization"].partition(" ")
values = dict(part.strip().split("=", 1) for part in parameters.split(","))
assert scheme == "vapid" and set(values) == {"t", "k"}, fields["authorization"]
assert values["k"] == given["verifierKey"]
signed, _, signature = values["t"].rpartition(".")
key = Vapid02.from_raw_public(values["k"].encode())
assert key.verify_token(signed.encode(), signature), "the signature of VAPID"
claims = json.loads(decoded(signed.split(".")[1]))
assert claims["aud"] == given["origin"] and claims["sub"] == given["contact"], claims
assert 0 < claims["exp"] - time.time() <= 24 * 60 * 60, claims
print("good")
