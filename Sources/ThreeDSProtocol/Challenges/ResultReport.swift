package import StrictJSON

/// The result of a challenge, as an RReq reports it.
///
/// Each case has the status, the reason and the indicator that belong together. A result without
/// its reason, for example, cannot be made.
package enum ResultReport: CaseIterable, Sendable {
    case approved, rejected
    /// The person did not make the purchase.
    case suspected
    case locked
    /// No device can approve any more.
    case noDevice
    /// The person approved, and the issuer has blocked or removed the card since the AReq.
    case cardBlocked
    /// The shopper ended the challenge.
    case cancelled
    /// The first CReq did not come in time.
    case notBegun
    /// The next CReq, or the decision, did not come in time.
    case expired
    /// The decision about a decoupled authentication did not come in time.
    case undecided
    /// The last CReq of the SDK states a timeout.
    case timedOutAtSDK
    /// The SDK sent an Erro.
    case errorReceived
    /// The ACS sent an Erro in response to a CReq.
    case requestRefused
    /// The challenge failed for another reason.
    case failed
}

extension ResultReport {
    /// `transStatus` of a finished challenge.
    package enum Status: String, Sendable {
        case authenticated = "Y"
        case notAuthenticated = "N"
        case undetermined = "U"
    }

    package var status: Status {
        switch self {
        case .approved: .authenticated
        case .undecided, .errorReceived, .requestRefused, .failed: .undetermined
        case .rejected, .suspected, .locked, .noDevice, .cardBlocked, .cancelled, .notBegun,
            .expired, .timedOutAtSDK:
            .notAuthenticated
        }
    }

    /// The status of the last CRes, which is never U.
    package var finalStatus: Status {
        status == .authenticated ? .authenticated : .notAuthenticated
    }

    /// `transStatusReason`, which every status but Y must have.
    package enum Reason: String, Sendable {
        case authenticationFailed = "01"
        case invalidTransaction = "07"
        case suspectedFraud = "11"
        case notPermitted = "12"
        case notEnrolled = "13"
        case timedOut = "14"
        case tooManyChallenges = "19"
        /// Since version 2.2.0, as the next one.
        case technicalProblem = "22"
        case notPerformed = "26"
    }

    /// Nil only for Y.
    package func reason(in version: ProtocolVersion) -> Reason? {
        switch self {
        case .approved: nil
        case .rejected, .cancelled: .authenticationFailed
        case .suspected: .suspectedFraud
        case .locked: .tooManyChallenges
        case .noDevice: .notEnrolled
        case .cardBlocked: .notPermitted
        case .notBegun, .expired: .timedOut
        // Version 2.1.0 has none of these reasons.
        case .undecided, .timedOutAtSDK:
            version < .twoTwo ? .authenticationFailed : .notPerformed
        case .errorReceived, .requestRefused, .failed:
            version < .twoTwo ? .invalidTransaction : .technicalProblem
        }
    }

    /// `challengeCancel`: the party that ended the challenge, and why.
    package enum CancelIndicator: String, Sendable {
        case byCardholder = "01"
        case decoupledTimedOut = "03"
        case timedOut = "04"
        case firstRequestTimedOut = "05"
        case transactionError = "06"
        case timedOutAtSDK = "08"
        /// Since version 2.3.1, as the next one.
        case errorReceived = "09"
        case errorSent = "10"

        package var isAboutError: Bool { self == .errorReceived || self == .errorSent }
    }

    /// The reason 14 demands 04 or 05, and no other one.
    package func cancelIndicator(in version: ProtocolVersion) -> CancelIndicator? {
        switch self {
        case .approved, .rejected, .suspected, .locked, .noDevice, .cardBlocked: nil
        case .cancelled: .byCardholder
        case .notBegun: .firstRequestTimedOut
        case .expired: .timedOut
        case .undecided: .decoupledTimedOut
        case .timedOutAtSDK: .timedOutAtSDK
        case .errorReceived: version < .twoThree ? .transactionError : .errorReceived
        case .requestRefused: version < .twoThree ? .transactionError : .errorSent
        case .failed: .transactionError
        }
    }

    /// How many entries of the person were judged.
    var interactions: Int {
        switch self {
        case .approved, .rejected, .suspected, .locked, .cardBlocked: 1
        case .noDevice, .cancelled, .notBegun, .expired, .undecided, .timedOutAtSDK,
            .errorReceived, .requestRefused, .failed:
            0
        }
    }

    /// The elements of the RReq that depend on the result alone.
    ///
    /// With the indicators 09 and 10, the RReq also has the Erro.
    package func members(in version: ProtocolVersion) -> [JSONValue.Member] {
        let texts = [
            ("transStatus", status.rawValue),
            ("transStatusReason", reason(in: version)?.rawValue),
            ("challengeCancel", cancelIndicator(in: version)?.rawValue),
            ("interactionCounter", "0\(interactions)"),
        ]
        return texts.compactMap { name, text in
            text.map { JSONValue.Member(name: name, value: .string($0)) }
        }
    }
}
