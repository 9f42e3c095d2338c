import AuthenticationHandler
import CommandLineTool

extension PendingTransaction {
    /// Amounts and payees, or the title of a request without them.
    var essence: String {
        let sums = amounts.map(\.formatted).joined(separator: " + ")
        switch (amounts.isEmpty, payees.isEmpty) {
        case (false, false): return "\(sums) to \(shownPayees)"
        case (false, true): return "\(sums) for \"\(title)\""
        case (true, false): return "\"\(title)\" with \(shownPayees)"
        case (true, true): return "\"\(title)\""
        }
    }

    /// One line of a list.
    func summary(showing end: String) -> String {
        let left = remainingTime(until: deadline)
        return amounts.isEmpty && payees.isEmpty
            ? "\(end)  \(title) (\(left) left)" : "\(end)  \(title): \(essence) (\(left) left)"
    }

    private var shownPayees: String {
        let shown = payees.prefix(3).map { "\($0.name), \($0.account)" }
            .joined(separator: "; ")
        return payees.count > 3 ? "\(shown); and \(payees.count - 3) more" : shown
    }
}

/// The sentences about requests at a terminal.
enum RequestSentences {
    static func approval(of request: PendingTransaction) -> String {
        "Approve \(request.essence)?"
    }

    static func rejection(of request: PendingTransaction) -> String {
        "Rejecting the only pending request: \(request.essence)."
    }

    static func pending(_ count: Int) -> String {
        count == 1 ? "One request is pending:" : "\(count) requests are pending:"
    }

    static let nothingPending = """
        Nothing is waiting for your decision.
            countersign watch   show requests as they arrive
            countersign --help  show all commands
        """

    static func beginning(withServer isServerTrusted: Bool) -> String {
        let server = """
            1. Add your bank's server to ~/.config/countersign/countersign.json.
               An example: countersign help activate
            2. Ask your bank for an activation id and a code, and run:
                   countersign activate ID
            """
        let code = """
            Ask your bank for an activation id and a code, and run:
                countersign activate ID
            """
        return """
            No account is set up on this machine yet.
            \(isServerTrusted ? code : server)
            countersign --help shows all commands.
            """
    }
}

/// The sentences of `countersign watch`.
enum WatchSentences {
    static let waiting = "Waiting for requests. Press Ctrl-C to end."
    static let keys = "y = approve, n = reject, l = decide later, q = quit"
    static let help = "Type y, n, l or q, and press Return."

    static func question(_ request: PendingTransaction) -> String {
        "Your decision (\(remainingTime(until: request.deadline)) left):"
    }

    static func undecided(_ request: PendingTransaction) -> String {
        "If it is still pending: countersign approve \(request.id)"
    }

    static func connection(_ change: ConnectionChange) -> String {
        switch change {
        case .lost(.networkUnavailable), .lost(.serverUnavailable):
            "There is no connection to the bank. Trying again."
        case .lost(let code): "\(code.supportSentence) New requests are not shown. Trying again."
        case .restored: "The connection to the bank is back."
        }
    }

    /// Why a request ended while its question was shown.
    static func end(_ error: AuthenticationError) -> String {
        switch error.finalState {
        case .approved?: "This request was approved on another device."
        case .rejected?: "This request was rejected on another device."
        case .withdrawn?: "The bank withdrew this request."
        case .void?: "This request is no longer valid."
        case nil where error.code == .transactionExpired:
            "The time to decide is over. Nothing was approved."
        case nil: "This request is no longer pending."
        }
    }
}
