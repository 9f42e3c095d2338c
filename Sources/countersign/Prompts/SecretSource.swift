import AuthenticationHandler
import CommandLineTool
import FailureTranslation

/// The source of PINs and codes: a file descriptor, a person at the terminal, or an askpass program.
///
/// Never an argument or the environment, which other programs can read (SEC-27).
struct SecretSource {
    let descriptor: OpenDescriptor?
    let terminal: Terminal
    let askpass: String?

    /// Whether a person can correct an error and try again.
    var isInteractive: Bool { descriptor == nil }

    func secret(_ name: String) throws(CommandFailure) -> TypedSecret {
        let secret: TypedSecret?
        if let descriptor {
            secret = try secretLine(from: descriptor.number, named: name)
        } else if terminal.isInteractive {
            secret = try terminal.secretResponse(to: "\(name):")
        } else if let askpass {
            secret = try AskpassProgram(path: askpass).secret(for: "\(name):")
        } else {
            throw CommandFailure(.usage, "there is no terminal to ask for the \(name)")
                .suggesting("use --pin-fd")
        }
        guard let secret else { throw CommandFailure(.noInput, "the \(name) is empty") }
        return secret
    }

    func pin(_ name: String = "PIN") throws(CommandFailure) -> PIN {
        try PIN(try secret(name))
    }

    /// A new PIN, which a person types twice.
    ///
    /// `check` applies the bank's policy before the PIN is typed again.
    func newPIN(
        checkedBy check: (borrowing PIN) async throws(AuthenticationError) -> Void
    ) async throws(CommandFailure) -> PIN {
        while true {
            let first = try secret("new PIN")
            do throws(CommandFailure) {
                let pin = try PIN(first)
                try await reportingErrors(try await check(pin))
                guard isInteractive else { return pin }
                if try secret("new PIN, again") == first { return pin }
            } catch  where error.exitCode == .refused && isInteractive && terminal.isInteractive {
                try terminal.messages.print(error)
                continue
            }
            try terminal.messages.print("The two PINs are different.")
        }
    }
}

extension PIN {
    fileprivate init(_ typed: TypedSecret) throws(CommandFailure) {
        self = try translating(
            typed.withBytes { digits throws(AuthenticationError) in try PIN(copying: digits) }
        ) { (error: AuthenticationError) in CommandFailure(error) }
    }
}
