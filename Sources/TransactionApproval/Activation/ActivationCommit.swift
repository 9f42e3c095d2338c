package import Cryptography

/// The second message of an activation: the claim again, and the seeds of each account.
package struct ActivationCommit: Equatable, Sendable {
    /// The device key and the sealed seeds of one account.
    package struct Enrolment: Codable, Equatable, Sendable {
        package let device: DeviceID
        package let deviceKey: P256.PublicKey
        package let userSeed: SealedSeed
        package let deviceSeed: SealedSeed
        /// Signed by the device key, over the transcript and the place in the offer.
        package let possession: P256.Signature

        package init(
            device: DeviceID,
            deviceKey: P256.PublicKey,
            userSeed: SealedSeed,
            deviceSeed: SealedSeed,
            possession: P256.Signature
        ) {
            self.device = device
            self.deviceKey = deviceKey
            self.userSeed = userSeed
            self.deviceSeed = deviceSeed
            self.possession = possession
        }
    }

    /// An existing account of the installation, whose PIN was proven for this activation.
    package struct Sibling: Codable, Equatable, Sendable {
        package let device: DeviceID
        /// The accepted PIN check that names the claim.
        package let attempt: AttemptID

        package init(device: DeviceID, attempt: AttemptID) {
            self.device = device
            self.attempt = attempt
        }
    }

    package let submittedClaim: SubmittedClaim
    package let enrolments: [Enrolment]
    /// Its count gets the wrong codes of the new accounts; nil for the first accounts.
    package let sibling: Sibling?

    /// Nil if the first device is not that of the claim, or if a device or key is repeated.
    package init?(
        _ submittedClaim: SubmittedClaim,
        _ enrolments: [Enrolment],
        sibling: Sibling? = nil
    ) {
        guard
            !enrolments.map(\.device).contains(where: { $0 == sibling?.device }),
            enrolments.first?.device == submittedClaim.claim.device,
            enrolments.first?.deviceKey == submittedClaim.claim.deviceKey,
            enrolments.count <= ActivationOffer.maximumEnrolments,
            Set(enrolments.map(\.device)).count == enrolments.count,
            Set(enrolments.map(\.deviceKey.uncompressedPoint)).count == enrolments.count
        else { return nil }
        self.submittedClaim = submittedClaim
        self.enrolments = enrolments
        self.sibling = sibling
    }
}

extension FieldWriter {
    mutating func append(_ enrolment: ActivationCommit.Enrolment) {
        append(enrolment.device)
        append(enrolment.deviceKey)
        append(enrolment.userSeed)
        append(enrolment.deviceSeed)
        append(enrolment.possession.raw)
    }
}
