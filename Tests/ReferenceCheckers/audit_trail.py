"""Verifies an exported audit trail and a copy of the journal, with the public key of the journal.

    python3 audit_trail.py TRAIL JOURNAL KEY

TRAIL is the output of `countersignd audit export`, JOURNAL a copy of the journal that was made before,
and KEY the output of `countersignd evidence key`. The program needs only the package cryptography: no
store, no configuration, no other key. It exits with 0 only if all records and lines are unchanged.
docs/security/audit-trail.md describes the forms.
"""
import hashlib
import json
import struct
import sys

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, utils

ZEROS = bytes(32)
TEXTS = ("actor", "kind", "enterprise", "account_type", "account_id", "subject", "detail")


def require(condition, reason):
    # Not an assertion, which python3 -O ignores.
    if not condition:
        sys.exit("not verified: " + reason)


def text(value):
    return struct.pack(">I", len(value)) + value


def u64(number):
    return struct.pack(">Q", number)


def sha256(message):
    return hashlib.sha256(message).digest()


def members(pairs):
    require(len(dict(pairs)) == len(pairs), "the same member twice")
    return dict(pairs)


def parsed(line):
    return json.loads(line, object_pairs_hook=members)


def digest(record):
    message = text(b"countersign audit record 1") + u64(record["moment"])
    message += b"".join(text(record.get(name, "").encode()) for name in TEXTS)
    return sha256(message + text(bytes.fromhex(record["traces"])))


def chain_hash(record, previous):
    number = u64(record["sequence"])
    return sha256(text(b"countersign audit 2") + text(previous) + number + text(digest(record)))


def read_trail(lines):
    """The records of an unbroken chain from the first one, by their numbers."""
    trail, previous, moment = {}, ZEROS, 0
    for line in lines:
        record, number = parsed(line), len(trail) + 1
        require(record["sequence"] == number, f"record {number} is missing or moved")
        require(record["moment"] >= moment, f"record {number} is older than the one before")
        previous, moment = chain_hash(record, previous), record["moment"]
        require(record["hash"] == previous.hex(), f"record {number} was changed")
        trail[number] = record
    return trail


def signed_message(line):
    fields = b"".join(
        u64(record["sequence"]) + text(digest(record)) + text(bytes.fromhex(record["hash"]))
        for record in line["records"]
    )
    message = text(b"countersign journal line 3") + text(bytes.fromhex(line["store"]))
    message += b"".join(u64(line[name]) for name in ("epoch", "sequence", "moment"))
    message += text(bytes.fromhex(line["hash"])) + text(bytes.fromhex(line["previous"]))
    return message + text(sha256(fields))


def is_signed(key, message, signature):
    if len(signature) != 64:
        return False
    r, s = int.from_bytes(signature[:32], "big"), int.from_bytes(signature[32:], "big")
    try:
        key.verify(utils.encode_dss_signature(r, s), message, ec.ECDSA(hashes.SHA256()))
    except InvalidSignature:
        return False
    return True


def read_journal(data, key):
    """The lines of the journal, each signed, and each with the hash of the line before."""
    # An incomplete last line was left by a crash: nothing relies on it.
    complete = data.split(b"\n")[:-1]
    require(complete, "the journal has no line")
    lines, previous = [], ZEROS
    for number, whole in enumerate(complete, 1):
        body, _, signature = whole.rpartition(b" ")
        line = parsed(body)
        require(line["previous"] == previous.hex(), f"line {number} of the journal was moved")
        signed = is_signed(key, signed_message(line), bytes.fromhex(signature.decode()))
        require(signed, f"the key did not sign line {number} of the journal")
        if lines:
            last = lines[-1]
            require(line["store"] == last["store"], f"line {number} is about another store")
            order = [(entry["epoch"], entry["sequence"]) for entry in (last, line)]
            require(order[0] <= order[1], f"line {number} is older than the one before")
        lines.append(line)
        previous = sha256(whole)
    return lines


def matches(line, trail):
    """Whether the trail has the newest record of the line, and all records in it."""
    if line["sequence"] == 0:
        return line["hash"] == ZEROS.hex()
    record = trail.get(line["sequence"])
    return (
        record is not None
        and (record["hash"], record["moment"]) == (line["hash"], line["moment"])
        and all(trail.get(entry["sequence"]) == entry for entry in line["records"])
    )


def compare(trail, lines):
    """The last record that a signature covers."""
    signed, discarded = 0, None
    for number, line in enumerate(lines, 1):
        if not matches(line, trail):
            discarded = discarded or (number, line)
            continue
        # Only a restore discards records, and it begins a new epoch.
        if discarded and discarded[1]["epoch"] == line["epoch"]:
            break
        signed, discarded = line["sequence"], None
    if discarded:
        require(False, f"the trail differs from line {discarded[0]} of the journal, "
                f"record {discarded[1]['sequence']}")
    return signed


def main(trail, journal, pem):
    with open(pem, "rb") as file:
        key = serialization.load_pem_public_key(file.read())
    with open(journal, "rb") as file:
        lines = read_journal(file.read(), key)
    with open(trail, "rb") as file:
        records = read_trail(file)
    signed = compare(records, lines)
    print(f"{len(records)} records, signed up to record {signed}")
    for record in records.values():
        if record["kind"] == "store.restored":
            print(f"record {record['sequence']}: a restore, {record['detail']}")


if __name__ == "__main__":
    try:
        main(*sys.argv[1:])
    except (ValueError, KeyError, TypeError, AttributeError, struct.error) as failure:
        sys.exit(f"not verified: malformed, {type(failure).__name__} {failure}")
