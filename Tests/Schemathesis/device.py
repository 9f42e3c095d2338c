"""Lets schemathesis ask as devices do: each request signed by one of them (RFC 9421), in turn.

KNOWN names a file of JSON: the origin that is signed, the server's time, which stands still, and of each
device its id and its key's number.
"""
import base64
import hashlib
import itertools
import json
import os
import secrets
import urllib.parse

import requests
import schemathesis
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, utils

known = json.load(open(os.environ["KNOWN"]))
devices = itertools.cycle(
    (device["id"], ec.derive_private_key(int(device["key"], 16), ec.SECP256R1()))
    for device in known["devices"]
)


class Signed(requests.auth.AuthBase):
    """One device may ask no more than twice a second: so there are many."""

    def __call__(self, request):
        device, key = next(devices)
        body = request.body or b""
        body = body.encode() if isinstance(body, str) else body
        digest = base64.b64encode(hashlib.sha256(body).digest()).decode()
        fields = {
            "@method": request.method,
            "@target-uri": known["origin"] + urllib.parse.urlsplit(request.url).path,
            "content-digest": f"sha-256=:{digest}:",
            "content-type": request.headers.get("content-type", ""),
        }
        names = " ".join(f'"{name}"' for name in fields)
        parameters = (
            f"({names});created={known['now']};nonce=\"{secrets.token_hex(16)}\""
            f";keyid=\"{device}\";tag=\"countersign-device-1\""
        )
        lines = [f'"{name}": {value}' for name, value in fields.items()]
        base = "\n".join(lines + [f'"@signature-params": {parameters}']).encode("latin-1")
        r, s = utils.decode_dss_signature(key.sign(base, ec.ECDSA(hashes.SHA256())))
        signature = base64.b64encode(r.to_bytes(32, "big") + s.to_bytes(32, "big")).decode()
        request.headers["content-digest"] = fields["content-digest"]
        request.headers["signature-input"] = f"countersign={parameters}"
        request.headers["signature"] = f"countersign=:{signature}:"
        return request


schemathesis.auth.set_from_requests(Signed())
