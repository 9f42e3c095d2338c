import AuthenticationHandler
import CommandLineTool
import PrivateFiles

/// The result of a request that `countersign watch` showed.
enum WatchResult: Equatable {
    /// No person can decide.
    case shown
    case outcome(ApprovalResult.Outcome)
    /// The person ends the command.
    case quit
    /// The request ended before the person decided.
    case ended

    /// Whether the request needs nothing more of this command.
    var isFinal: Bool { self != .outcome(.undecided) }
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
        let end = LockedValue<AuthenticationError?>(nil)
        // Not in the loop below: a slow network must not delay what the person types.
        let checks = Task { await awaitEnd(reportingTo: end) }
        defer { checks.cancel() }
        while true {
            let response = try await terminal.liveResponse(
                to: { [request] in WatchSentences.question(request) },
                unless: { end.withLock { $0 != nil } }
            )
            switch response {
            case .withdrawn:
                if let error = end.withLock({ $0 }) {
                    try terminal.messages.print(CommandFailure(error).sentence)
                }
                return .ended
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

    /// Checks the request until it ended or the task is cancelled.
    private func awaitEnd(reportingTo end: LockedValue<AuthenticationError?>) async {
        // Only the end of the question cancels it: `try?`.
        while (try? await Task.sleep(for: Self.checkInterval)) != nil {
            do throws(AuthenticationError) {
                _ = try await handler.pendingTransaction(id: request.id, of: request.account)
            } catch {
                // Without a connection, the request may still be pending.
                guard error.endsRequest else { continue }
                return end.withLock { $0 = error }
            }
        }
    }
}

extension AuthenticationError {
    /// Whether the request is no longer pending.
    var endsRequest: Bool {
        [.unknownTransaction, .transactionExpired, .transactionAlreadyDecided].contains(code)
    }
}
