package import Cryptography

/// A new seed for a credential, authorized by the user credential.
package struct RekeyProposal: Equatable, Sendable {
    /// The current user credential.
    package let authority: CredentialContext
    /// The credential with the new seed.
    package let credential: CredentialContext
    package let ephemeralKey: P256.PublicKey
    /// The verifier's key-agreement key.
    package let serverKey: ServerKeyID

    /// Nil if the authority is not a user credential, or if it cannot authorize this credential.
    package init?(
        authority: CredentialContext,
        credential: CredentialContext,
        ephemeralKey: P256.PublicKey,
        serverKey: ServerKeyID
    ) {
        guard
            authority.kind == .user,
            credential.kind == .user
                ? credential == authority.rekeyed
                : credential.enterprise == authority.enterprise && credential.id != authority.id
        else { return nil }
        self.authority = authority
        self.credential = credential
        self.ephemeralKey = ephemeralKey
        self.serverKey = serverKey
    }

    /// Whether this is the next generation of `current`, or the first generation if there is none.
    package func follows(_ current: CredentialContext?) -> Bool {
        guard let current else { return credential.generation == .first }
        return credential == current.rekeyed
    }

    var bytes: [UInt8] {
        var writer = FieldWriter(.rekeyProposal)
        writer.append(authority)
        writer.append(credential)
        writer.append(ephemeralKey)
        writer.append(serverKey)
        return writer.bytes
    }
}

/// A proposal with its sealed seed.
package struct RekeyRequest: Codable, Equatable, Sendable {
    package let proposal: RekeyProposal
    package let seed: SealedSeed

    package init(_ proposal: RekeyProposal, seed: SealedSeed) {
        self.proposal = proposal
        self.seed = seed
    }

    package func question() throws(CryptographyFailure) -> InBandQuestion {
        var message = FieldWriter(.rekeyTranscript)
        message.append(proposal.bytes)
        message.append(seed)
        return .rekey(try message.sha256())
    }
}
