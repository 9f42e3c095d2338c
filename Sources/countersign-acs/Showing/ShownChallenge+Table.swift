import BankIntegration
import CommandLineTool
import ThreeDSIssuer
import Transactions

extension ShownChallenge {
    static let heading = [
        "CHALLENGE", "CREATED", "STATE", "STATUS", "TRANSACTION", "CARD", "NOT DELIVERED SINCE",
    ]

    var columns: [String] {
        [
            acsTransID, created.moment.text, state.words, status ?? "", transaction ?? "",
            card ?? "", undeliveredSince?.moment.text ?? "",
        ]
    }

    var page: Table {
        Table(facts: [
            ("Challenge", acsTransID),
            ("State", state.words),
            ("Status", status.map { $0 + (reason.map { reason in ", reason \(reason)" } ?? "") }),
            ("Decided", decided?.moment.text),
            ("Not delivered since", undeliveredSince?.moment.text),
            ("Failed deliveries", failedDeliveries > 0 ? "\(failedDeliveries)" : nil),
            ("Transaction", transaction),
            ("Card", card),
            ("Created", created.moment.text),
            ("Device", flow),
            ("Directory", directory),
            ("dsTransID", dsTransID),
            ("threeDSServerTransID", threeDSServerTransID),
            ("Version", version),
        ])
    }
}

extension ChallengeView.State {
    var words: String {
        switch self {
        case .promised: "waiting for the shop"
        case .asked: "waiting for the person"
        case .unanswered: "request expired"
        case .withdrawing: "withdrawing"
        case .undelivered: "sending the result"
        case .reported: "reported"
        case .ended: "ended"
        case .givenUp: "result not delivered"
        case .refused: "result refused"
        case .unacknowledged: "result not acknowledged"
        }
    }
}
