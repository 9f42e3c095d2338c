"""Verifies requests and responses with http-message-signatures, an independent RFC 9421 library.

As a program it reads a list of exchanges as JSON. It prints a line for each message: "good", or the
reason why the message is rejected.
"""
import datetime
import json
import sys
from types import SimpleNamespace

from cryptography.hazmat.primitives import serialization
from http_message_signatures import (
    HTTPMessageSignaturesException,
    HTTPMessageVerifier,
    MappingKeyResolver,
    algorithms,
)

REQUEST = ('"@method"', '"@target-uri"', '"content-digest"', '"content-type"')
RESPONSE = (
    '"@status"', '"content-digest"', '"content-type"', '"@method";req', '"@target-uri";req',
    '"content-digest";req', '"signature-input";req', '"signature";req',
)


class Verifier(HTTPMessageVerifier):
    """Accepts any age: only the server's clock can judge that."""

    max_clock_skew = datetime.timedelta(days=365)


def public_key(digits):
    """The key that these hexadecimal digits are, in the form of X.509."""
    return serialization.load_der_public_key(bytes.fromhex(digits))


def check(message, body, keys, tag, components):
    """Fails where the message is not signed by one of the keys, or not all of it."""
    resolver = MappingKeyResolver(public_keys=keys, private_keys={})
    verifier = Verifier(signature_algorithm=algorithms.ECDSA_P256_SHA256, key_resolver=resolver)
    [found] = verifier.verify(message, max_age=None, expect_tag=tag, body=body)
    assert tuple(found.covered_components) == components + ('"@signature-params"',)


def check_request(request, body, keys):
    check(request, body, keys, "countersign-device-1", REQUEST)


def check_response(response, body, keys):
    """The response has its request as `response.request`; only the head of a stream is signed."""
    is_stream = response.headers["content-type"] == "text/event-stream"
    components = tuple(name for name in RESPONSE if not (is_stream and name == '"content-digest"'))
    check(response, None if is_stream else body, keys, "countersign-server-1", components)


def message(parts, **more):
    return SimpleNamespace(**parts, **more), bytes.fromhex(parts["body"])


def verdict(judging, *what):
    try:
        judging(*what)
        return "good"
    except HTTPMessageSignaturesException as failure:
        return f"{type(failure).__name__}: {failure}"


if __name__ == "__main__":
    for exchange in json.load(sys.stdin):
        keys = {name: public_key(digits) for name, digits in exchange["keys"].items()}
        request, body = message(exchange["request"])
        print(verdict(check_request, request, body, keys))
        response, body = message(exchange["response"], request=request)
        print(verdict(check_response, response, body, keys))
