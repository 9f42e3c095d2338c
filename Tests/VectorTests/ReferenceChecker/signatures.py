"""Signed requests and responses: docs/protocol/signatures.md."""

import re

from fields import (
    base64, is_signed, public_key_of_x509, require, server_key_name, sha256,
    standard_base64,
)

HEXADECIMAL = r'"([0-9a-f]{32})"'
CREATED = r"(0|[1-9][0-9]{0,14})"

OF_DEVICE = {
    "list": '("@method" "@target-uri" "content-digest" "content-type")',
    "created": CREATED,
    "nonce": HEXADECIMAL,
    "keyid": HEXADECIMAL,
    "tag": '"(countersign-device-1)"',
}
OF_SERVER = {
    "list": '("@status" "content-digest" "content-type" "@method";req "@target-uri";req '
    '"content-digest";req "signature-input";req "signature";req)',
    "created": CREATED,
    "keyid": HEXADECIMAL,
    "tag": '"(countersign-server-1)"',
}


def parameters_of(signature_input, form):
    """Each parameter once, in any order, without spaces."""
    start = "countersign=" + form["list"] + ";"
    require(signature_input.startswith(start))
    parts = signature_input.removeprefix(start).split(";")
    names = [part.partition("=")[0] for part in parts]
    require(sorted(names) == sorted(form.keys() - {"list"}))
    values = {}
    for name, part in zip(names, parts):
        value = re.fullmatch(form[name], part.partition("=")[2])
        require(value)
        values[name] = value[1]
    return values


def value_of(name, fields):
    found = [value for key, value in fields if key.isascii() and key.lower() == name]
    require(len(found) == 1)
    return printable(found[0])


def printable(value):
    require(re.fullmatch(r"[!-~]([ -~]*[!-~])?", value))
    return value


def signed_fields(fields, body):
    names = ("content-type", "content-digest", "signature-input", "signature")
    values = {name: value_of(name, fields) for name in names}
    require(values["content-digest"] == "sha-256=:%s:" % standard_base64(sha256(body)))
    return values


def raw_signature(values):
    encoded = re.fullmatch(r"countersign=:([A-Za-z0-9+/]{86}==):", values["signature"])
    require(encoded)
    raw = base64.b64decode(encoded[1])
    require(standard_base64(raw) == encoded[1])
    return raw


def base(components, values):
    lines = ['%s: %s\n' % (name, printable(value)) for name, value in components]
    parameters = values["signature-input"].removeprefix("countersign=")
    return "".join(lines + ['"@signature-params": ' + parameters]).encode()


def request_components(method, target, values):
    return [
        ('"@method"', method),
        ('"@target-uri"', target),
        ('"content-digest"', values["content-digest"]),
        ('"content-type"', values["content-type"]),
    ]


def signed_request(method, target, fields, body, key):
    values = signed_fields(fields, body)
    parameters = parameters_of(values["signature-input"], OF_DEVICE)
    signed = base(request_components(method, target, values), values)
    require(is_signed(key, raw_signature(values), signed))
    return values, parameters


def signed_request_case(case):
    key = public_key_of_x509(bytes.fromhex(case["public_key_hex"]))
    _, parameters = signed_request(
        case["method"], case["target_uri"], case["fields"], case["body"].encode(), key
    )
    created = int(parameters["created"]) * 1000
    skew = abs(created - int(case["now"]))
    return {
        "device": parameters["keyid"],
        "nonce": parameters["nonce"],
        "created": str(created),
        "verdict": "authentic" if skew <= 120_000 else "clock-skew",
    }


def signed_response_case(case):
    device_key = public_key_of_x509(bytes.fromhex(case["device_key_hex"]))
    method, target = case["request_method"], case["request_target_uri"]
    asked, _ = signed_request(
        method, target, case["request_fields"], case["request_body"].encode(), device_key
    )
    values = signed_fields(case["fields"], case["body"].encode())
    parameters = parameters_of(values["signature-input"], OF_SERVER)
    keys = [public_key_of_x509(bytes.fromhex(key)) for key in case["server_keys"]]
    named = [key for key in keys if server_key_name(key).hex() == parameters["keyid"]]
    require(named)
    components = [
        ('"@status"', str(case["status"])),
        ('"content-digest"', values["content-digest"]),
        ('"content-type"', values["content-type"]),
        ('"@method";req', method),
        ('"@target-uri";req', target),
        ('"content-digest";req', asked["content-digest"]),
        ('"signature-input";req', asked["signature-input"]),
        ('"signature";req', asked["signature"]),
    ]
    require(is_signed(named[0], raw_signature(values), base(components, values)))
    return {
        "key": parameters["keyid"],
        "created": str(int(parameters["created"]) * 1000),
    }
