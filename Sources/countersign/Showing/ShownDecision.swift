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
        let shown = ShownDecision(decision, on: transaction.id)
        if inJSON {
            try print(json: shown)
        } else {
            try print("\(shown.state) \(transaction.id): \(transaction.title)")
        }
    }
}

/// The members have the names and values that they have in the API of banks.
struct ShownDecision: Encodable {
    let id: String
    let state: String
    let approvedWith: AuthenticationType?
    let rejectedFor: RejectionReason?
    /// Where the person goes from here, if the bank says so.
    let returnURL: String?

    init(_ decision: DecisionMade, on id: String, goingTo returnURL: String? = nil) {
        self.id = id
        self.returnURL = returnURL
        switch decision {
        case .approved(let type):
            (state, approvedWith, rejectedFor) = ("approved", type, nil)
        case .rejected(let reason):
            (state, approvedWith, rejectedFor) = ("rejected", nil, reason)
        }
    }
}
