"""Inputs for the reader: the vectors, and as many variants of them as a test wants."""

import json
import random
import struct

from engine import ROOT

READ, CHECK = 0, 1
OPENING = b"CSTX\x01"
# First and last characters of scripts, marks, digits, spaces, and characters that hide or imitate others.
EDGES = [
    0x20, 0x27, 0x30, 0x39, 0x41, 0x5A, 0x61, 0x7A, 0x7F, 0xA0, 0xAD, 0xE4, 0x1C0, 0x300, 0x301, 0x308,
    0x335, 0x34F, 0x370, 0x3B1, 0x430, 0x488, 0x52F, 0x530, 0x5D0, 0x627, 0x64B, 0x660, 0x669, 0x6F0,
    0x93C, 0x93F, 0x966, 0x9BE, 0x9C7, 0x9E6, 0xC5D, 0xCF3, 0xE01, 0x1160, 0x1E00, 0x200B, 0x200D,
    0x2010, 0x2019, 0x2028, 0x202E, 0x20AC, 0x20C0, 0x20C1, 0x2126, 0x212B, 0x2212, 0x3000, 0x3042,
    0x3099, 0x30A2, 0x3105, 0x3131, 0x3164, 0x4E00, 0x9FFF, 0xAC00, 0xD7A3, 0xE000, 0xF900, 0xFB1D,
    0xFE0F, 0xFEFF, 0xFF10, 0xFF21, 0xFF66, 0xFFA0, 0xFFFD, 0x1D7CE, 0x1F600, 0x20000, 0x2A6DF,
    0x2EBF0, 0x2F800, 0x31350, 0xE0001, 0xE0100, 0x10FFFF,
]


def framed(calls):
    """The form that `verdicts.swift` and the script read."""
    return b"".join(struct.pack(">IB", len(content) + 1, call) + content for call, content in calls)


def vectors():
    """Every case of the vectors of transactions, and all other transactions in vectors."""
    with open(ROOT / "Vectors/own-transaction.json", encoding="utf-8") as file:
        return json.load(file)["cases"]


def other_transactions():
    found = set()
    for path in (ROOT / "Vectors").glob("**/*.json"):
        collect(json.loads(path.read_text(encoding="utf-8")), found)
    return sorted(found)


def collect(value, found):
    if isinstance(value, str) and value.startswith(OPENING.hex()):
        found.add(bytes.fromhex(value))
    for part in value.values() if isinstance(value, dict) else value if isinstance(value, list) else []:
        collect(part, found)


def seeds():
    folder = ROOT / "Tests/Fuzz/seeds/canonical-transaction"
    return [path.read_bytes() for path in sorted(folder.iterdir())]


def variants(count):
    """Variants of accepted transactions and of texts; the same ones in each run."""
    source = random.Random(21)
    accepted = [bytes.fromhex(case["canonical_hex"]) for case in vectors() if "hash_hex" in case] + seeds()
    for number in range(count):
        kind = number % 20
        if kind < 10:
            yield READ, damaged(source, source.choice(accepted))
        elif kind < 16:
            yield READ, with_other_text(source, source.choice(accepted))
        else:
            yield CHECK, text(source, 30)


def damaged(source, content):
    content = bytearray(content)
    for _ in range(source.randint(1, 3)):
        place = source.randrange(len(content) + 1)
        change = source.randrange(4)
        if change == 0:
            content[place:place + 1] = bytes([source.randrange(256)])
        elif change == 1:
            content[place:place] = source.randbytes(source.randint(1, 4))
        elif change == 2:
            del content[place:place + source.randint(1, 4)]
        elif place < len(content):
            content[place] ^= 1 << source.randrange(8)
    return bytes(content)


def fields(content):
    rest = content[len(OPENING):]
    while rest:
        length = struct.unpack(">I", rest[1:5])[0]
        yield rest[0], rest[5:5 + length]
        rest = rest[5 + length:]


def with_other_text(source, content):
    """Another value for one field, with right lengths: all rules after the form are reached."""
    changed = source.randint(1, 14)
    result = OPENING
    for tag, value in fields(content):
        if tag == changed:
            value = other_value(source, tag, value)
        result += bytes([tag]) + struct.pack(">I", len(value)) + value
    return result


def other_value(source, tag, value):
    if tag == 7:
        texts = [text(source, source.choice([5, 42])), text(source, 20)]
        return b"\x01" + b"".join(struct.pack(">I", len(part)) + part for part in texts)
    if tag == 8:
        code = source.choice([b"EUR", b"JPY", b"TND", b"CLF", b"XXX", b"eur", b"EU ", b"RSD"])
        return b"\x01" + code + bytes([source.choice([0, 2, 3, 4])]) + struct.pack(
            ">Q", source.choice([0, 1, 99, 100, 12345, 10**15 - 1, 10**15, 2**64 - 1]))
    if tag == 9:
        account = source.choice([b"A1", b"DE89370400440532013000", b"DE88370400440532013000", b"de", b"0"])
        parts = [text(source, 10), account]
        return b"\x01" + b"".join(struct.pack(">I", len(part)) + part for part in parts)
    if tag == 11:
        return source.choice([b"https://", b"com.bank.app://", b"http://"]) + source.choice(
            [b"bank.example", b"bank.example:8", b"a-.b", b""]) + b"/%4" + source.choice([b"1", b"g", b"\xc3\xa4"])
    return text(source, source.choice([1, 8, 64, 101]))


def text(source, length):
    """Mostly letters of one alphabet, so that many texts are accepted."""
    alphabets = ["abcdefgh äöüß", "абвгд", "αβγδ", "אבגד", "一二三漢字かなカナ", "한국어", "नमस्ते", "0123456789 .,-"]
    alphabet = source.choice(alphabets)
    characters = [
        chr(source.choice(EDGES)) if source.random() < 0.05 else
        chr(source.randrange(0x80, 0xD800)) if source.random() < 0.02 else source.choice(alphabet)
        for _ in range(source.randint(1, length))
    ]
    return "".join(characters).encode("utf-8", "surrogatepass")
