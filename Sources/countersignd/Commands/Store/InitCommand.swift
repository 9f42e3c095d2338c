import CommandLineTool
import ConfigurationFiles
import Cryptography
import TransactionApproval
import VerifierServer

struct InitCommand: Command {
    static let name = "init"
    static let summary = "Create a verifier: its configuration, keys, store and journal."
    static let discussion = """
        If the configuration does not exist, the command creates the file below. Then it creates the \
        files that the configuration names. If the configuration is not in /etc/countersign, it names store \
        and journal in folders next to it, not in /var/lib/countersign.

        \(ConfigurationTable.countersignd.initialFile.indented)
        If several verifiers share a store, each of them has copies of the keys, but its own journal \
        and its own checkpointKey. init --join adds a verifier. Never use it for a store that came \
        from a backup: use countersignd restore.

        encryptionKeys can be "descriptor:3" for keys that are not in a file of this machine. Then \
        the parent process opens descriptor 3, for example with 3<FILE in a shell. Only countersignd \
        rotate needs a file.

        To replace agreementKey or responseKey, name a new key as nextAgreementKey or \
        nextResponseKey, and run init. Devices receive it in signed responses. Later, name it as \
        agreementKey or responseKey, and remove the other member.

        Keep the journal on a different disk from the store: after a restore, it shows what ended \
        since the backup.

        The command never overwrites a file, and never recreates a lost store or key. If it was \
        interrupted, repeat it.
        """

    @Flag("join", help: "Add a verifier to a PostgreSQL store that did not come from a backup.")
    private var joins: Bool
    @ConfigurationPath private var path: String

    func run(on terminal: Terminal) async throws(CommandFailure) {
        let table = ConfigurationTable.countersignd
        try table.checkOwner(of: [path])
        let file = ConfigurationFile(path, of: table)
        let isNew = try file.create()
        let lock = try file.lockForInitialization()
        defer { withExtendedLifetime(lock) {} }
        let configuration = try Configuration(readingFileAt: path)
        try checkJoining(configuration)
        try terminal.output.print("\(isNew ? "created" : "found  ")  \(path.onOneLine)")
        let installation = Installation(configuration: configuration)
        try await Initialization(installation: installation, terminal: terminal).run(joins: joins)
        try terminal.output.print(advice(for: installation, joined: joins))
    }

    private func checkJoining(_ configuration: Configuration) throws(CommandFailure) {
        guard joins, case .sqlite = configuration.store else { return }
        throw CommandFailure(.usage, "--join needs a store in PostgreSQL")
            .suggesting("a SQLite store has one verifier: run countersignd init without --join")
    }

    /// The configuration for the person's program and for apps.
    private func trustedServer(of installation: Installation) throws(CommandFailure) -> String {
        let keys = [
            ("agreementKey", try installation.agreementKey()),
            ("nextAgreementKey", try installation.nextAgreementKey()),
            ("signingKey", try installation.responseKey()),
            ("nextSigningKey", try installation.nextResponseKey()),
        ]
        let points = keys.compactMap { name, key in key.map { (name, $0) } }.map { name, key in
            let point = key.publicKey.uncompressedPoint
            return (name, TextEncoding.base64URL.encode(point.span))
        }
        // No value needs escapes in JSON.
        let origin = installation.configuration.origin?.text ?? "https://HOST"
        return ([("origin", origin)] + points).map { name, text in
            "                \"\(name)\": \"\(text)\""
        }
        .joined(separator: ",\n")
    }

    private func advice(
        for installation: Installation,
        joined: Bool
    ) throws(CommandFailure) -> String {
        let keys = [try installation.agreementKey(), try installation.nextAgreementKey()]
        let fingerprints = try keys.compactMap { $0?.publicKey }.map {
            key throws(CommandFailure) in
            try translatingSystemFailure(ServerKeyID(of: key), to: CommandFailure.init(_:))
                .description
        }
        let option = path == Configuration.defaultPath ? "" : " --config \(path.shellWord)"
        let next =
            joined
            ? "Start the server:"
            : """
            Create an enterprise and a token for the bank's programs, and start the server:
                countersignd policy set ENTERPRISE POLICY --new\(option)
                countersignd token create NAME ROLE --enterprise ENTERPRISE\(option)
            """
        return """

            Devices trust this verifier by these keys, in the app or in
            ~/.config/countersign/countersign.json:
                {
                    "servers": [
                        {
            \(try trustedServer(of: installation))
                        }
                    ]
                }
            To pin TLS keys as well, add "pins": see countersign help activate.

            The fingerprint of the agreement key, for people to compare:
                \(fingerprints.joined(separator: "\n    next: "))

            Back up the keys, but not together with the store: with both, an attacker can
            create codes. Without its keys, the store cannot be used.
            Keep the journal on a different disk from the store. With the journal, a restore
            from a backup does not bring back used codes or revoked devices.

            \(next)
                countersignd run\(option)
            """
    }
}
