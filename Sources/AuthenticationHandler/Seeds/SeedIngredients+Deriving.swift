import Cryptography
import TransactionApproval

extension SeedIngredients {
    static func random(
        _ generation: Generation,
        in surroundings: Surroundings
    ) throws(CryptographyFailure) -> SeedIngredients {
        SeedIngredients(
            generation: generation,
            share: try surroundings.randomness.bytes(shareByteCount),
            salt: try surroundings.randomness.bytes(saltByteCount),
            cost: surroundings.pinCost
        )
    }

    /// The seed behind the user's PIN (RFC 4226, section 8: a composite shared secret).
    ///
    /// Every PIN gives one, and nothing here tells which of them the verifier has.
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

    /// The seed behind the device PIN, which has bits enough and needs no stretching.
    func deviceSeed(
        of credential: CredentialContext,
        _ secrets: DeviceSecrets
    ) throws(CryptographyFailure) -> CredentialSeed {
        try seed(of: credential, secrets, secrets.devicePIN)
    }

    /// The seed behind a key that the platform releases to the person.
    func biometricSeed(
        of credential: CredentialContext,
        key: borrowing BiometricKey,
        _ secrets: DeviceSecrets
    ) throws(CryptographyFailure) -> CredentialSeed {
        try seed(of: credential, secrets, key.bytes)
    }

    /// Share, store secret and factor have 32 bytes each: no two triples join to the same bytes.
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
