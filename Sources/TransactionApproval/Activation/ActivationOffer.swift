/// The response to a valid claim: the accounts to enrol, and the policy.
package struct ActivationOffer: Hashable, Sendable {
    /// One account and the ids of its first credentials.
    package struct Enrolment: Hashable, Sendable {
        package let account: AccountKey
        package let userCredential: CredentialID
        package let deviceCredential: CredentialID

        package init(
            account: AccountKey,
            userCredential: CredentialID,
            deviceCredential: CredentialID
        ) {
            self.account = account
            self.userCredential = userCredential
            self.deviceCredential = deviceCredential
        }
    }

    package static let maximumPolicy = 16 << 10
    /// One account and its linked accounts.
    package static let maximumEnrolments = 16

    package let enterprise: EnterpriseID
    package let epoch: Epoch
    /// In canonical bytes.
    package let policy: [UInt8]
    package let enrolments: [Enrolment]

    /// Nil if there is no enrolment, if there are too many, or if an account or credential is
    /// repeated.
    package init?(
        enterprise: EnterpriseID,
        epoch: Epoch,
        policy: [UInt8],
        enrolments: [Enrolment]
    ) {
        let credentials = enrolments.flatMap { [$0.userCredential, $0.deviceCredential] }
        guard
            policy.count <= Self.maximumPolicy,
            (1...Self.maximumEnrolments).contains(enrolments.count),
            Set(enrolments.map(\.account)).count == enrolments.count,
            Set(credentials).count == credentials.count
        else { return nil }
        self.enterprise = enterprise
        self.epoch = epoch
        self.policy = policy
        self.enrolments = enrolments
    }

    package var bytes: [UInt8] {
        var writer = FieldWriter(.activationOffer)
        writer.append(enterprise)
        writer.append(epoch)
        writer.append(policy)
        writer.append(UInt32(enrolments.count))
        for enrolment in enrolments { writer.append(enrolment) }
        return writer.bytes
    }

    /// The credential with its first generation.
    package func credential(_ kind: CredentialKind, of enrolment: Enrolment) -> CredentialContext {
        CredentialContext(
            enterprise: enterprise,
            id: kind == .user ? enrolment.userCredential : enrolment.deviceCredential,
            kind: kind,
            generation: .first
        )
    }
}

extension FieldWriter {
    mutating func append(_ enrolment: ActivationOffer.Enrolment) {
        append(enrolment.account.type)
        append(enrolment.account.id)
        append(enrolment.userCredential)
        append(enrolment.deviceCredential)
    }
}
