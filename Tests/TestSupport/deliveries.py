"""Checks what was sent by Standard Webhooks, RFC 7515 and 7523, FCM's reference and our OpenAPI.

A request is one JSON object on standard input; says "good", or dies of what is wrong.
"""
import base64
import hashlib
import hmac
import json
import re
import sys
import time
import urllib.parse

from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import padding
from jsonschema import Draft202012Validator

request = json.load(sys.stdin)
fields = {name.lower(): value for name, value in request["fields"]}
body = base64.b64decode(request["body"])
assert request["method"] == "POST"


def matches(document, schema, value):
    # References lead into the document, so it is the root of every schema.
    root = dict(schema, components=document["components"])
    Draft202012Validator(root).validate(value)


def webhook(hook, path, *secrets):
    document = json.load(open(path))
    operation = document["webhooks"][hook]["post"]
    for reference in operation["parameters"]:
        name = reference["$ref"].rsplit("/", 1)[1]
        parameter = document["components"]["parameters"][name]
        matches(document, parameter["schema"], fields[parameter["name"]])
    assert fields["content-type"] == "application/json"
    matches(document, operation["requestBody"]["content"]["application/json"]["schema"],
            json.loads(body))
    moment = fields["webhook-timestamp"]
    assert abs(time.time() - int(moment)) < 300, "too old, or too new"
    signed = fields["webhook-id"].encode() + b"." + moment.encode() + b"." + body
    for secret in secrets:
        key = base64.b64decode(secret.removeprefix("whsec_"))
        mac = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
        assert f"v1,{mac}" in fields["webhook-signature"].split(" "), "no signature by this secret"


def decoded(part):
    return base64.urlsafe_b64decode(part + "=" * (-len(part) % 4))


def assertion(path, audience, account, key_id):
    assert fields["content-type"] == "application/x-www-form-urlencoded"
    form = urllib.parse.parse_qs(body.decode(), strict_parsing=True)
    assert form["grant_type"] == ["urn:ietf:params:oauth:grant-type:jwt-bearer"]
    [token] = form["assertion"]
    header, claims, signature = token.split(".")
    assert json.loads(decoded(header)) == {"alg": "RS256", "typ": "JWT", "kid": key_id}
    claims_read = json.loads(decoded(claims))
    issued = claims_read.pop("iat")
    assert abs(time.time() - issued) < 60 and claims_read.pop("exp") == issued + 3600
    assert claims_read == {
        "iss": account, "aud": audience,
        "scope": "https://www.googleapis.com/auth/firebase.messaging",
    }
    public = serialization.load_pem_public_key(open(path, "rb").read())
    public.verify(decoded(signature), f"{header}.{claims}".encode(), padding.PKCS1v15(),
                  hashes.SHA256())


def message(project, access, token, transaction):
    assert request["target"] == f"/v1/projects/{project}/messages:send"
    assert fields["authorization"] == f"Bearer {access}"
    assert fields["content-type"] == "application/json"
    [(name, sent)] = json.loads(body).items()
    ttl = sent["android"].pop("ttl")
    assert re.fullmatch("[0-9]+s", ttl) and 100 <= int(ttl[:-1]) <= 120, ttl
    assert name == "message" and sent == {
        "token": token,
        "data": {"sa_transaction_id": transaction, "account_id": "4711", "account_type": "main"},
        "android": {"priority": "HIGH"},
    }, sent


{"webhook": webhook, "assertion": assertion, "message": message}[sys.argv[1]](*sys.argv[2:])
print("good")
