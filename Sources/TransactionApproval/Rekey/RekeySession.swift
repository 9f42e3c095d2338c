package import Cryptography

/// The key that device and server agree on for one rekey.
///
/// Who has an old copy of the device lacks the ephemeral key, and who has the device's keys alone
/// lacks the old seed: neither can open the new one, or send one of his own.
package struct RekeySession: ~Copyable, Sendable {
    private let proposal: RekeyProposal
    private let key: SecureBytes

    /// The device's side; `authority` is the seed of the credential that authorises.
    package init(
        _ proposal: RekeyProposal,
        ephemeral: P256.PrivateKey,
        server: P256.PublicKey,
        authority: borrowing CredentialSeed
    ) throws(CryptographyFailure) {
        let agreed = try ephemeral.sharedSecret(with: server)
        try self.init(proposal, agreed: agreed, authority: authority)
    }

    /// The server's side.
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

    /// Nil where the seed was not sealed for this proposal.
    package borrowing func open(
        _ seed: SealedSeed
    ) throws(CryptographyFailure) -> CredentialSeed? {
        try seed.open(key: key, authenticating: proposal.bytes)
    }
}
