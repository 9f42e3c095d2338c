"""Signs requests with http-message-signatures, an independent implementation of RFC 9421.

It reads a list of requests as JSON, and prints the list of their header fields as JSON.
"""
import datetime
import json
import sys
from types import SimpleNamespace

from cryptography.hazmat.primitives.asymmetric import ec
from http_message_signatures import HTTPMessageSigner, MappingKeyResolver, algorithms


def signed(request):
    key = ec.derive_private_key(int(request["key"], 16), ec.SECP256R1())
    resolver = MappingKeyResolver(public_keys={}, private_keys={request["keyid"]: key})
    signer = HTTPMessageSigner(
        signature_algorithm=algorithms.ECDSA_P256_SHA256, key_resolver=resolver
    )
    message = SimpleNamespace(
        method=request["method"],
        url=request["url"],
        headers={"content-type": request["type"], "content-digest": request["digest"]},
    )
    signer.sign(
        message,
        key_id=request["keyid"],
        created=datetime.datetime.fromtimestamp(request["created"], datetime.UTC),
        nonce=request["nonce"],
        label="countersign",
        tag="countersign-device-1",
        include_alg=False,
        covered_component_ids=("@method", "@target-uri", "content-digest", "content-type"),
        use_existing_digest=True,
    )
    return list(message.headers.items())


if __name__ == "__main__":
    print(json.dumps([signed(request) for request in json.load(sys.stdin)]))
