import CommandLineTool
import Cryptography
import JOSE
import StrictJSON

/// A key that encrypts messages.
enum SealingKey: ~Copyable {
    case direct(SecureBytes)
    case ecdhES(P256.PublicKey)
    case rsaOAEP256(RSA.PublicKey)
}

/// A key that decrypts messages.
enum OpeningKey: ~Copyable {
    case direct(SecureBytes)
    case ecdhES(P256.PrivateKey)
    case rsaOAEP256(RSA.PrivateKey)
}

extension KeyFile {
    func sealingKey() throws(JOSEFailure) -> SealingKey {
        switch self {
        case .json(let jwk) where jwk.isSymmetric:
            .direct(try SecureBytes(jwk: jwk, for: .encryption(.direct)))
        case .json(let jwk) where jwk.isRSA:
            .rsaOAEP256(try RSA.PublicKey(jwk: jwk, for: .encryption(.rsaOAEP256)))
        case .json(let jwk): .ecdhES(try P256.PublicKey(jwk: jwk, for: .encryption(.ecdhES)))
        case .publicKey(.p256(let key)): .ecdhES(key)
        case .publicKey(.rsa(let key)): .rsaOAEP256(key)
        case .rsa, .p256: throw .refused
        }
    }

    func openingKey() throws(JOSEFailure) -> OpeningKey {
        switch self {
        case .json(let jwk) where jwk.isSymmetric:
            .direct(try SecureBytes(jwk: jwk, for: .encryption(.direct)))
        case .json(let jwk): .ecdhES(try P256.PrivateKey(jwk: jwk, for: .encryption(.ecdhES)))
        case .rsa(let key): .rsaOAEP256(key)
        case .p256(let key): .ecdhES(key)
        case .publicKey: throw .refused
        }
    }

    func signingKey() throws(JOSEFailure) -> JWS.SigningKey {
        switch self {
        case .json(let jwk): .es256(try P256.PrivateKey(jwk: jwk, for: .signature(.es256)))
        case .rsa(let key): .ps256(key)
        case .p256(let key): .es256(key)
        case .publicKey: throw .refused
        }
    }

    func verificationKey() throws(JOSEFailure) -> JWS.VerificationKey {
        switch self {
        case .json(let jwk) where jwk.isRSA:
            .ps256(try RSA.PublicKey(jwk: jwk, for: .signature(.ps256)))
        case .json(let jwk): .es256(try P256.PublicKey(jwk: jwk, for: .signature(.es256)))
        case .publicKey(let key): JWS.VerificationKey(key)
        case .rsa, .p256: throw .refused
        }
    }
}

extension JSONValue {
    fileprivate var isSymmetric: Bool { self["kty"]?.text == "oct" }
    fileprivate var isRSA: Bool { self["kty"]?.text == "RSA" }
}
