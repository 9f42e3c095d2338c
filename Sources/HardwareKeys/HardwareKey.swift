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
    /// Of a request, which began to wait before the call; nil: the call begins to wait now.
    var deadline: ContinuousClock.Instant?

    func withoutBlocking<Outcome: ~Copyable & Sendable>(
        _ use: (any P256.KeyPair) throws(CryptographyFailure) -> Outcome
    ) async throws(CryptographyFailure) -> Outcome {
        guard module.admits(self.use) else { throw .keyBusy }
        defer { module.leave(self.use) }
        var key = self
        key.deadline = .now + SecurityModule.timeout
        // Replaced on the thread, which always runs the closure.
        var outcome = Result<Outcome, CryptographyFailure>.failure(.keyBusy)
        await withTaskExecutorPreference(module.executor) {
            do throws(CryptographyFailure) {
                outcome = .success(try use(key))
            } catch {
                outcome = .failure(error)
            }
        }
        return try outcome.get()
    }

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
        try module.use(self) { [label, use, publicKey] session, key throws(Failure) in
            guard try KeyProof(of: key, for: use, in: session).isBy(publicKey) else {
                throw .otherKey(label: label)
            }
        }
    }

    private func perform<Outcome: ~Copyable & Sendable>(
        _ work: @escaping @Sendable (Session, CK_OBJECT_HANDLE) throws(Failure) -> Outcome
    ) throws(CryptographyFailure) -> Outcome {
        try translating(module.use(self, work)) { (failure: Failure) in failure.cryptographyFailure
        }
    }
}
