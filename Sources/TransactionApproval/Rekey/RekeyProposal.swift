package import Cryptography

/// A new seed for a credential: after a change of PIN, or for one that is turned on.
///
/// The user credential authorises each: for itself, for the device credential, for a biometric one.
package struct RekeyProposal: Equatable, Sendable {
    /// The user credential as it is before.
    package let authority: CredentialContext
    /// The credential as the new seed makes it.
    package let credential: CredentialContext
    /// Of a pair that the device made for this rekey only.
    package let ephemeralKey: P256.PublicKey
    /// The server's key that the device agrees with.
    package let serverKey: ServerKeyID

    /// Nil where the authority is no user credential, or cannot become or authorise the other.
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

    /// Whether this makes `current` into the next generation of itself.
    ///
    /// Where there is no current one, it begins at the first.
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

/// A proposal with its seed: what a device sends, and what its code has to be over.
package struct RekeyRequest: Codable, Equatable, Sendable {
    package let proposal: RekeyProposal
    package let seed: SealedSeed

    package init(_ proposal: RekeyProposal, seed: SealedSeed) {
        self.proposal = proposal
        self.seed = seed
    }

    /// What the code of the user credential is asked for.
    package func question() throws(CryptographyFailure) -> InBandQuestion {
        var message = FieldWriter(.rekeyTranscript)
        message.append(proposal.bytes)
        message.append(seed)
        return .rekey(try message.sha256())
    }
}
