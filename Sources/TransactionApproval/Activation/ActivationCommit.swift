package import Cryptography

/// What a device sends in the second step: the claim once more, and for each account its seeds.
package struct ActivationCommit: Equatable, Sendable {
    /// What one account gets: a device key of its own and the sealed seeds of its credentials.
    package struct Enrolment: Codable, Equatable, Sendable {
        package let device: DeviceID
        package let deviceKey: P256.PublicKey
        package let userSeed: SealedSeed
        package let deviceSeed: SealedSeed
        /// By the device key, over the transcript and this device's place in the offer.
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

    package let submittedClaim: SubmittedClaim
    /// In the order of the offer.
    package let enrolments: [Enrolment]

    /// Nil where the first device is not the one of the claim, or a device or key comes twice.
    package init?(_ submittedClaim: SubmittedClaim, _ enrolments: [Enrolment]) {
        guard
            enrolments.first?.device == submittedClaim.claim.device,
            enrolments.first?.deviceKey == submittedClaim.claim.deviceKey,
            enrolments.count <= ActivationOffer.maximumEnrolments,
            Set(enrolments.map(\.device)).count == enrolments.count,
            Set(enrolments.map(\.deviceKey.uncompressedPoint)).count == enrolments.count
        else { return nil }
        self.submittedClaim = submittedClaim
        self.enrolments = enrolments
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
