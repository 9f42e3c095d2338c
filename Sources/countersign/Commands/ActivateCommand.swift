import AuthenticationHandler
import CommandLineTool

/// Binds this machine to accounts, behind a PIN that the person chooses.
struct ActivateCommand: Command {
    static let name = "activate"
    static let summary = "Set up an account on this machine, by what the bank sent you."
    static let discussion = """
        ACTIVATION is the id that the bank gave you, or the text of its QR code. The code is asked
        for, and so is the text of a QR code that has the code in it: neither is ever an argument.

        Then you choose a PIN, or type the one that you have: it is the same for all accounts.

        Which servers are believed says ~/.config/countersign/countersign.json, which you alone may
        write to. The keys are those that countersignd init prints; pins are the base64 of the
        SHA-256 of keys in TLS, of which one is a backup. They may be left out, and "authorities" may
        name a PEM file in the place of the authorities that the system trusts:

        \(Settings.example)

        Where there is no terminal, "askpass" names a program that asks for a PIN by a window, as
        /usr/bin/ssh-askpass does. "biometrics" names one that recognises you, which countersign help
        biometrics tells of. With --pin-fd the code and the PIN are lines of the descriptor, the
        text of the QR code before them where ACTIVATION is left out.
        """

    static let activation = Argument<String?>("ACTIVATION", help: "What to activate.")
    static let server = Option<String?>(
        "server",
        value: "ORIGIN",
        help: "Whose id it is, where several servers are trusted."
    )
    static let parameters: [any Parameter] = [
        activation, server, SecretSource.descriptor, Flag.json, Session.vault,
    ]

    private let activation: String?
    private let server: String?
    private let descriptor: OpenDescriptor?
    private let printsJSON: Bool
    private let vault: FilePath?

    init(_ arguments: ParsedArguments) throws(CommandFailure) {
        activation = try arguments[Self.activation]
        server = try arguments[Self.server]
        descriptor = try arguments[SecretSource.descriptor]
        printsJSON = arguments[.json]
        vault = try arguments[Session.vault]
        guard activation.map({ ActivationText.holdsCode($0.utf8.span) }) != true else {
            throw CommandFailure(
                .usage,
                "this text has the activation code in it, which no argument may hold",
                hint: "leave it out and type it when you are asked; best ask the bank for a new one"
            )
        }
    }

    func run(on terminal: Terminal) async throws(CommandFailure) {
        let session = try await Session(in: vault)
        let secrets = session.secrets(on: descriptor, or: terminal)
        let servers = session.settings.servers.filter { server == nil || $0.origin == server }
        guard !servers.isEmpty else {
            throw CommandFailure(
                .noInput,
                "no such server is trusted yet",
                hint: "countersign help activate says how one is"
            )
        }
        let activation = try ActivationText(activation, or: secrets)
            .activation(at: servers.map(\.server), codeFrom: secrets)
        let folders: [PersonalFolder] = vault == nil ? [.data, .state] : [.state]
        for folder in folders { try folder.make() }
        let verified: VerifiedActivation
        do throws(AuthenticationError) {
            verified = try await session.handler.verifyActivation(activation)
        } catch {
            throw CommandFailure(error)
        }
        let enrolments = try await setPIN(for: verified, by: session.handler, secrets)
        if printsJSON {
            try terminal.output.print(json: Answer(enrolments: enrolments.map { .init($0) }))
        } else {
            for enrolment in enrolments where enrolment.outcome == .enrolled {
                try terminal.output.print("activated \(enrolment.account)")
            }
        }
        if let left = enrolments.first(where: { $0.outcome != .enrolled }) {
            throw CommandFailure(
                .refused,
                "\(left.account) is not activated: \(left.outcome.reason)"
            )
        }
    }

    private struct Answer: Encodable {
        let enrolments: [ShownEnrolment]
    }

    /// A person whose PIN breaks a rule chooses another one.
    private func setPIN(
        for verified: VerifiedActivation,
        by handler: AuthenticationHandler,
        _ secrets: SecretSource
    ) async throws(CommandFailure) -> [Enrolment] {
        let existing = verified.existingAccount
        if existing == nil, secrets.isPerson {
            let digits = verified.pinPolicy.digitCounts
            try secrets.terminal.messages.print(
                "Choose a PIN of \(digits.lowerBound) to \(digits.upperBound) digits."
            )
        }
        while true {
            let pin =
                if let existing {
                    try secrets.pin("PIN of \(existing)")
                } else {
                    try secrets.newPIN()
                }
            do throws(AuthenticationError) {
                return try await handler.setPIN(pin, for: verified)
            } catch {
                let failure = CommandFailure(error)
                guard error.brokenRule != nil, secrets.isPerson else { throw failure }
                try secrets.terminal.messages.print(failure.message)
            }
        }
    }
}

private struct ShownEnrolment: Encodable {
    let account: ShownAccount
    let outcome: EnrolmentOutcome

    init(_ enrolment: Enrolment) {
        account = ShownAccount(enrolment.account)
        outcome = enrolment.outcome
    }
}

extension EnrolmentOutcome {
    fileprivate var reason: String {
        switch self {
        case .enrolled: "it is"
        case .tooManyDevices: "it has as many devices as the bank allows"
        case .accountReplaced: "another account took its place"
        }
    }
}
