import Cryptography
import TransactionApproval

extension SeedIngredients {
    static func random(
        _ generation: Generation,
        in dependencies: Dependencies
    ) throws(CryptographyFailure) -> SeedIngredients {
        SeedIngredients(
            generation: generation,
            share: try dependencies.randomness.bytes(shareByteCount),
            salt: try dependencies.randomness.bytes(saltByteCount),
            cost: dependencies.pinCost
        )
    }

    /// The seed of the user PIN (RFC 4226, section 8: a composite shared secret).
    ///
    /// Every PIN gives a seed, and nothing here shows which one the verifier has.
    func userSeed(
        of credential: CredentialContext,
        pin: borrowing SecureBytes,
        _ secrets: DeviceSecrets
    ) async throws(CryptographyFailure) -> CredentialSeed {
        let stretched = try await Argon2id.deriveKey(
            from: pin,
            salt: salt,
            cost: cost,
            byteCount: DeviceSecrets.partByteCount
        )
        return try seed(of: credential, secrets, stretched)
    }

    /// The seed of the device PIN, which is random and needs no stretching.
    func deviceSeed(
        of credential: CredentialContext,
        _ secrets: DeviceSecrets
    ) throws(CryptographyFailure) -> CredentialSeed {
        try seed(of: credential, secrets, secrets.devicePIN)
    }

    /// The seed of a biometric key.
    func biometricSeed(
        of credential: CredentialContext,
        key: borrowing BiometricKey,
        _ secrets: DeviceSecrets
    ) throws(CryptographyFailure) -> CredentialSeed {
        try seed(of: credential, secrets, key.bytes)
    }

    /// Share, store secret and factor have 32 bytes each, so the concatenation is unambiguous.
    private func seed(
        of credential: CredentialContext,
        _ secrets: DeviceSecrets,
        _ factor: borrowing SecureBytes
    ) throws(CryptographyFailure) -> CredentialSeed {
        let stored = try secrets.storeSecret.withBytes { secret throws(CryptographyFailure) in
            try SecureBytes(joining: share.span, secret)
        }
        let inputKey = try SecureBytes(joining: stored, factor)
        var info = FieldWriter(.credentialSeed)
        info.append(credential)
        let infoBytes = info.bytes
        let seed = CredentialSeed(
            try HKDF.derive(
                from: inputKey,
                info: infoBytes.span,
                byteCount: CredentialSeed.byteCount
            )
        )
        guard let seed else { throw .invalidArgument }
        return seed
    }
}
