import CPKCS11
import Cryptography
import FailureTranslation

/// A private key that the token uses itself.
struct HardwareKey: P256.KeyPair {
    typealias Failure = SecurityModule.Failure

    let module: SecurityModule
    let label: String
    let use: SecurityModule.KeyUse
    let publicKey: P256.PublicKey

    var executor: (any TaskExecutor)? { module.executor }

    func signature(for message: Span<UInt8>) throws(CryptographyFailure) -> P256.Signature {
        let digest = try HashAlgorithm.sha256.digest(of: message).array
        return try perform { session, key throws(Failure) in
            try session.signature(of: digest, by: key)
        }
    }

    func sharedSecret(with other: P256.PublicKey) throws(CryptographyFailure) -> SecureBytes {
        try perform { session, key throws(Failure) in
            try session.sharedSecret(with: other, by: key)
        }
    }

    /// Fails if the token cannot use the key, or has another key with this label.
    func check() throws(Failure) {
        try module.use(self) { session, key throws(Failure) in
            guard try session.proves(key, use, publicKey) else { throw .otherKey(label: label) }
        }
    }

    private func perform<Outcome: ~Copyable & Sendable>(
        _ work: (Session, CK_OBJECT_HANDLE) throws(Failure) -> Outcome
    ) throws(CryptographyFailure) -> Outcome {
        try translating(module.use(self, work)) { (failure: Failure) in failure.cryptographyFailure
        }
    }
}
