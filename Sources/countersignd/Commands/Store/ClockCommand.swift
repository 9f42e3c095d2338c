import CommandLineTool
import TransactionApproval
import Verification

/// Accepts the clock of a machine after a long pause.
struct ClockCommand: Command {
    static let name = "clock"
    static let summary = "Accept the time of this machine after a pause of more than a day."
    static let discussion = """
        The time of a store never goes back. If the clock of the machine is far ahead at start, \
        everything in the store expires for good. So a verifier does not start if the last audit \
        record is more than a day old. A verifier that runs adds a record twice a day.

        First check the clock of this machine. The command shows it, and adds an audit record with \
        its time. Then countersignd run starts.

        \(Installation.storeOnly)
        """

    @ConfirmationFlag private var isConfirmed: Bool
    @ConfigurationPath private var path: String

    func run(on terminal: Terminal) async throws(CommandFailure) {
        let installation = try Installation(readingFileAt: path, acceptsLateClock: true)
        let last = try await installation.withStore { store throws(CommandFailure) in
            try await installation.state(of: store).audit
        }
        let now = Timestamp.now
        let pause = now.elapsed(since: last.moment)
        guard last.sequence > 0, pause > VerifierClock.maximumPause else {
            return try terminal.output.print(
                "Nothing to do: the store has a record of the last day."
            )
        }
        try terminal.confirm(
            """
            The last audit record is from \(last.moment.text). The clock of this machine is \
            \(roughly(pause)) later: \(now.text). Is it right?
            """,
            isConfirmed: isConfirmed
        )
        try await installation.withVerifier { verifier throws(CommandFailure) in
            try await installation.onVerifier(try await verifier.recordTime(by: .operatorCommand))
        }
        try terminal.output.print("Recorded. The verifier can start.")
    }
}
