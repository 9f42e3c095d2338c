import CommandLineTool
import ThreeDSIssuer
import ThreeDSProtocol
import Transactions

/// A challenge in JSON and in tables.
struct ShownChallenge: Encodable {
    let acsTransID: String
    let dsTransID: String?
    let threeDSServerTransID: String?
    let directory: String
    let version: String
    let flow: String
    let created: Timestamp
    let state: String
    let status: String?
    let reason: String?
    let decided: Timestamp?
    /// Nil if the directory server has the result, or there is none yet.
    let undeliveredSince: Timestamp?
    let failedDeliveries: Int
    /// The transaction of the verifier.
    let transaction: String?
    let card: String?

    init(_ challenge: ChallengeView) {
        let isUndelivered = [.undelivered, .givenUp].contains(challenge.state)
        acsTransID = challenge.id
        (dsTransID, threeDSServerTransID) = (challenge.ids.directory, challenge.ids.server)
        (directory, version) = (challenge.directory, challenge.version.rawValue)
        flow = challenge.flow.word
        (created, state) = (challenge.made, challenge.state.rawValue)
        (status, reason) = (challenge.result?.status, challenge.result?.reason)
        decided = challenge.result?.time
        undeliveredSince = isUndelivered ? challenge.result?.time : nil
        failedDeliveries = challenge.failures
        (transaction, card) = (challenge.transaction?.text, challenge.card?.text)
        words = challenge.state.words
    }

    /// The state, for people.
    private let words: String

    private enum CodingKeys: CodingKey {
        case acsTransID, dsTransID, threeDSServerTransID, directory, version, flow, created, state
        case status, reason, decided, undeliveredSince, failedDeliveries, transaction, card
    }

    static let heading = [
        "CHALLENGE", "CREATED", "STATE", "STATUS", "TRANSACTION", "CARD", "NOT DELIVERED SINCE",
    ]

    var columns: [String] {
        [
            acsTransID, created.text, words, status ?? "", transaction ?? "", card ?? "",
            undeliveredSince?.text ?? "",
        ]
    }

    var page: Table {
        Table(facts: [
            ("Challenge", acsTransID),
            ("State", words),
            ("Status", status.map { $0 + (reason.map { reason in ", reason \(reason)" } ?? "") }),
            ("Decided", decided?.text),
            ("Not delivered since", undeliveredSince?.text),
            ("Failed deliveries", failedDeliveries > 0 ? "\(failedDeliveries)" : nil),
            ("Transaction", transaction),
            ("Card", card),
            ("Created", created.text),
            ("Device", flow),
            ("Directory", directory),
            ("dsTransID", dsTransID),
            ("threeDSServerTransID", threeDSServerTransID),
            ("Version", version),
        ])
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

extension ChallengeView.State {
    fileprivate var words: String {
        switch self {
        case .promised: "waiting for the shop"
        case .asked: "waiting for the person"
        case .withdrawing: "withdrawing"
        case .undelivered: "sending the result"
        case .reported: "reported"
        case .ended: "ended"
        case .givenUp: "result not delivered"
        }
    }
}
