import AuthenticationHandler
import CommandLineTool

extension Output {
    func print(
        _ outcome: ApprovalResult.Outcome,
        on transaction: PendingTransaction,
        inJSON: Bool
    ) throws(CommandFailure) {
        let request = "\(transaction.id): \(transaction.title.isolated)"
        guard let shown = ShownDecision(outcome, on: transaction.id),
            let sentence = outcome.sentence(about: request)
        else { return }
        if inJSON { try print(json: shown) } else { try print(sentence) }
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

    /// Nil without a decision.
    init?(_ outcome: ApprovalResult.Outcome, on id: String, returnURL: String? = nil) {
        self.id = id
        self.returnURL = returnURL
        switch outcome {
        case .approved(let type):
            (state, approvedWith, rejectedFor) = ("approved", type, nil)
        case .rejected(let reason):
            (state, approvedWith, rejectedFor) = ("rejected", nil, reason)
        case .undecided: return nil
        }
    }
}
