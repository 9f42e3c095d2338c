import AuthenticationHandler
import CommandLineTool

/// What became of a transaction.
enum DecisionMade {
    case approved(AuthenticationType)
    case rejected(RejectionReason)
}

extension Output {
    func print(
        _ decision: DecisionMade,
        on transaction: PendingTransaction,
        inJSON: Bool
    ) throws(CommandFailure) {
        let shown = ShownDecision(decision, on: transaction)
        if inJSON {
            try print(json: shown)
        } else {
            try print("\(shown.state) \(transaction.id): \(transaction.title)")
        }
    }
}

/// The members have the names and values that they have in the API of banks.
private struct ShownDecision: Encodable {
    let id: String
    let state: String
    let approvedWith: AuthenticationType?
    let rejectedFor: RejectionReason?

    init(_ decision: DecisionMade, on transaction: PendingTransaction) {
        id = transaction.id
        switch decision {
        case .approved(let type):
            (state, approvedWith, rejectedFor) = ("approved", type, nil)
        case .rejected(let reason):
            (state, approvedWith, rejectedFor) = ("rejected", nil, reason)
        }
    }
}
