import AuthenticationHandler
import CommandLineTool

/// A person's decision on a transaction.
enum Decision {
    case approved(AuthenticationType)
    case rejected(RejectionReason)
}

extension Output {
    func print(
        _ decision: Decision,
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

/// A decision in JSON, with the names and values of the bank API.
struct ShownDecision: Encodable {
    let id: String
    let state: String
    let approvedWith: AuthenticationType?
    let rejectedFor: RejectionReason?
    /// The address at which the bank continues.
    let returnURL: String?

    init(_ decision: Decision, on id: String, returnURL: String? = nil) {
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
