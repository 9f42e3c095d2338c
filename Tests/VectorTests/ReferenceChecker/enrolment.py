"""Activation, seeds and rekeys: docs/protocol/activation.md."""

import json
import re

import argon2.low_level

from codes import credential, credential_in, credential_of, question, subkey, whole_code
from fields import (
    CROCKFORD, agreed, base64url, crockford, expand, extract, field,
    identifier_of_16_bytes, is_signed, label, mac, number, open_sealed, point, private_key,
    public_key, require, seal, server_key_name, sha256, to_base64url,
)
from messages import activation_id, read_message, read_offer
from transactions import server_origin

# MARK: Seeds


def stretched(case):
    passes, memory, lanes = (case[name] for name in ("iterations", "memory_kib", "lanes"))
    salt = bytes.fromhex(case["salt_hex"])
    require(1 <= passes <= 10 and 1 <= lanes <= 8 and 8 * lanes <= memory <= 1 << 20)
    require(len(salt) == 16)
    return argon2.low_level.hash_secret_raw(
        case["pin"].encode(), salt, passes, memory, lanes, 32, argon2.low_level.Type.ID, 19
    )


def credential_seed_case(case):
    share, stored = bytes.fromhex(case["share_hex"]), bytes.fromhex(case["store_secret_hex"])
    require(len(share) == 32 and len(stored) == 32)
    factor = stretched(case) if "pin" in case else bytes.fromhex(case["factor_hex"])
    require(len(factor) == 32)
    info = label("credential-seed") + credential_of(case)
    seed = expand(extract(b"", share + stored + factor), info)
    return {"seed_hex": seed.hex()}


# MARK: Activation codes and URIs


def activation_code(typed):
    require(len(typed.encode()) <= 64)
    characters = crockford(typed)
    require(len(characters) == 20)
    check = sha256(label("activation-code-check") + characters[:18].encode())
    first, second = check[0] >> 3, (check[0] << 2 | check[1] >> 6) & 31
    require(characters[18:] == CROCKFORD[first] + CROCKFORD[second])
    return characters


def grouped(characters):
    return "-".join(characters[place : place + 5] for place in range(0, 20, 5))


def activation_code_case(case):
    return {"code": grouped(activation_code(case["typed"]))}


def activation_uri_case(case):
    parts = re.fullmatch(
        r"countersign-activation:1\?server=([^&]*)&key=([^&]*)&activation=([^&]*)(?:&code=(.*))?",
        case["uri"],
        re.DOTALL,
    )
    require(parts)
    server, key, activation, code = parts.groups()
    server_origin(server)
    identifier_of_16_bytes(key)
    activation_id(activation)
    result = {"server": server, "key": key, "activation": activation}
    if code is not None:
        require(grouped(activation_code(code)) == code)
        result["code"] = code
    return result


# MARK: Activation


def claim_transcript(claim):
    return sha256(
        label("activation-claim")
        + field(claim["activation"])
        + field(bytes.fromhex(claim["serverKey"]))
        + bytes.fromhex(claim["device"])
        + field(base64url(claim["ephemeralKey"]))
        + field(base64url(claim["deviceKey"]))
        + field(claim["deviceName"])
    )


class Session:
    """The values that both sides compute from the shared secret and the code."""

    def __init__(self, claim, shared, code, offer):
        transcript = claim_transcript(claim)
        self.key = extract(transcript, shared + code[:18].encode())
        self.proof = mac(expand(self.key, label("claim-key")), transcript)
        message = (
            label("activation-transcript") + field(transcript) + field(self.proof) + field(offer)
        )
        self.offer_mac = mac(expand(self.key, label("offer-key")), message)
        self.transcript = sha256(message + field(self.offer_mac))
        self.offer = read_offer(offer)

    def credential(self, place, kind):
        return credential(self.offer["enterprise"], place[kind], kind, 0)

    def seed_key(self, place, kind):
        return expand(self.key, label("activation-seed-key") + self.credential(place, kind))

    def associated(self, place, kind, device, device_key):
        return (
            label("activation-seed")
            + field(self.transcript)
            + self.credential(place, kind)
            + device
            + field(device_key)
        )

    def possession(self, place, device, device_key):
        return (
            label("device-possession")
            + field(self.transcript)
            + field(place["type"])
            + field(place["id"])
            + place["user"]
            + place["device"]
            + device
            + field(device_key)
        )

    def receipt(self, enrolments, outcomes):
        message = label("activation-receipt") + field(self.transcript)
        message += number(len(enrolments), 4)
        for enrolment in enrolments:
            message += bytes.fromhex(enrolment["device"])
            message += field(base64url(enrolment["deviceKey"]))
            for part in ("userSeed", "deviceSeed"):
                sealed = base64url(enrolment[part])
                message += field(sealed[:12]) + field(sealed[12:])
            message += field(base64url(enrolment["possession"]))
        message += number(len(outcomes), 4) + b"".join(map(field, outcomes))
        return mac(expand(self.key, label("receipt-key")), message)




def opened_seeds(session, place, enrolment):
    device, device_key = bytes.fromhex(enrolment["device"]), base64url(enrolment["deviceKey"])
    possession = session.possession(place, device, device_key)
    require(is_signed(public_key(device_key), base64url(enrolment["possession"]), possession))
    seeds = []
    for kind in ("user", "device"):
        sealed = base64url(enrolment[kind + "Seed"])
        key = session.seed_key(place, kind)
        associated = session.associated(place, kind, device, device_key)
        seed = open_sealed(key, sealed, associated)
        # The device's side: sealing has the same result.
        require(seal(key, sealed[:12], seed, associated) == sealed)
        seeds.append(seed.hex())
    return seeds


def compact(value):
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def activation_case(case):
    """Both steps of an activation, with the keys of both sides."""
    server = private_key(bytes.fromhex(case["server_scalar_hex"]))
    ephemeral = private_key(bytes.fromhex(case["ephemeral_scalar_hex"]))
    commit = read_message("activation/commit request", case["commit"].encode())
    submitted = commit["submittedClaim"]
    claim = submitted["claim"]
    require(base64url(claim["ephemeralKey"]) == point(ephemeral.public_key()))
    require(claim["serverKey"] == server_key_name(server.public_key()).hex())
    offer = bytes.fromhex(case["offer_hex"])
    read_offer(offer)
    code = activation_code(case["code"])
    shared = agreed(server, ephemeral.public_key())
    require(shared == agreed(ephemeral, server.public_key()))
    session = Session(claim, shared, code, offer)
    require(base64url(submitted["proof"]) == session.proof)
    places, enrolments = session.offer["enrolments"], commit["enrolments"]
    require(len(places) == len(enrolments))
    seeds = [opened_seeds(session, *pair) for pair in zip(places, enrolments)]
    outcomes = case["outcomes"]
    require(set(outcomes) <= {"enrolled", "tooManyDevices", "accountReplaced"})
    return {
        "proof_hex": session.proof.hex(),
        "mac_hex": session.offer_mac.hex(),
        "claim": compact(submitted),
        "claim_digest_hex": sha256(field(claim_transcript(claim)) + field(session.proof)).hex(),
        "offer_response": compact(
            {"offer": to_base64url(offer), "mac": to_base64url(session.offer_mac)}
        ),
        "seeds": seeds,
        "receipt_hex": session.receipt(enrolments, outcomes).hex(),
    }


# MARK: Rekey


def rekey_proposal(value):
    return (
        label("rekey-proposal")
        + credential_in(value["authority"])
        + credential_in(value["credential"])
        + field(base64url(value["ephemeralKey"]))
        + field(bytes.fromhex(value["serverKey"]))
    )


def rekey_key(shared, old_seed, authority, proposal):
    mixed = subkey(old_seed, "rekey-mixing-key", authority)
    return expand(extract(sha256(proposal), shared + mixed), label("rekey-seed-key"))


def rekey_case(case):
    server = private_key(bytes.fromhex(case["server_scalar_hex"]))
    ephemeral = private_key(bytes.fromhex(case["ephemeral_scalar_hex"]))
    old_seed = bytes.fromhex(case["seed_hex"])
    require(len(old_seed) == 32)
    request = read_message("rekey request", case["request"].encode())
    value = request["rekey"]["proposal"]
    require(base64url(value["ephemeralKey"]) == point(ephemeral.public_key()))
    require(value["serverKey"] == server_key_name(server.public_key()).hex())
    authority, proposal = credential_in(value["authority"]), rekey_proposal(value)
    sealed = base64url(request["rekey"]["seed"])
    key = rekey_key(agreed(ephemeral, server.public_key()), old_seed, authority, proposal)
    new_seed = open_sealed(key, sealed, proposal)
    require(seal(key, sealed[:12], new_seed, proposal) == sealed)
    envelope = request["envelope"]
    require(envelope["generation"] == value["authority"]["generation"])
    transcript = sha256(
        label("rekey-transcript") + field(proposal) + field(sealed[:12]) + field(sealed[12:])
    )
    asked = question("rekey", authority, int(envelope["epoch"]), field(transcript))
    code = whole_code(subkey(old_seed, "ocra-key", authority), asked, int(envelope["counter"]))
    require(code == envelope["code"])
    return {"question": asked, "new_seed_hex": new_seed.hex()}
