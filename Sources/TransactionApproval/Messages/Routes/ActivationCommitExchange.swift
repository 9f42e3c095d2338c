package import Cryptography

/// Sends the sealed seeds, and returns the outcome for each account.
package enum ActivationCommitExchange: DeviceExchange {
    package static let route = DeviceRoute.activationCommit

    package typealias Request = ActivationCommit

    package struct Response: DeviceMessage {
        package let outcomes: [EnrolmentOutcome]
        package let receipt: Digest

        package init(outcomes: [EnrolmentOutcome], receipt: Digest) {
            self.outcomes = outcomes
            self.receipt = receipt
        }
    }
}

extension ActivationCommit: DeviceMessage {
    private enum CodingKeys: CodingKey {
        case submittedClaim, enrolments, sibling
    }

    package init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        let submittedClaim = try members.decode(SubmittedClaim.self, forKey: .submittedClaim)
        let enrolments = try members.decode([Enrolment].self, forKey: .enrolments)
        let sibling = try members.decodeIfPresent(Sibling.self, forKey: .sibling)
        guard let commit = Self(submittedClaim, enrolments, sibling: sibling) else {
            throw DecodingError.refused(in: decoder)
        }
        self = commit
    }

    package func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(submittedClaim, forKey: .submittedClaim)
        try members.encode(enrolments, forKey: .enrolments)
        try members.encodeIfPresent(sibling, forKey: .sibling)
    }
}
