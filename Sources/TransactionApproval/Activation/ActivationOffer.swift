/// What the server answers to a proven claim: what there is to enrol, and under which rules.
package struct ActivationOffer: Hashable, Sendable {
    /// One account with the credentials that it will have on the device.
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
    /// An account and those linked to it.
    package static let maximumEnrolments = 16

    package let enterprise: EnterpriseID
    package let epoch: Epoch
    /// The rules for the device, in their canonical bytes.
    package let policy: [UInt8]
    package let enrolments: [Enrolment]

    /// Nil where there is nothing to enrol, too much, or anything twice.
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

    /// A credential of an enrolment as it begins.
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
