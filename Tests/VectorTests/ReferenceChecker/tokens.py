"""Signed and encrypted tokens: RFC 7515 to 7518, as Vectors/README.md limits them."""

import base64
import datetime
import hmac
import json

from cryptography import x509
from cryptography.exceptions import InvalidSignature, InvalidTag
from cryptography.hazmat.primitives import hashes, padding, serialization
from cryptography.hazmat.primitives.asymmetric import ec, rsa, utils
from cryptography.hazmat.primitives.asymmetric import padding as rsa_padding
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.concatkdf import ConcatKDFHash

from fields import Refused, base64url, number, require

MOST = 64000
REFUSED_MEMBERS = {"crit", "zip", "jwk", "jku", "x5u"}
KEY_LENGTHS = {"A128CBC-HS256": 32, "A128GCM": 16}
# The operations of a private or secret key, and of a public one.
OPERATIONS = {
    "sig": ({"sign"}, {"verify"}),
    "dir": ({"encrypt", "decrypt"}, set()),
    "ECDH-ES": ({"deriveKey", "deriveBits"}, {"deriveKey", "deriveBits"}),
    "RSA-OAEP-256": ({"decrypt", "unwrapKey"}, {"encrypt", "wrapKey"}),
}
OAEP = rsa_padding.OAEP(rsa_padding.MGF1(hashes.SHA256()), hashes.SHA256(), None)
PSS = rsa_padding.PSS(rsa_padding.MGF1(hashes.SHA256()), 32)


# MARK: Text


def members(pairs):
    require(len({name for name, _ in pairs}) == len(pairs))
    return dict(pairs)


def refuse(_):
    raise Refused()


def object_of(content):
    try:
        value = json.loads(content, object_pairs_hook=members, parse_constant=refuse)
    except ValueError:
        raise Refused() from None
    require(isinstance(value, dict))
    return value


def parts_of(token, count):
    require(len(token.encode()) <= MOST)
    parts = token.split(".")
    require(len(parts) == count)
    header = object_of(base64url(parts[0]))
    require(not REFUSED_MEMBERS & header.keys())
    return parts, header


# MARK: Keys


def check_use(key, algorithm, use):
    names = [algorithm, *KEY_LENGTHS] if algorithm == "dir" else [algorithm]
    require(key.get("alg", algorithm) in names and key.get("use", use) == use)
    is_public = key.get("kty") != "oct" and "d" not in key
    permitted = OPERATIONS["sig" if use == "sig" else algorithm][is_public]
    operations = key.get("key_ops", list(permitted))
    require(isinstance(operations, list))
    require(any(isinstance(name, str) and name in permitted for name in operations))


def member(key, name):
    require(isinstance(key.get(name), str))
    return base64url(key[name])


def point_of(key):
    require(key.get("kty") == "EC" and key.get("crv") == "P-256")
    x, y = member(key, "x"), member(key, "y")
    require(len(x) == 32 and len(y) == 32)
    try:
        return ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), b"\4" + x + y)
    except ValueError:
        raise Refused() from None


def public_point(key, algorithm, use):
    require(isinstance(key, dict) and "d" not in key)
    check_use(key, algorithm, use)
    return point_of(key)


def private_point(key, algorithm, use):
    check_use(key, algorithm, use)
    scalar = member(key, "d")
    require(len(scalar) == 32)
    try:
        private = ec.derive_private_key(int.from_bytes(scalar, "big"), ec.SECP256R1())
    except ValueError:
        raise Refused() from None
    require(private.public_key().public_numbers() == point_of(key).public_numbers())
    return private


def public_rsa(key, algorithm, use):
    require(key.get("kty") == "RSA" and "d" not in key)
    check_use(key, algorithm, use)
    modulus, exponent = member(key, "n"), member(key, "e")
    require(modulus[:1] not in (b"", b"\0") and exponent[:1] not in (b"", b"\0"))
    modulus, exponent = int.from_bytes(modulus, "big"), int.from_bytes(exponent, "big")
    require(2048 <= modulus.bit_length() <= 4096 and modulus % 2)
    require(17 <= exponent.bit_length() <= 32 and exponent % 2)
    return rsa.RSAPublicNumbers(exponent, modulus).public_key()


def secret(key, algorithm, use):
    require(key.get("kty") == "oct")
    check_use(key, algorithm, use)
    return member(key, "k")


# MARK: Key agreement


def derived(case, own, other):
    require(1 <= case["length"] <= 255 * 32)
    info = b"".join(
        number(len(value), 4) + value
        for value in (
            bytes.fromhex(case[name])
            for name in ("algorithm_id_hex", "party_u_hex", "party_v_hex")
        )
    )
    info += number(case["length"] * 8, 4)
    shared = own.exchange(ec.ECDH(), other)
    return ConcatKDFHash(hashes.SHA256(), case["length"], info).derive(shared)


def ecdh_es_case(case):
    own = private_point(object_of(case["private_key"]), "ECDH-ES", "enc")
    other = public_point(object_of(case["public_key"]), "ECDH-ES", "enc")
    return {"key_hex": derived(case, own, other).hex()}


# MARK: Ciphers


def aes_cbc_hmac(key, vector, associated, ciphertext, tag):
    require(len(key) == 32)
    message = associated + vector + ciphertext + number(len(associated) * 8)
    require(hmac.compare_digest(hmac.digest(key[:16], message, "sha256")[:16], tag))
    require(len(vector) == 16)
    decryptor = Cipher(algorithms.AES(key[16:]), modes.CBC(vector)).decryptor()
    unpadder = padding.PKCS7(128).unpadder()
    try:
        padded = decryptor.update(ciphertext) + decryptor.finalize()
        return unpadder.update(padded) + unpadder.finalize()
    except ValueError:
        raise Refused() from None


def aes_cbc_hmac_case(case):
    names = ("key_hex", "iv_hex", "ad_hex", "ciphertext_hex", "tag_hex")
    return {"plaintext_hex": aes_cbc_hmac(*(bytes.fromhex(case[name]) for name in names)).hex()}


def aes_gcm(key, nonce, associated, ciphertext, tag):
    require(len(key) == 16 and len(nonce) == 12 and len(tag) == 16)
    try:
        return AESGCM(key).decrypt(nonce, ciphertext + tag, associated)
    except InvalidTag:
        raise Refused() from None


# MARK: Tokens


def content_key(case, header, encrypted_key, encryption):
    algorithm = case["algorithm"]
    require(header.get("alg") == algorithm)
    if algorithm == "RSA-OAEP-256":
        key = serialization.load_der_private_key(base64.b64decode(case["key"]), None)
        try:
            return key.decrypt(encrypted_key, OAEP)
        except ValueError:
            raise Refused() from None
    require(encrypted_key == b"")
    key = object_of(case["key"])
    if algorithm == "dir":
        return secret(key, algorithm, "enc")
    require(algorithm == "ECDH-ES")
    for name, field in (("apu", "party_u_hex"), ("apv", "party_v_hex")):
        if name in header:
            require(isinstance(header[name], str))
            require(base64url(header[name]).hex() == case[field])
    own = private_point(key, algorithm, "enc")
    agreed = derived(case, own, public_point(header.get("epk"), algorithm, "enc"))
    require(len(agreed) >= KEY_LENGTHS[encryption])
    return agreed[: KEY_LENGTHS[encryption]]


def jwe_case(case):
    parts, header = parts_of(case["token"], 5)
    encrypted_key, nonce, ciphertext, tag = (base64url(part) for part in parts[1:])
    encryption = header.get("enc")
    require(set(case["encryptions"]) <= KEY_LENGTHS.keys())
    require(isinstance(encryption, str) and encryption in case["encryptions"])
    require(isinstance(header.get("kid", ""), str))
    key = content_key(case, header, encrypted_key, encryption)
    cipher = aes_gcm if encryption == "A128GCM" else aes_cbc_hmac
    plaintext = cipher(key, nonce, parts[0].encode(), ciphertext, tag)
    facts = {"plaintext_hex": plaintext.hex(), "nonce_hex": nonce.hex()}
    if "kid" in header:
        facts["kid"] = header["kid"]
    return facts


def check_issued(certificate, issuer, seconds):
    time = datetime.datetime.utcfromtimestamp(seconds)
    require(certificate.not_valid_before <= time < certificate.not_valid_after)
    require(certificate.issuer == issuer.subject)
    constraints = issuer.extensions.get_extension_for_class(x509.BasicConstraints).value
    require(constraints.ca)
    try:
        issuer.public_key().verify(
            certificate.signature, certificate.tbs_certificate_bytes, ec.ECDSA(hashes.SHA256())
        )
    except InvalidSignature:
        raise Refused() from None


def certified_key(header, case):
    """The first certificate's key; each certificate of the list is issued by the next."""
    require(isinstance(header.get("x5c"), list) and header["x5c"])
    chain = []
    for text in header["x5c"]:
        require(isinstance(text, str))
        try:
            chain.append(x509.load_der_x509_certificate(base64.b64decode(text, validate=True)))
        except ValueError:
            raise Refused() from None
    anchor = x509.load_der_x509_certificate(bytes.fromhex(case["anchor_hex"]))
    for certificate, issuer in zip(chain, chain[1:] + [anchor]):
        check_issued(certificate, issuer, int(case["unix_time"]))
    try:
        usage = chain[0].extensions.get_extension_for_class(x509.KeyUsage).value
        require(usage.digital_signature)
    except x509.ExtensionNotFound:
        pass
    return chain[0].public_key()


def verification_key(case, header, algorithm):
    if "anchor_hex" in case:
        return certified_key(header, case)
    require(len(case["algorithms"]) == 1)
    key = object_of(case["key"])
    return (public_point if algorithm == "ES256" else public_rsa)(key, algorithm, "sig")


def jws_case(case):
    parts, header = parts_of(case["token"], 3)
    payload, signature = (base64url(part) for part in parts[1:])
    algorithm = header.get("alg")
    require(set(case["algorithms"]) <= {"ES256", "PS256"})
    require(isinstance(algorithm, str) and algorithm in case["algorithms"])
    key = verification_key(case, header, algorithm)
    message = ".".join(parts[:2]).encode()
    try:
        if algorithm == "ES256":
            require(isinstance(key, ec.EllipticCurvePublicKey) and len(signature) == 64)
            halves = (int.from_bytes(half, "big") for half in (signature[:32], signature[32:]))
            key.verify(utils.encode_dss_signature(*halves), message, ec.ECDSA(hashes.SHA256()))
        else:
            require(isinstance(key, rsa.RSAPublicKey))
            key.verify(signature, message, PSS, hashes.SHA256())
    except InvalidSignature:
        raise Refused() from None
    return {"payload_hex": payload.hex()}
