package import BankIntegration
import ThreeDSProtocol
import Transactions

/// A challenge for operators and for the issuer's programs.
package struct ShownChallenge: Encodable, Sendable {
    package let acsTransID: String
    package let dsTransID: String?
    package let threeDSServerTransID: String?
    package let directory: String
    package let version: String
    package let flow: String
    package let created: DateTime
    package let state: ChallengeView.State
    package let status: String?
    package let reason: String?
    package let decided: DateTime?
    /// Nil if the directory server has the result, or there is none yet.
    package let undeliveredSince: DateTime?
    package let failedDeliveries: Int
    /// The transaction of the verifier.
    package let transaction: String?
    package let card: String?

    package init(_ challenge: ChallengeView) {
        let isUndelivered = [.undelivered, .givenUp, .refused, .unacknowledged]
            .contains(challenge.state)
        acsTransID = challenge.id
        (dsTransID, threeDSServerTransID) = (challenge.ids.directory, challenge.ids.server)
        (directory, version) = (challenge.directory, challenge.version.rawValue)
        flow = challenge.flow.word
        (created, state) = (DateTime(challenge.made), challenge.state)
        (status, reason) = (challenge.result?.status, challenge.result?.reason)
        decided = challenge.result.map { DateTime($0.time) }
        undeliveredSince = isUndelivered ? decided : nil
        failedDeliveries = challenge.failures
        (transaction, card) = (challenge.transaction?.text, challenge.card?.text)
    }
}

extension Challenge.Flow {
    fileprivate var word: String {
        switch self {
        case .app: "app"
        case .browser: "browser"
        case .decoupled: "decoupled"
        }
    }
}
