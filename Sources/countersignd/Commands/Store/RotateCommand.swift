import CommandLineTool
import ConfigurationFiles
import HardwareKeys
import Sealing
import TransactionApproval
import Verification
import VerifierServer

/// Encrypts all secrets of the store with a newer key, in three steps.
///
/// Adding a key is a step of its own, because all verifiers of the store need the key before one of
/// them uses it. Removing the old keys is the last step, because earlier backups need them.
struct RotateCommand: Command {
    static let name = "rotate"
    static let summary = "Encrypt all secrets in the store with a newer key."
    static let discussion = """
        The verifier can run during all three steps:

            countersignd rotate --add-key          add a key to the key file
            countersignd rotate                    encrypt secrets with the newest key
            countersignd rotate --remove-old-keys  remove the old keys

        If several verifiers share the store, copy the key file to the others after the first and the \
        last step. They reload it when they need the new key. Stop a countersignd load that started \
        before; it continues when you repeat it. Each step can be interrupted and repeated.

        A row that another program wrote is named and left as it is; no verifier accepts it.

        Do the last step only when you no longer need the earlier backups. After it, a verifier with \
        an old key file is rejected.

        With --seal-keys, an HSM seals the keys that are in the file: first add pkcs11.sealingKey to the \
        configuration. Then rotate, because the disk and its backups may have unsealed copies. To replace \
        pkcs11.sealingKey, set it to a new label, and name the old one with --former-key.

        \(Installation.storeOnly)
        """

    @Flag("add-key", help: "Add a new key to the key file.") private var addsKey: Bool
    @Flag(
        "remove-old-keys",
        help: "Remove the old keys from the key file, if the store no longer uses them."
    )
    private var removesOldKeys: Bool
    @Flag("seal-keys", help: "Seal the keys in the key file with pkcs11.sealingKey.")
    private var sealsKeys: Bool
    @Option("former-key", value: "LABEL", help: "The key of the token that sealed the file before.")
    private var formerKey: String?
    @ConfirmationFlag private var isConfirmed: Bool
    @ConfigurationPath private var path: String

    func validate(for program: Program) throws(CommandFailure) {
        guard [addsKey, removesOldKeys, sealsKeys].count(where: { $0 }) <= 1 else {
            throw CommandFailure(
                .usage,
                "--add-key, --remove-old-keys and --seal-keys cannot be combined"
            )
        }
        guard formerKey == nil || sealsKeys else {
            throw CommandFailure(.usage, "--former-key needs --seal-keys")
        }
    }

    func run(on terminal: Terminal) async throws(CommandFailure) {
        let configuration = try Configuration(readingFileAt: path)
        guard !configuration.readsDescriptor else { throw .needsKeyFile }
        if removesOldKeys {
            try terminal.confirm(
                "Remove the old keys permanently? Backups from before the rotation need them.",
                isConfirmed: isConfirmed
            )
        }
        let installation = Installation(configuration: configuration)
        let rotation = Rotation(installation: installation, terminal: terminal)
        guard !sealsKeys else { return try rotation.sealKeys(replacing: formerKey) }
        try await installation.withVerifier { verifier throws(CommandFailure) in
            if addsKey {
                try await rotation.addKey(for: verifier)
            } else if removesOldKeys {
                try await rotation.removeOldKeys(of: verifier)
            } else {
                try await rotation.move(in: verifier)
            }
        }
    }
}

/// The steps of a rotation and their reports.
private struct Rotation {
    let installation: Installation
    let terminal: Terminal

    private var path: String { installation.configuration.keys.encryptionPath }

    func addKey(for verifier: Verifier) async throws(CommandFailure) {
        let newest = try installation.encryptionKeys().newestVersion
        let counts = try await installation.onVerifier(try await verifier.sealedCounts())
        let fileKey = try installation.fileKey()
        // A repeated command does not add a second key.
        let version =
            counts[newest] == nil
            ? newest
            : try onKeyFile(path, try KeyFile.addEncryptionKey(at: path, sealedUnder: fileKey))
        try terminal.output.print(
            """
            Version \(version) of the encryption key is in \(path).

            Next: back up this file, copy it to all other verifiers of the store, restart
            every countersignd load, and then run countersignd rotate.
            """
        )
    }

    func sealKeys(replacing formerLabel: String?) throws(CommandFailure) {
        let verifier = installation.configuration.verifier
        guard let label = verifier.keys.pkcs11?.sealingKey else { throw .noSealingKey }
        try installation.onConfiguration(try verifier.createKey(inToken: label, for: .sealing))
        guard let fileKey = try installation.fileKey() else { throw .noSealingKey }
        let former = try formerLabel.map { label throws(CommandFailure) in
            try installation.onConfiguration(try verifier.fileKey(label))
        }
        let isNew = try onKeyFile(
            path,
            try KeyFile.sealEncryptionKeys(at: path, under: fileKey, replacing: former)
        )
        guard isNew else {
            return try terminal.output.print(
                "Nothing to do: the keys in \(path) are sealed with pkcs11:\(label)."
            )
        }
        guard former == nil else {
            return try terminal.output.print(
                """
                The keys in \(path) are sealed with pkcs11:\(label).

                Next: copy this file to all other verifiers of the store, and restart them. When no copy \
                of the old file is needed, delete the old key from the token.
                """
            )
        }
        try terminal.output.print(
            """
            The keys in \(path) are sealed with pkcs11:\(label).

            Next: copy this file, and the member pkcs11, to all other verifiers of the store. Restart every
            countersignd, and then run countersignd rotate --add-key.
            Copies of the unsealed file still open the secrets of its versions.
            """
        )
    }

    func move(in verifier: Verifier) async throws(CommandFailure) {
        let rotation = try await rotate(verifier)
        let newest = "version \(rotation.version) of the encryption key"
        let count = rotation.counts[rotation.version] ?? 0
        guard rotation.moved + rotation.tagged > 0 else {
            return try terminal.output.print(
                """
                Nothing to do: all secrets use \(newest).\(rotation.textOfForgedRows)
                To start a rotation, run countersignd rotate --add-key.
                """
            )
        }
        try terminal.output.print(
            """
            Encrypted \(rotation.moved) of \(counted(count, "secret")) with \(newest).
            No secret and no tag uses an older key.\(rotation.textOfForgedRows)

            Next: make a new backup. When you no longer need the earlier backups, run
            countersignd rotate --remove-old-keys.
            """
        )
    }

    func removeOldKeys(of verifier: Verifier) async throws(CommandFailure) {
        let rotation = try await rotate(verifier)
        let isEnded = try await installation.onVerifier(
            try await verifier.endKeys(olderThan: rotation.version, by: .operatorCommand)
        )
        guard isEnded else { throw .usesOldKeys }
        let fileKey = try installation.fileKey()
        try onKeyFile(
            path,
            try KeyFile.removeEncryptionKeys(
                olderThan: rotation.version,
                at: path,
                sealedUnder: fileKey
            )
        )
        try terminal.output.print(
            "The file \(path) now contains only version \(rotation.version) of the encryption key."
                + rotation.textOfForgedRows
        )
    }

    /// Throws if a secret still uses an older key.
    private func rotate(_ verifier: Verifier) async throws(CommandFailure) -> KeyRotation {
        let newest = try installation.encryptionKeys().newestVersion
        let counts = try await installation.onVerifier(try await verifier.sealedCounts())
        let older = counts.filter { $0.key != newest }.values.reduce(0, +)
        let rotation = try await move(older, in: verifier)
        guard rotation.locked.count == 0 else {
            throw CommandFailure(
                .malformedInput,
                "\(counted(rotation.locked.count, "row")) cannot be read with the keys in "
                    + "\(path): \(rotation.locked.text)",
                hint: "restore the missing keys; all other rows use the new key"
            )
        }
        guard rotation.isComplete else { throw .usesOldKeys }
        return rotation
    }

    private func move(
        _ count: Int,
        in verifier: Verifier
    ) async throws(CommandFailure) -> KeyRotation {
        let bar = ProgressBar("Encrypting", on: terminal)
        defer { bar.clear() }
        return try await installation.onVerifier(
            try await verifier.rotateKeys(by: .operatorCommand) { rotation in
                let rest = rotation.locked.count + rotation.forged.count
                bar.show(min(rotation.moved + rest, count), of: count)
            }
        )
    }
}

extension KeyRotation {
    /// Empty without such rows.
    fileprivate var textOfForgedRows: String {
        guard forged.count > 0 else { return "" }
        let verb = forged.count == 1 ? "was" : "were"
        return """

            \(counted(forged.count, "row")) \(verb) not changed, because another program wrote \
            \(forged.count == 1 ? "it" : "them"): \(forged.text).
            The verifier accepts none of them. See countersignd audit verify.
            """
    }
}

extension NamedRows {
    private static let maximumShown = 10

    fileprivate var text: String {
        let shown = names.prefix(Self.maximumShown).map(visible).joined(separator: ", ")
        return count > Self.maximumShown ? "\(shown), …" : shown
    }
}

extension CommandFailure {
    fileprivate static let needsKeyFile = CommandFailure(
        .usage,
        "rotate needs encryptionKeys to be a file, not a descriptor",
        hint: "use a separate configuration that names the file"
    )
    fileprivate static let noSealingKey = CommandFailure(
        .usage,
        "--seal-keys needs pkcs11.sealingKey in the configuration",
        hint: "countersignd help init describes pkcs11"
    )
    fileprivate static let usesOldKeys = CommandFailure(
        .tryLater,
        "a verifier or a countersignd load still uses another key",
        hint: "restart every load, copy this file to each verifier, and repeat the command"
    )
}
