package import Cryptography

/// The key of one rekey.
///
/// A copy of the device lacks the ephemeral key, and the device keys alone lack the old seed. So
/// neither can open or send a new seed.
package struct RekeySession: ~Copyable, Sendable {
    private let proposal: RekeyProposal
    private let key: SecureBytes

    /// Used by the device; `authority` is the seed of the authorizing credential.
    package init(
        _ proposal: RekeyProposal,
        ephemeral: P256.PrivateKey,
        server: P256.PublicKey,
        authority: borrowing CredentialSeed
    ) throws(CryptographyFailure) {
        let agreed = try ephemeral.sharedSecret(with: server)
        try self.init(proposal, agreed: agreed, authority: authority)
    }

    /// Used by the verifier.
    package init(
        _ proposal: RekeyProposal,
        server: P256.PrivateKey,
        authority: borrowing CredentialSeed
    ) throws(CryptographyFailure) {
        let agreed = try server.sharedSecret(with: proposal.ephemeralKey)
        try self.init(proposal, agreed: agreed, authority: authority)
    }

    private init(
        _ proposal: RekeyProposal,
        agreed: borrowing SecureBytes,
        authority: borrowing CredentialSeed
    ) throws(CryptographyFailure) {
        let mixed = try authority.subkey(.rekeyMixingKey, of: proposal.authority)
        let inputKey = try agreed.withBytes { agreed throws(CryptographyFailure) in
            try mixed.withBytes { mixed throws(CryptographyFailure) in
                try SecureBytes(joining: agreed, mixed)
            }
        }
        let transcript = proposal.bytes
        let salt = try HashAlgorithm.sha256.digest(of: transcript.span)
        let info = FieldWriter(.rekeySeedKey).bytes
        key = try salt.withBytes { salt throws(CryptographyFailure) in
            try HKDF.derive(from: inputKey, salt: salt, info: info.span, byteCount: 32)
        }
        self.proposal = proposal
    }

    package borrowing func request(
        sealing seed: borrowing CredentialSeed,
        nonce: SealingNonce
    ) throws(CryptographyFailure) -> RekeyRequest {
        let sealed = try SealedSeed(
            sealing: seed,
            key: key,
            nonce: nonce,
            authenticating: proposal.bytes
        )
        return RekeyRequest(proposal, seed: sealed)
    }

    /// Nil if the seed was sealed for another proposal.
    package borrowing func open(
        _ seed: SealedSeed
    ) throws(CryptographyFailure) -> CredentialSeed? {
        try seed.open(key: key, authenticating: proposal.bytes)
    }
}
