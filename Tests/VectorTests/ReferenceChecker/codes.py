"""Codes and evidence: docs/protocol/codes.md."""

from fields import (
    base64url, decimal, expand, field, identifier, identifier_of_16_bytes, is_signed,
    label, mac, number, public_key, require, sha256,
)
from messages import read_message
from transactions import transaction

KINDS = ("user", "device", "biometric")
CHOICES = {
    "approve": 0xA5, "unspecified": 0x5A, "notMe": 0x59, "wrongDetails": 0x56,
    "noLongerWanted": 0x6A,
}
OF_TYPE = {"consent": "device", "userPIN": "user", "biometric": "biometric"}


def credential(enterprise, identity, kind, generation):
    require(kind in KINDS and len(identity) == 16)
    return field(identifier(enterprise)) + identity + field(kind) + number(generation)


def credential_of(case):
    identity = bytes.fromhex(identifier_of_16_bytes(case["credential"]))
    return credential(case["enterprise"], identity, case["kind"], decimal(case["generation"]))


def credential_in(value):
    """The purpose of a message."""
    return credential(
        value["enterprise"], bytes.fromhex(value["id"]), value["kind"], int(value["generation"])
    )


def seed_of(case):
    seed = bytes.fromhex(case["seed_hex"])
    require(len(seed) == 32)
    return seed


def subkey(seed, use, of):
    return expand(seed, label(use) + of)


def question(use, of, epoch, body):
    return sha256(label(use) + of + number(epoch) + body).hex()


def whole_code(key, asked, counter):
    """OCRA without truncation; the question fills one half of its field."""
    challenge = bytes.fromhex(asked).ljust(128, b"\0")
    suite = b"OCRA-1:HOTP-SHA256-0:C-QH64\0"
    return mac(key, suite + number(counter) + challenge).hex()


def typed_code(hashed):
    offset = hashed[-1] & 0xF
    truncated = int.from_bytes(hashed[offset : offset + 4], "big") & 0x7FFFFFFF
    return str(truncated % 10**8).zfill(8)


def typed_number(digits):
    require(digits == "" or len(digits) in (2, 6) and digits.isascii() and digits.isdigit())
    return field(digits)


def decision_body(hashed, choice, digits):
    require(len(hashed) == 32 and choice in CHOICES)
    return field(hashed) + number(CHOICES[choice], 1) + typed_number(digits)


# MARK: Cases


def body_of(case):
    if case["purpose"] == "decision":
        hashed = bytes.fromhex(case["transaction_hash_hex"])
        return decision_body(hashed, case["choice"], case.get("typed_number", ""))
    if case["purpose"] == "pin-check":
        return b""
    require(case["purpose"] in ("login", "rekey"))
    digest = bytes.fromhex(case["digest_hex"])
    require(len(digest) == 32)
    return field(digest)


def in_band_code_case(case):
    of, seed = credential_of(case), seed_of(case)
    asked = question(case["purpose"], of, decimal(case["epoch"]), body_of(case))
    key = subkey(seed, "ocra-key", of)
    return {"question": asked, "code": whole_code(key, asked, decimal(case["counter"]))}


def typed_code_case(case):
    of, seed, counter = credential_of(case), seed_of(case), decimal(case["counter"])
    epoch = decimal(case["epoch"])
    if "data_hex" not in case:
        return {"code": typed_code(mac(subkey(seed, "hotp-key", of), number(counter)))}
    asked = question("typed-data", of, epoch, field(bytes.fromhex(case["data_hex"])))
    challenge = bytes.fromhex(asked).ljust(128, b"\0")
    message = b"OCRA-1:HOTP-SHA256-8:C-QH64\0" + number(counter) + challenge
    return {"code": typed_code(mac(subkey(seed, "ocra-key", of), message))}


def decision_case(case):
    """Verifies a decision as a verifier with this seed."""
    request = read_message("decision request", case["request"].encode())
    canonical = bytes.fromhex(case["canonical_hex"])
    shown = transaction(canonical)
    require(request["transaction"] == shown["id"])
    approves = "approve" in request["choice"]
    if approves:
        kind = OF_TYPE[request["choice"]["approve"]]
        require(request["choice"]["approve"] in shown["authentication"])
        choice = "approve"
    else:
        kind, choice = "device", request["choice"]["reject"]
    envelope = request["envelope"]
    generation, epoch, counter = (
        int(envelope[part]) for part in ("generation", "epoch", "counter")
    )
    device = bytes.fromhex(identifier_of_16_bytes(case["device"]))
    hashed = sha256(canonical)
    evidence = (
        label("decision-evidence")
        + device
        + field(hashed)
        + number(CHOICES[choice], 1)
        + field(kind)
        + number(generation)
        + number(epoch)
        + number(counter)
    )
    key = public_key(bytes.fromhex(case["device_key_hex"]))
    require(is_signed(key, base64url(request["evidence"]), evidence))
    identity = bytes.fromhex(identifier_of_16_bytes(case["credential"]))
    of = credential(shown["enterprise"], identity, kind, generation)
    digits = case.get("typed_number", "") if approves else ""
    asked = question("decision", of, epoch, decision_body(hashed, choice, digits))
    code = whole_code(subkey(seed_of(case), "ocra-key", of), asked, counter)
    require(code == envelope["code"])
    return {"evidence_hex": evidence.hex(), "question": asked}
