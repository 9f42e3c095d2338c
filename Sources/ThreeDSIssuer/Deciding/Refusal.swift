import ThreeDSProtocol

/// Why a purchase is not authenticated, with the status and the reason of the ARes.
package enum Refusal: CaseIterable, Sendable {
    case noCardRecord
    case cardBlocked
    case nonPayment
    /// Without a device of the cardholder, and not decoupled.
    case requestorInitiated
    /// No device can approve now in an accepted way.
    case notReady
    /// The limits of card payments do not accept a request now.
    case tooManyRequests
    /// The card has as many challenges without a result as it can have.
    case tooManyChallenges
    /// The ACS has as many challenges without a result as it can have.
    case full
    case verifierUnreachable
    /// The app cannot show the page of an approval on another device.
    case unsupportedPage
    case unsupportedAmount
    /// Several shops, or an amount of later payments that no transaction can have.
    case unsupportedTerms
    /// A text of the shop is too long for the device if nothing of it is hidden.
    case notShowable

    /// `transStatus` of a refusal.
    enum Status: String, Sendable {
        case notAuthenticated = "N"
        case undetermined = "U"
    }

    var status: Status {
        switch self {
        case .verifierUnreachable, .full, .unsupportedPage, .notShowable: .undetermined
        case .noCardRecord, .cardBlocked, .nonPayment, .requestorInitiated, .notReady,
            .tooManyRequests, .tooManyChallenges, .unsupportedAmount, .unsupportedTerms:
            .notAuthenticated
        }
    }

    /// `transStatusReason` of a refusal.
    enum Reason: String, Sendable {
        case unsupportedDevice = "03"
        case frequencyExceeded = "04"
        case invalidTransaction = "07"
        case noCardRecord = "08"
        case notPermitted = "12"
        case notEnrolled = "13"
        case nonPaymentNotSupported = "20"
        case requestorInitiatedNotSupported = "21"
        /// Since version 2.2.0.
        case technicalProblem = "22"
    }

    func reason(in version: ProtocolVersion) -> Reason {
        switch self {
        case .noCardRecord: .noCardRecord
        case .cardBlocked: .notPermitted
        case .nonPayment: .nonPaymentNotSupported
        case .requestorInitiated: .requestorInitiatedNotSupported
        case .notReady: .notEnrolled
        case .tooManyRequests, .tooManyChallenges: .frequencyExceeded
        case .unsupportedPage: .unsupportedDevice
        case .unsupportedAmount, .unsupportedTerms: .invalidTransaction
        // Version 2.1.0 has no reason for a technical problem.
        case .verifierUnreachable, .full, .notShowable:
            version < .twoTwo ? .invalidTransaction : .technicalProblem
        }
    }
}
