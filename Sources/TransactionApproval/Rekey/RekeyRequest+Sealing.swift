package import Cryptography

extension RekeyRequest {
    /// The device's side.
    ///
    /// Who has an old copy of the device lacks the ephemeral key, and who has the device's keys
    /// alone lacks the old seed: neither can open or make the new one.
    package init(
        _ proposal: RekeyProposal,
        sealing seed: borrowing CredentialSeed,
        ephemeral: P256.PrivateKey,
        server: P256.PublicKey,
        authority: borrowing CredentialSeed,
        nonce: SealingNonce
    ) throws(CryptographyFailure) {
        let key = try proposal.sealingKey(
            agreed: try ephemeral.sharedSecret(with: server),
            authority: authority
        )
        self.init(
            proposal,
            seed: try SealedSeed(
                sealing: seed,
                key: key,
                nonce: nonce,
                authenticating: proposal.bytes
            )
        )
    }

    /// The server's side; nil where the seed was not sealed for this proposal.
    package func open(
        server: P256.PrivateKey,
        authority: borrowing CredentialSeed
    ) throws(CryptographyFailure) -> CredentialSeed? {
        let key = try proposal.sealingKey(
            agreed: try server.sharedSecret(with: proposal.ephemeralKey),
            authority: authority
        )
        return try seed.open(key: key, authenticating: proposal.bytes)
    }
}

extension RekeyProposal {
    fileprivate func sealingKey(
        agreed: borrowing SecureBytes,
        authority seed: borrowing CredentialSeed
    ) throws(CryptographyFailure) -> SecureBytes {
        let mixed = try seed.subkey(.rekeyMixingKey, of: authority)
        let inputKey = try agreed.withBytes { agreed throws(CryptographyFailure) in
            try mixed.withBytes { mixed throws(CryptographyFailure) in
                try SecureBytes(joining: agreed, mixed)
            }
        }
        let transcript = bytes
        let salt = try HashAlgorithm.sha256.digest(of: transcript.span)
        let info = FieldWriter(.rekeySeedKey).bytes
        return try salt.withBytes { salt throws(CryptographyFailure) in
            try HKDF.derive(from: inputKey, salt: salt, info: info.span, byteCount: 32)
        }
    }
}
