import AuthenticationHandler
import CommandLineTool

extension AccountChanges {
    /// Reports each account whose changes are unknown, and throws the last failure.
    func reportFailures(on terminal: Terminal) throws(CommandFailure) {
        var failures = failures.sorted { $0.key.description < $1.key.description }
            .map { CommandFailure(unknownChangesOf: $0.key, because: CommandFailure($0.value)) }
        guard let last = failures.popLast() else { return }
        for failure in failures { try terminal.messages.print(failure) }
        throw last
    }
}

extension CommandFailure {
    fileprivate init(unknownChangesOf account: Account, because failure: CommandFailure) {
        self.init(
            failure.exitCode,
            localized(
                "cannot list the changes of \(account): \(failure.message)",
                german: "die Änderungen von \(account) sind nicht bekannt: \(failure.message)"
            ),
            hint: failure.hint
        )
    }
}
