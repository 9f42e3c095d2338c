import AuthenticationHandler
import CommandLineTool

/// The result of a request that `countersign watch` showed.
enum WatchResult: Equatable {
    case outcome(ApprovalResult.Outcome)
    /// The person ends the command.
    case quit
    /// The request ended before the person decided.
    case ended
}

/// A question about a request, shown with the time left while the request is pending.
struct WatchQuestion {
    enum Decision {
        case approve, reject, later, quit
        case ended
    }

    private static let checkInterval = Duration.seconds(5)

    private let request: PendingTransaction
    private let handler: AuthenticationHandler
    private let terminal: Terminal

    init(_ request: PendingTransaction, _ handler: AuthenticationHandler, _ terminal: Terminal) {
        (self.request, self.handler, self.terminal) = (request, handler, terminal)
    }

    func decision() async throws(CommandFailure) -> Decision {
        try terminal.messages.print(RequestSentences.approval(of: request))
        try terminal.messages.print(WatchSentences.keys)
        var lastCheck = ContinuousClock.now
        while true {
            let response = try await terminal.liveResponse(
                to: { WatchSentences.question(request) },
                unless: { () async throws(CommandFailure) in
                    guard lastCheck.duration(to: .now) >= Self.checkInterval else { return false }
                    lastCheck = .now
                    return try await hasEnded()
                }
            )
            switch response {
            case .withdrawn: return .ended
            case .endOfInput: return .later
            case .line(let typed):
                if let decision = Self.decision(typed) { return decision }
                try terminal.messages.print(WatchSentences.help)
            }
        }
    }

    private static func decision(_ typed: String) -> Decision? {
        let typed = typed.lowercased()
        return typed.isEmpty ? nil : Decision.words.first { $0.word.hasPrefix(typed) }?.decision
    }

    /// Reports the end of the request, if it ended.
    private func hasEnded() async throws(CommandFailure) -> Bool {
        let account = request.account
        do throws(AuthenticationError) {
            _ = try await handler.pendingTransaction(
                id: request.id,
                accountID: account.id,
                accountType: account.type
            )
            return false
        } catch {
            // Without a connection, the request may still be pending.
            guard error.endsRequest else { return false }
            try terminal.note(WatchSentences.end(error))
            return true
        }
    }
}

extension AuthenticationError {
    fileprivate var endsRequest: Bool {
        [.unknownTransaction, .transactionExpired, .transactionAlreadyDecided].contains(code)
    }
}
