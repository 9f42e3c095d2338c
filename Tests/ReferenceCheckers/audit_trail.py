"""Verifies an exported audit trail and a copy of the journal, with the public key of the journal.

    python3 audit_trail.py TRAIL JOURNAL KEY

TRAIL is the output of `countersignd audit export`, JOURNAL a copy of the journal that was made before,
and KEY the output of `countersignd evidence key`. The program needs only the package cryptography: no
store, no configuration, no other key. It exits with 0 only if all records and lines are unchanged, with
64 if an argument is missing, with 66 if it cannot read a file, and otherwise with 1.
docs/security/audit-trail.md describes the forms.
"""
import hashlib
import json
import re
import struct
import sys

from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, utils

ZEROS = bytes(32)
TEXTS = ("actor", "kind", "enterprise", "account_type", "account_id", "subject", "detail")
DECISIONS = ("transaction.approved", "transaction.rejected")

# The forms of values: a number, or an expression for a string.
NUMBER, TEXT, PRESENT = None, ".*", ".+"
ID, HASH, BYTES = "[0-9a-f]{32}", "[0-9a-f]{64}", "([0-9a-f]{2})*"
SIGNATURE = b"[0-9a-f]{128}"
RESTORE = "epoch ([0-9]+) lost (unknown|[0-9]+ [0-9a-f]{64})"


def record_form(concern):
    form = {"sequence": NUMBER, "moment": NUMBER, "actor": TEXT, "kind": TEXT}
    # An empty text and an absent member have the same digest, so only one of them is valid.
    form.update(dict.fromkeys(concern, PRESENT))
    return {**form, "subject": TEXT, "detail": TEXT, "traces": BYTES, "hash": HASH}


# A record concerns the store, an enterprise or an account.
RECORD = tuple(record_form(TEXTS[2:end]) for end in (2, 3, 5))
LINE = {
    "store": ID, "epoch": NUMBER, "sequence": NUMBER, "moment": NUMBER, "hash": HASH,
    "records": [RECORD], "previous": HASH,
}


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


def has_form(item, form):
    if isinstance(form, tuple):
        return any(has_form(item, other) for other in form)
    if isinstance(form, dict):
        is_object = type(item) is dict and list(item) == list(form)
        return is_object and all(has_form(item[name], form[name]) for name in form)
    if isinstance(form, list):
        return type(item) is list and all(has_form(element, form[0]) for element in item)
    if form is NUMBER:
        # Not isinstance: True is an instance of int.
        return type(item) is int and 0 <= item < 1 << 64
    return type(item) is str and re.fullmatch(form, item, re.DOTALL) is not None


def parsed(line, form, name):
    """The object of a line that has exactly the bytes that the verifier writes.

    Other bytes can have the same hash, but a search of the file reads them in another way.
    """
    try:
        item = json.loads(line.decode())
        written = json.dumps(item, ensure_ascii=False, separators=(",", ":")).encode()
    except (ValueError, RecursionError):
        item = written = None
    require(written == line and has_form(item, form), f"{name} has another form")
    return item


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
        number = len(trail) + 1
        require(line.endswith(b"\n"), f"record {number} is incomplete")
        record = parsed(line[:-1], RECORD, f"record {number}")
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
        line = parsed(body, LINE, f"line {number} of the journal")
        form = re.fullmatch(SIGNATURE, signature)
        require(form, f"the signature of line {number} of the journal has another form")
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


def restores(trail):
    """The numbers of the restores with their epochs."""
    found = {}
    for number, record in trail.items():
        if record["kind"] == "store.restored":
            detail = re.fullmatch(RESTORE, record["detail"])
            require(detail, f"record {number} has another detail")
            found[number] = int(detail[1])
    return found


def compare(trail, lines):
    """The last record that a signature covers."""
    restored = restores(trail)
    signed, epoch, discarded = 0, lines[0]["epoch"], None
    for number, line in enumerate(lines, 1):
        if not matches(line, trail):
            discarded = discarded or (number, line)
            continue
        # Only a restore discards records, and it begins a new epoch.
        if discarded and lines[number - 2]["epoch"] == line["epoch"]:
            break
        # The line of a restore is signed before its record. The trail has this record.
        if line["epoch"] > epoch:
            is_recorded = any(
                other > signed and restored[other] >= line["epoch"] for other in restored
            )
            require(is_recorded, f"the trail lacks the restore of line {number} of the journal")
        signed, epoch, discarded = line["sequence"], line["epoch"], None
    if discarded:
        require(False, f"the trail differs from line {discarded[0]} of the journal, "
                f"record {discarded[1]['sequence']}")
    return signed


def check_decisions(trail):
    """A device decides on a transaction only once."""
    decided = {}
    for number, record in trail.items():
        if record["kind"] in DECISIONS:
            first = decided.setdefault(record["subject"], number)
            require(first == number, f"record {number} decides again, after record {first}")


def main(trail, journal, pem):
    with open(pem, "rb") as file:
        key = serialization.load_pem_public_key(file.read())
    is_p256 = isinstance(key, ec.EllipticCurvePublicKey) and key.curve.name == "secp256r1"
    require(is_p256, "the key is not a P-256 public key")
    with open(journal, "rb") as file:
        lines = read_journal(file.read(), key)
    with open(trail, "rb") as file:
        records = read_trail(file)
    signed = compare(records, lines)
    check_decisions(records)
    print(f"{len(records)} records, signed up to record {signed}")
    for record in records.values():
        if record["kind"] == "store.restored":
            print(f"record {record['sequence']}: a restore, {record['detail']}")


if __name__ == "__main__":
    if len(sys.argv) != 4:
        print("usage: python3 audit_trail.py TRAIL JOURNAL KEY", file=sys.stderr)
        sys.exit(64)
    try:
        main(*sys.argv[1:])
    except OSError as failure:
        print(f"cannot read {failure.filename}: {failure.strerror}", file=sys.stderr)
        sys.exit(66)
    except (ValueError, UnsupportedAlgorithm) as failure:
        # A damaged PEM file.
        sys.exit(f"not verified: malformed, {type(failure).__name__} {failure}")
