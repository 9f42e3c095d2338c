"""A public key infrastructure for tests: certificates and keys as PEM files in a folder.

    ca.pem                         the root of all files without "other"
    acs-server.pem .key            the ACS as a server, for localhost and 127.0.0.1
    ds-client.pem .key             the directory server as a client of the ACS
    ds-server.pem .key             the directory server as a server, for localhost and 127.0.0.1
    acs-client.pem .key            the ACS as a client of the directory server
    signing.pem .key               signs acsSignedContent by ES256: the certificate and its issuer
    signing-rsa.pem .key           the same by PS256, with RSA-2048
    expired-signing.pem .key       the same by ES256, with an expired certificate
    expired-client.pem .key        a client of the same root, expired
    expired-server.pem .key        a server of the same root, expired
    other-ca.pem                   another root
    other-client.pem .key          a client of the other root
    other-server.pem .key          a server of the other root
    other-signing.pem .key         signs by ES256, below the other root

A key is PKCS #8, in a file of mode 0600.
"""
import dataclasses
import datetime
import ipaddress
import os
import pathlib

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

PrivateKey = ec.EllipticCurvePrivateKey | rsa.RSAPrivateKey
CLIENT, SERVER = ExtendedKeyUsageOID.CLIENT_AUTH, ExtendedKeyUsageOID.SERVER_AUTH
DAY = datetime.timedelta(days=1)


@dataclasses.dataclass
class Identity:
    """A certificate with its key, and the certificates above it without the root."""
    certificate: x509.Certificate
    key: PrivateKey
    above: list[x509.Certificate]

    @property
    def chain(self) -> list[x509.Certificate]:
        return [self.certificate] + self.above

    def write(self, folder: pathlib.Path, name: str) -> None:
        pem = b"".join(one.public_bytes(serialization.Encoding.PEM) for one in self.chain)
        (folder / f"{name}.pem").write_bytes(pem)
        key = self.key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption())
        file = os.open(folder / f"{name}.key", os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(file, "wb") as output:
            os.fchmod(file, 0o600)
            output.write(key)


def elliptic_key() -> ec.EllipticCurvePrivateKey:
    return ec.generate_private_key(ec.SECP256R1())


def rsa_key() -> rsa.RSAPrivateKey:
    return rsa.generate_private_key(65537, 2048)


def issue(name: str, issuer: Identity | None, *, is_authority: bool = False,
          key: PrivateKey | None = None, usage: x509.ObjectIdentifier | None = None,
          is_expired: bool = False) -> Identity:
    """A certificate by `issuer`; without an issuer, a root."""
    key = key or elliptic_key()
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    now = datetime.datetime.utcnow()
    signing_key = issuer.key if issuer else key
    builder = (
        x509.CertificateBuilder().subject_name(subject)
        .issuer_name(issuer.certificate.subject if issuer else subject)
        .public_key(key.public_key()).serial_number(x509.random_serial_number())
        .not_valid_before(now - 400 * DAY)
        .not_valid_after(now - DAY if is_expired else now + 3650 * DAY)
        .add_extension(x509.BasicConstraints(is_authority, None), critical=True)
        .add_extension(_usage(is_authority), critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        .add_extension(
            x509.AuthorityKeyIdentifier.from_issuer_public_key(signing_key.public_key()),
            critical=False)
    )
    if usage:
        builder = builder.add_extension(x509.ExtendedKeyUsage([usage]), critical=False)
    if usage == SERVER:
        builder = builder.add_extension(x509.SubjectAlternativeName([
            x509.DNSName("localhost"), x509.IPAddress(ipaddress.ip_address("127.0.0.1")),
            x509.IPAddress(ipaddress.ip_address("::1"))]), critical=False)
    certificate = builder.sign(signing_key, hashes.SHA256())
    above = issuer.chain if issuer and issuer.certificate.issuer != issuer.certificate.subject else []
    return Identity(certificate, key, above)


def _usage(is_authority: bool) -> x509.KeyUsage:
    return x509.KeyUsage(
        digital_signature=not is_authority, key_cert_sign=is_authority, crl_sign=is_authority,
        content_commitment=False, key_encipherment=False, data_encipherment=False,
        key_agreement=False, encipher_only=False, decipher_only=False)


def write(folder: str | os.PathLike) -> pathlib.Path:
    """Makes all files, and returns the folder."""
    path = pathlib.Path(folder)
    path.mkdir(parents=True, exist_ok=True)
    root = issue("Test root", None, is_authority=True)
    other = issue("Other root", None, is_authority=True)
    signers = issue("Test signing CA", root, is_authority=True)
    other_signers = issue("Test signing CA", other, is_authority=True)
    identities = {
        "acs-server": issue("acs.example", root, usage=SERVER),
        "ds-client": issue("ds-client.example", root, usage=CLIENT),
        "ds-server": issue("ds.example", root, usage=SERVER),
        "acs-client": issue("acs-client.example", root, usage=CLIENT),
        "signing": issue("ACS signing", signers),
        "signing-rsa": issue("ACS signing RSA", signers, key=rsa_key()),
        "expired-signing": issue("ACS signing expired", signers, is_expired=True),
        "expired-client": issue("ds-client.example", root, usage=CLIENT, is_expired=True),
        "expired-server": issue("ds.example", root, usage=SERVER, is_expired=True),
        "other-server": issue("ds.example", other, usage=SERVER),
        "other-client": issue("ds-client.example", other, usage=CLIENT),
        "other-signing": issue("ACS signing", other_signers),
    }
    for name, identity in identities.items():
        identity.write(path, name)
    for name, identity in {"ca": root, "other-ca": other}.items():
        pem = identity.certificate.public_bytes(serialization.Encoding.PEM)
        (path / f"{name}.pem").write_bytes(pem)
    return path
