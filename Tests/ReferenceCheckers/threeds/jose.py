"""Tokens (JWE and JWS) as EMV 3-D Secure uses them, and strict JSON and base64url.

The peer encrypts with cryptography, because it needs fixed nonces, and decrypts with jwcrypto.
"""
import base64
import datetime
import hashlib
import hmac
import json
import os
import re

from cryptography import x509
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes, padding
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.hazmat.primitives.asymmetric.padding import PKCS1v15
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.concatkdf import ConcatKDFHash
from jwcrypto import jwe, jwk, jws
from jwcrypto.common import JWException

CBC, GCM = "A128CBC-HS256", "A128GCM"


class Malformed(Exception):
    """Bytes that break a rule of their format."""


def encode(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def decode(text: str) -> bytes:
    """base64url without padding, blanks, other characters or unused bits."""
    if not re.fullmatch(r"[A-Za-z0-9_-]*", text) or len(text) % 4 == 1:
        raise Malformed("base64url has a wrong character or length")
    data = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    if encode(data) != text:
        raise Malformed("base64url has unused bits")
    return data


def read_json(data: bytes) -> dict:
    """An object in UTF-8 without repeated members."""
    def unique(pairs):
        members = dict(pairs)
        if len(members) != len(pairs):
            raise Malformed("JSON has a repeated member")
        return members

    try:
        value = json.loads(data.decode(), object_pairs_hook=unique)
    except ValueError:
        raise Malformed("not JSON") from None
    if not isinstance(value, dict):
        raise Malformed("JSON is not an object")
    return value


def header_of(token: str, parts: int) -> dict:
    pieces = token.split(".")
    if len(pieces) != parts:
        raise Malformed(f"the token does not have {parts} parts")
    for piece in pieces:
        decode(piece)
    return read_json(decode(pieces[0]))


def public_jwk(key: ec.EllipticCurvePublicKey) -> dict:
    numbers = key.public_numbers()
    return {"kty": "EC", "crv": "P-256",
            "x": encode(numbers.x.to_bytes(32, "big")), "y": encode(numbers.y.to_bytes(32, "big"))}


def public_key(members: dict) -> ec.EllipticCurvePublicKey:
    """The key of a JSON web key, which must be a point of P-256."""
    if set(members) != {"kty", "crv", "x", "y"} or (members["kty"], members["crv"]) != ("EC", "P-256"):
        raise Malformed("not a public key of P-256")
    x, y = decode(members["x"]), decode(members["y"])
    if len(x) != 32 or len(y) != 32:
        raise Malformed("a coordinate does not have 32 bytes")
    try:
        return ec.EllipticCurvePublicNumbers(
            int.from_bytes(x, "big"), int.from_bytes(y, "big"), ec.SECP256R1()).public_key()
    except ValueError:
        raise Malformed("the point is not on the curve") from None


def derived_key(ours: ec.EllipticCurvePrivateKey, theirs: ec.EllipticCurvePublicKey,
                reference: str) -> bytes:
    """ECDH, then Concat KDF with SHA-256; only the third of its values has content."""
    name = reference.encode()
    empty = (0).to_bytes(4, "big")
    inputs = empty + empty + len(name).to_bytes(4, "big") + name + (256).to_bytes(4, "big")
    shared = ours.exchange(ec.ECDH(), theirs)
    return ConcatKDFHash(hashes.SHA256(), 32, inputs).derive(shared)


def cipher_key(key: bytes, cipher: str, from_sdk: bool) -> bytes:
    if cipher == CBC:
        return key
    return key[:16] if from_sdk else key[16:]


def counter_nonce(counter: int, from_sdk: bool) -> bytes:
    return (b"\x00" if from_sdk else b"\xff") * 11 + bytes([counter])


def seal(header: dict, key: bytes, content: bytes, nonce: bytes | None = None) -> str:
    """A token of `dir`; GCM needs a nonce, and CBC makes a random one."""
    head = encode(json.dumps(header, separators=(",", ":")).encode())
    if header["enc"] == GCM:
        sealed = AESGCM(key).encrypt(nonce, content, head.encode())
        text, tag = sealed[:-16], sealed[-16:]
    else:
        nonce = nonce or os.urandom(16)
        pad = padding.PKCS7(128).padder()
        encryptor = Cipher(algorithms.AES(key[16:]), modes.CBC(nonce)).encryptor()
        text = encryptor.update(pad.update(content) + pad.finalize()) + encryptor.finalize()
        length = (len(head) * 8).to_bytes(8, "big")
        tag = hmac.new(key[:16], head.encode() + nonce + text + length, hashlib.sha256).digest()[:16]
    return ".".join([head, "", encode(nonce), encode(text), encode(tag)])


def open_sealed(token: str, key: bytes, cipher: str) -> bytes:
    """The content of a token of `dir`, by jwcrypto."""
    found = jwe.JWE(algs=["dir", cipher])
    try:
        found.deserialize(token, jwk.JWK(kty="oct", k=encode(key)))
    except (JWException, ValueError):
        raise Malformed("the token cannot be decrypted") from None
    return found.payload


def open_signed(token: str, root: x509.Certificate, now: float) -> dict:
    """The content of acsSignedContent: PS256 or ES256 by x5c[0], whose chain ends at `root`."""
    header = header_of(token, 3)
    if header.get("alg") not in ("PS256", "ES256"):
        raise Malformed("the algorithm is not PS256 or ES256")
    if not set(header) <= {"alg", "x5c", "typ"}:
        raise Malformed("the header has an excluded member")
    chain = header.get("x5c")
    if not isinstance(chain, list) or not chain or not all(isinstance(one, str) for one in chain):
        raise Malformed("the header has no x5c")
    try:
        certificates = [x509.load_der_x509_certificate(base64.b64decode(one, validate=True))
                        for one in chain]
    except ValueError:
        raise Malformed("x5c has a malformed certificate") from None
    check_chain(certificates, root, now)
    key = certificates[0].public_key()
    if isinstance(key, ec.EllipticCurvePublicKey) and key.curve.name != "secp256r1":
        raise Malformed("the curve of the signing key is not P-256")
    if isinstance(key, rsa.RSAPublicKey) and key.key_size < 2048:
        raise Malformed("the signing key is too short")
    signed = jws.JWS()
    signed.allowed_algs = [header["alg"]]
    try:
        signed.deserialize(token, jwk.JWK.from_pyca(key))
    except (JWException, ValueError):
        raise Malformed("the signature is not valid") from None
    return read_json(signed.payload)


def check_chain(certificates: list[x509.Certificate], root: x509.Certificate, now: float) -> None:
    if certificates[-1] == root:
        certificates = certificates[:-1]
    if not certificates:
        raise Malformed("the root itself signed")
    moment = datetime.datetime.utcfromtimestamp(now)
    chain = certificates + [root]
    for certificate in chain:
        if not certificate.not_valid_before <= moment <= certificate.not_valid_after:
            raise Malformed("a certificate of the chain is not valid at this time")
    for subject, issuer in zip(chain, chain[1:]):
        if not _is_authority(issuer) or not _is_signed_by(subject, issuer):
            raise Malformed("the chain does not end at the root")


def _is_authority(certificate: x509.Certificate) -> bool:
    try:
        constraints = certificate.extensions.get_extension_for_class(x509.BasicConstraints)
        return constraints.value.ca
    except x509.ExtensionNotFound:
        return False


def _is_signed_by(subject: x509.Certificate, issuer: x509.Certificate) -> bool:
    key, digest = issuer.public_key(), subject.signature_hash_algorithm
    if subject.issuer != issuer.subject:
        return False
    try:
        if isinstance(key, ec.EllipticCurvePublicKey):
            key.verify(subject.signature, subject.tbs_certificate_bytes, ec.ECDSA(digest))
        else:
            key.verify(subject.signature, subject.tbs_certificate_bytes, PKCS1v15(), digest)
        return True
    except InvalidSignature:
        return False
