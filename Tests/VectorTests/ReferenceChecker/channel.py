"""Secure channels of EMV 3-D Secure, as Vectors/README.md limits them."""

import json

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.kdf.concatkdf import ConcatKDFHash

import tokens
from fields import Refused, base64url, number, require

CIPHERS = {"A128CBC-HS256": tokens.aes_cbc_hmac, "A128GCM": tokens.aes_gcm}
COUNTERS = {"acs": "sdkCounterStoA", "sdk": "acsCounterAtoS"}
MOST_BYTES = {"acs": 64 << 10, "sdk": 512 << 10}


def agreed_key(case):
    own = tokens.private_point(tokens.object_of(case["own_key"]), "ECDH-ES", "enc")
    other = tokens.public_point(tokens.object_of(case["other_key"]), "ECDH-ES", "enc")
    name = case["sdk_reference_number"].encode()
    # Two empty values, the name, and the count of bits.
    info = bytes(8) + number(len(name), 4) + name + number(256, 4)
    return ConcatKDFHash(hashes.SHA256(), 32, info).derive(own.exchange(ec.ECDH(), other))


def counter_of(plaintext, receiver):
    require(len(plaintext) <= MOST_BYTES[receiver])
    try:
        pairs = json.loads(
            plaintext.decode(), object_pairs_hook=list, parse_constant=tokens.refuse
        )
    except ValueError:
        raise Refused() from None
    # An array that is not an object has no pairs.
    require(plaintext.lstrip()[:1] == b"{")
    counters = [value for name, value in pairs if name == COUNTERS[receiver]]
    require(len(counters) == 1 and isinstance(counters[0], str))
    return counters[0]


def opened(case, key, encryption, message, count):
    """The plaintext and the encryption of the message after `count` others."""
    receiver = case["receiver"]
    parts, header = tokens.parts_of(message, 5)
    encrypted_key, nonce, ciphertext, tag = (base64url(part) for part in parts[1:])
    require(header.get("alg") == "dir" and encrypted_key == b"" and count <= 255)
    name = header.get("enc")
    require(isinstance(name, str) and name in CIPHERS and encryption in (None, name))
    require(header.get("kid") == case["acs_trans_id"])
    if name == "A128GCM":
        filler, key = (b"\0", key[:16]) if receiver == "acs" else (b"\xff", key[16:])
        require(nonce == filler * 11 + bytes([count]))
    plaintext = CIPHERS[name](key, nonce, parts[0].encode(), ciphertext, tag)
    require(counter_of(plaintext, receiver) == "%03d" % count)
    return plaintext, name


def emv_channel_case(case):
    receiver = case["receiver"]
    require(receiver in COUNTERS and ("encryption" in case) == (receiver == "sdk"))
    encryption = case.get("encryption")
    require(encryption is None or encryption in CIPHERS)
    key = agreed_key(case)
    last, count, plaintexts = None, 0, []
    for message in case["messages"]:
        require(isinstance(message, str))
        # An SDK gets no message twice: its counter is refused then.
        if message == last and receiver == "acs":
            plaintexts.append("repeated")
            continue
        plaintext, encryption = opened(case, key, encryption, message, count)
        last, count = message, count + 1
        plaintexts.append(plaintext.hex())
    return {"key_hex": key.hex(), "plaintexts": plaintexts}
