import CommandLineTool
import ConfigurationFiles
import Storage
import TransactionApproval
import Verification

/// Accepts the clock of a machine after a long pause.
struct ClockCommand: Command {
    static let name = "clock"
    static let summary = "Accept the time of this machine after a pause of more than a day."
    static let discussion = """
        The time of a store never goes back. If the clock of the machine is far ahead at start, \
        everything in the store expires for good. So a verifier does not start if the last audit \
        record is more than a day old. A verifier that runs adds a record every hour.

        First check the clock of this machine. The command shows it, and adds an audit record with \
        its time. Then countersignd run starts.

        \(Installation.storeOnly)
        """

    @ConfirmationFlag private var isConfirmed: Bool
    @ConfigurationPath private var path: String

    func run(on terminal: Terminal) async throws(CommandFailure) {
        let installation = try Installation(readingFileAt: path, acceptsLateClock: true)
        let pause = try await installation.withStore { store throws(CommandFailure) in
            try await installation.pause(of: store)
        }
        guard let pause else {
            let text =
                "Nothing to do: the clock is not more than a day ahead of the last audit record."
            return try terminal.output.print(text)
        }
        try terminal.confirm("\(pause.sentence) Is it right?", isConfirmed: isConfirmed)
        try await installation.withVerifier { verifier throws(CommandFailure) in
            try await installation.onVerifier(try await verifier.recordTime(by: .operatorCommand))
        }
        try terminal.output.print("Recorded. The verifier can start.")
    }
}

/// The time since the last audit record, if a verifier does not start after it.
struct LongPause {
    let last: Timestamp
    let now: Timestamp

    var length: Duration { now.elapsed(since: last) }

    var sentence: String {
        """
        The last audit record is from \(last.text). The clock of this machine is \
        \(roughly(length)) ahead: \(now.text).
        """
    }
}

extension Installation {
    /// Nil if a verifier would start.
    func pause(of store: any Database) async throws(CommandFailure) -> LongPause? {
        let last = try await state(of: store).audit
        let pause = LongPause(last: last.moment, now: .now)
        return last.sequence > 0 && pause.length > VerifierClock.maximumPause ? pause : nil
    }
}
