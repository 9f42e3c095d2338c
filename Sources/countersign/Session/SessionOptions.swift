import AuthenticationHandler
import CommandLineTool

/// `--vault`, and the session that it opens.
struct VaultOption: Sendable {
    @Option(
        "vault",
        value: "FOLDER",
        help: "The folder of the accounts. Default: ~/.local/share/countersign/vault."
    )
    private var folder: FilePath?

    func openSession() async throws(CommandFailure) -> Session {
        try await Session(vault: path())
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
    @Option("pin-fd", help: "Read PINs and codes from this file descriptor, one per line.")
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
    @Option("account", help: "The account. Default: the first one.") var wrappedValue: Account?

    init() {}
}

/// The request that a command is about.
@propertyWrapper
struct RequestID: Sendable {
    @Argument("ID", help: "The request, by its id or the end of it. Default: the only one.")
    var wrappedValue: String?

    init() {}
}
