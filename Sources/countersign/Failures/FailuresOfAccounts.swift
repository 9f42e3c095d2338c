import AuthenticationHandler
import CommandLineTool

extension AccountChanges {
    /// Reports each account whose changes are unknown, and throws the last failure.
    func reportFailures(on terminal: Terminal) throws(CommandFailure) {
        let failures = failuresToReport(failures) { account, reason in
            localized(
                "cannot list the changes of \(account): \(reason)",
                german: "die Änderungen von \(account) sind nicht bekannt: \(reason)"
            )
        }
        try report(failures, on: terminal)
    }
}

extension PendingTransactions {
    /// Reports each account whose requests are not all shown, and throws the last failure.
    func reportFailures(on terminal: Terminal) throws(CommandFailure) {
        try report(commandFailures, on: terminal)
    }

    /// Throws if there is no request, or if it is unknown whether there is one.
    func requireRequest(reportingOn terminal: Terminal) throws(CommandFailure) {
        guard transactions.isEmpty else { return }
        try reportFailures(on: terminal)
        throw CommandFailure(.noPendingTransaction)
    }

    var commandFailures: [CommandFailure] {
        failuresToReport(failures) { account, reason in
            localized(
                "cannot show all requests of \(account): \(reason)",
                german: "nicht alle Aufträge von \(account) sind bekannt: \(reason)"
            )
        }
    }
}

private func failuresToReport(
    _ failures: [Account: AuthenticationError],
    _ message: (Account, String) -> String
) -> [CommandFailure] {
    failures.sorted { $0.key.description < $1.key.description }.map { account, error in
        let reason = CommandFailure(ofReading: error)
        return CommandFailure(
            reason.exitCode,
            message(account, reason.message),
            hint: reason.hint
        )
    }
}

/// Reports all failures, and throws the last one.
func report(
    _ failures: [CommandFailure],
    on terminal: Terminal
) throws(CommandFailure) {
    guard let last = failures.last else { return }
    for failure in failures.dropLast() { try terminal.messages.print(failure) }
    throw last
}
