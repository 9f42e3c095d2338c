"""Makes and opens tokens with jwcrypto and joserfc, two independent libraries.

As a program it reads a list of tasks as JSON. It prints a line for each: a token that it made, the
hexadecimal content of a token that it opened, or "refused".
"""
import json
import sys

import joserfc.errors
import joserfc.jwe
import joserfc.jws
from joserfc.jwk import import_key
from jwcrypto import jwe, jwk, jws
from jwcrypto.common import JWException


class JWCrypto:
    """A key is a JSON web key or PEM."""

    @staticmethod
    def key(text):
        return jwk.JWK.from_json(text) if text.startswith("{") else jwk.JWK.from_pem(text.encode())

    @staticmethod
    def seal(header, content, key):
        token = jwe.JWE(content, json.dumps(header), algs=[header["alg"], header["enc"]])
        token.add_recipient(JWCrypto.key(key))
        return token.serialize(compact=True)

    @staticmethod
    def open(token, algorithms, key):
        found = jwe.JWE(algs=algorithms)
        found.deserialize(token, JWCrypto.key(key))
        return found.payload

    @staticmethod
    def sign(header, content, key):
        token = jws.JWS(content)
        token.add_signature(JWCrypto.key(key), None, json.dumps(header))
        return token.serialize(compact=True)

    @staticmethod
    def verify(token, algorithms, key):
        found = jws.JWS()
        found.allowed_algs = algorithms
        found.deserialize(token, JWCrypto.key(key))
        return found.payload


class Joserfc:
    @staticmethod
    def key(text):
        if text.startswith("{"):
            return import_key(json.loads(text))
        return import_key(text, "RSA")

    @staticmethod
    def seal(header, content, key):
        algorithms = [header["alg"], header["enc"]]
        return joserfc.jwe.encrypt_compact(header, content, Joserfc.key(key), algorithms)

    @staticmethod
    def open(token, algorithms, key):
        return joserfc.jwe.decrypt_compact(token, Joserfc.key(key), algorithms).plaintext

    @staticmethod
    def sign(header, content, key):
        return joserfc.jws.serialize_compact(header, content, Joserfc.key(key), [header["alg"]])

    @staticmethod
    def verify(token, algorithms, key):
        return joserfc.jws.deserialize_compact(token, Joserfc.key(key), algorithms).payload


LIBRARIES = {"jwcrypto": JWCrypto, "joserfc": Joserfc}


def done(task):
    library, key = LIBRARIES[task["library"]], task["key"]
    if "header" in task:
        make = library.seal if "enc" in task["header"] else library.sign
        return make(task["header"], bytes.fromhex(task["content"]), key)
    read = library.open if task["token"].count(".") == 4 else library.verify
    return read(task["token"], task["algorithms"], key).hex()


def line(task):
    try:
        return done(task)
    except (JWException, joserfc.errors.JoseError, ValueError):
        return "refused"


if __name__ == "__main__":
    for task in json.load(sys.stdin):
        print(line(task))
