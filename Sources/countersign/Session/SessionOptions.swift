import AuthenticationHandler
import CommandLineTool

/// `--vault`, and the session that it opens.
struct VaultOption: Sendable {
    @Option(
        "vault",
        value: localized("FOLDER", german: "ORDNER"),
        help: localized(
            "The folder of the accounts. Default: ~/.local/share/countersign/vault.",
            german: "Der Ordner der Zugänge. Vorgabe: ~/.local/share/countersign/vault."
        )
    )
    private var folder: FilePath?

    func openSession() async throws(CommandFailure) -> Session {
        try await openSession(with: Settings(from: .configuration))
    }

    func openSession(with settings: Settings) async throws(CommandFailure) -> Session {
        try await Session(vault: path(), settings)
    }

    /// Creates the folders that an activation writes to.
    func makeFolders() throws(CommandFailure) {
        if folder == nil { try PersonalFolder.data.make() }
        try PersonalFolder.state.make()
    }

    private func path() throws(CommandFailure) -> String {
        if let folder { return folder.text }
        return try PersonalFolder.data.path() + "/vault"
    }
}

/// `--pin-fd`, which replaces the prompts for PINs and codes.
struct SecretOption: Sendable {
    @Option(
        "pin-fd",
        help: localized(
            "Read PINs and codes from this file descriptor, one per line.",
            german: "Liest PINs und Codes aus diesem Dateideskriptor, je Zeile eine Angabe."
        )
    )
    private var descriptor: OpenDescriptor?

    func source(in session: Session, or terminal: Terminal) -> SecretSource {
        SecretSource(
            descriptor: descriptor,
            terminal: terminal,
            askpass: session.settings.askpass
        )
    }
}

/// `--account`.
@propertyWrapper
struct AccountOption: Sendable {
    @Option(
        "account",
        help: localized(
            "The account. Default: the first one.",
            german: "Der Zugang. Vorgabe: der erste."
        )
    )
    var wrappedValue: Account?

    init() {}
}

/// The request that a command is about.
@propertyWrapper
struct RequestID: Sendable {
    @Argument(
        "ID",
        help: localized(
            "The request, by its id or the end of it. Default: the only one.",
            german: "Die ID des Auftrags oder ihr Ende. Vorgabe: der einzige Auftrag."
        )
    )
    var wrappedValue: String?

    init() {}
}
