"""Lets schemathesis send requests like devices: each device in turn signs a request (RFC 9421). Another
library verifies the signature of each response.

KNOWN names a file of JSON: the signed origin, the server's fixed time, the server's keys, and the id and
the private key of each device.
"""
import base64
import hashlib
import itertools
import json
import os
import secrets
import urllib.parse
from types import SimpleNamespace

import requests
import schemathesis
import signatures
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, utils
from http_message_signatures import InvalidSignature

known = json.load(open(os.environ["KNOWN"]))
devices = itertools.cycle(
    (device["id"], ec.derive_private_key(int(device["key"], 16), ec.SECP256R1()))
    for device in known["devices"]
)


class Signed(requests.auth.AuthBase):
    """A device may send at most two requests a second, so there are many devices."""

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

keys = {name: signatures.public_key(digits) for name, digits in known["keys"].items()}


@schemathesis.check
def is_signed(context, response, case):
    """Every success is signed over its request, and no response has an invalid signature."""
    if response.status_code >= 300 and "signature" not in response.headers:
        return
    asked, body = response.request, response.content
    request = SimpleNamespace(
        method=asked.method,
        url=known["origin"] + urllib.parse.urlsplit(asked.url).path,
        headers=asked.headers,
    )
    signed = SimpleNamespace(
        status_code=response.status_code,
        headers={name: ", ".join(values) for name, values in response.headers.items()},
        request=request,
    )
    try:
        signatures.check_response(signed, body, keys)
    except InvalidSignature as failure:
        raise AssertionError(f"the response's signature is invalid: {failure}")
