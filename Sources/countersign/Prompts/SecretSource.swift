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

    /// `hint`: how to give the secret without a terminal.
    func secret(
        _ name: String,
        hint: String = localized("use --pin-fd", german: "nutzen Sie --pin-fd")
    ) throws(CommandFailure) -> TypedSecret {
        let secret: TypedSecret?
        if let descriptor {
            secret = try secretLine(from: descriptor.number, named: name)
        } else if terminal.isInteractive {
            secret = try terminal.secretResponse(to: "\(name):")
        } else if let askpass {
            secret = try AskpassProgram(path: askpass).secret(for: "\(name):")
        } else {
            throw CommandFailure(
                .usage,
                localized(
                    "there is no terminal to ask for the \(name)",
                    german: "es gibt kein Terminal für die Eingabe: \(name)"
                ),
                hint: hint
            )
        }
        guard let secret else { throw .empty(name) }
        return secret
    }

    /// `account`: the account that the prompt names.
    func pin(of account: Account? = nil) throws(CommandFailure) -> PIN {
        try PIN(try typedPIN(account.map { ActivationText.pinPrompt(of: $0) } ?? "PIN"))
    }

    /// A PIN that meets `check`, as its digits.
    func typedPIN(
        _ name: String,
        meeting check: (borrowing PIN) throws(CommandFailure) -> Void = { _ in }
    ) throws(CommandFailure) -> TypedSecret {
        try correcting { () throws(CommandFailure) in
            let typed = try secret(name)
            try check(PIN(typed))
            return typed
        }
    }

    /// A new PIN that all policies allow, which a person types twice.
    ///
    /// The policies apply before the PIN is typed again. It differs from the old PIN, if there is one.
    func newPIN(
        allowedBy policies: [PINPolicy],
        replacing old: TypedSecret? = nil
    ) throws(CommandFailure) -> TypedSecret {
        let lengths = policies.map(\.digitCounts)
        if let minimum = lengths.map(\.lowerBound).max(),
            let maximum = lengths.map(\.upperBound).min()
        {
            guard minimum <= maximum else { throw .noCommonPIN }
            if isInteractive { try terminal.messages.print(PINSentences.rule(minimum...maximum)) }
        }
        return try correcting { () throws(CommandFailure) in
            let first = try secret(PINSentences.newPIN)
            try PIN(first).check(against: policies)
            guard first != old else { throw .samePIN }
            guard isInteractive else { return first }
            guard try secret(PINSentences.newPINAgain) == first else { throw .differentPINs }
            return first
        }
    }

    /// Repeats `body` a few times while a person types something that cannot be right.
    func correcting<Input: ~Copyable>(
        _ body: () throws(CommandFailure) -> Input
    ) throws(CommandFailure) -> Input {
        for _ in 1..<Self.maximumTries {
            do throws(CommandFailure) {
                return try body()
            } catch  where isInteractive && terminal.isInteractive && error.canBeCorrected {
                try terminal.messages.print("\(error.sentence) \(PINSentences.wayOut)")
            }
        }
        return try body()
    }

    private static let maximumTries = 5
}

extension CommandFailure {
    fileprivate static func empty(_ name: String) -> CommandFailure {
        let message = localized("the \(name) is empty", german: "die Eingabe ist leer: \(name)")
        return CommandFailure(.malformedInput, message)
    }

    /// Whether a rule refuses the input, or the input is empty or too long.
    fileprivate var canBeCorrected: Bool {
        [.refused, .malformedInput].contains(exitCode)
    }
}

extension PIN {
    init(_ typed: TypedSecret) throws(CommandFailure) {
        self = try translating(
            typed.withBytes { digits throws(AuthenticationError) in try PIN(copying: digits) }
        ) { (error: AuthenticationError) in CommandFailure(error) }
    }

    fileprivate borrowing func check(against policies: [PINPolicy]) throws(CommandFailure) {
        for policy in policies {
            do throws(AuthenticationError) {
                try check(against: policy)
            } catch {
                throw CommandFailure(error)
            }
        }
    }
}
