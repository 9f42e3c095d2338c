"""Parts that the other modules share: docs/protocol/encoding.md."""

import base64
import hashlib
import hmac
import re

from cryptography.exceptions import InvalidSignature, InvalidTag
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, utils
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"


class Refused(Exception):
    """The input must be refused."""


def require(condition):
    if not condition:
        raise Refused()


# MARK: Binary forms


def number(value, count=8):
    return value.to_bytes(count, "big")


def field(content):
    content = content.encode() if isinstance(content, str) else content
    return number(len(content), 4) + content


def label(use):
    return field("countersign %s 1" % use)


class Reader:
    """Reads a binary form, and refuses any other input."""

    def __init__(self, content):
        self.content = content
        self.offset = 0

    def take(self, count):
        require(count <= len(self.content) - self.offset)
        self.offset += count
        return self.content[self.offset - count : self.offset]

    def number(self, count=8):
        return int.from_bytes(self.take(count), "big")

    def field(self, most=None):
        count = self.number(4)
        require(most is None or count <= most)
        return self.take(count)

    def text(self, most=None):
        return utf8(self.field(most))

    def end(self):
        require(self.offset == len(self.content))


def utf8(content):
    try:
        return content.decode()
    except UnicodeDecodeError:
        raise Refused() from None


# MARK: Texts


def identifier(text):
    require(re.fullmatch(r"[A-Za-z0-9._-]{1,64}", text) and text not in (".", ".."))
    return text


def identifier_of_16_bytes(text):
    require(re.fullmatch(r"[0-9a-f]{32}", text))
    return text


def decimal(text):
    require(re.fullmatch(r"0|[1-9][0-9]{0,19}", text) and int(text) < 2**64)
    return int(text)


def base64url(text):
    require(re.fullmatch(r"[A-Za-z0-9_-]*", text) and len(text) % 4 != 1)
    content = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    require(to_base64url(content) == text)
    return content


def to_base64url(content):
    return base64.urlsafe_b64encode(content).decode().rstrip("=")


def standard_base64(content):
    return base64.b64encode(content).decode()


def crockford(typed):
    """The characters in canonical spelling, without separators."""
    plain = typed.replace("-", "").replace(" ", "").upper()
    require(re.fullmatch("[%sILO]*" % CROCKFORD, plain) and typed.isascii())
    return plain.replace("I", "1").replace("L", "1").replace("O", "0")


# MARK: Cryptography


def sha256(content):
    return hashlib.sha256(content).digest()


def mac(key, content):
    return hmac.digest(key, content, "sha256")


def extract(salt, key):
    return mac(salt, key)


def expand(key, info):
    """HKDF-Expand to 32 bytes: a single block (RFC 5869, section 2.3)."""
    return mac(key, info + b"\x01")


def private_key(scalar):
    require(len(scalar) == 32)
    try:
        return ec.derive_private_key(int.from_bytes(scalar, "big"), ec.SECP256R1())
    except ValueError:
        raise Refused() from None


def point(key):
    return key.public_bytes(
        serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint
    )


def public_key(uncompressed):
    require(len(uncompressed) == 65 and uncompressed[0] == 4)
    try:
        return ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), uncompressed)
    except ValueError:
        raise Refused() from None


def public_key_of_x509(encoded):
    try:
        key = serialization.load_der_public_key(encoded)
    except ValueError:
        raise Refused() from None
    require(isinstance(key, ec.EllipticCurvePublicKey) and key.curve.name == "secp256r1")
    return key


def server_key_name(key):
    encoded = key.public_bytes(
        serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo
    )
    return sha256(encoded)[:16]


def agreed(private, public):
    return private.exchange(ec.ECDH(), public)


def is_signed(key, signature, content):
    require(len(signature) == 64)
    r, s = (int.from_bytes(half, "big") for half in (signature[:32], signature[32:]))
    try:
        key.verify(utils.encode_dss_signature(r, s), content, ec.ECDSA(hashes.SHA256()))
    except InvalidSignature:
        return False
    return True


def seal(key, nonce, content, associated):
    return nonce + AESGCM(key).encrypt(nonce, content, associated)


def open_sealed(key, sealed, associated):
    require(len(sealed) == 60)
    try:
        return AESGCM(key).decrypt(sealed[:12], sealed[12:], associated)
    except InvalidTag:
        raise Refused() from None
