import CommandLineTool
import ConfigurationFiles
import Sealing
import ServerOperation
import Storage
import ThreeDSIssuer

/// Replaces the keys of an ACS.
///
/// A rotation that was interrupted has left rows under an older key, or a key that no row uses. Then
/// the command completes it, and adds no other key. For a store with several nodes, only `--add-key`
/// adds one: the other nodes would lack it.
struct RotateCommand: Command {
    static let name = "rotate"
    static let summary = "Add a key, and encrypt all rows of the store with it."
    static let discussion = """
        If the command was interrupted, repeat it: it continues, and does not add a \
        second key. Make a new backup of the key file afterwards.

        A node reads the new key from its key file when it needs the key. If several nodes share the \
        store, which is in PostgreSQL, the command adds no key. Add the key with --add-key, and copy \
        the key file to the others first. After the rotation, a node without the new key writes \
        nothing:

            countersign-acs rotate --add-key          add a key to the key file
            countersign-acs rotate                    encrypt all rows with the newest key
            countersign-acs rotate --remove-old-keys  remove the old keys from the key file

        Do the last step only when you no longer need the earlier backups: they need the old keys. \
        Then copy the key file to the other nodes again.

        With --values, the command adds a key for authentication values instead, which the store \
        contains. First it reads all audit records, and exits with 65 if a record or a key that they \
        name is missing. Values with the earlier keys stay valid. A node reads these keys when it starts: \
        restart all nodes afterwards, so that each of them knows the new key.

        A row that another program wrote is named and left as it is; the ACS does not accept it. So \
        is a row under a key that is not in the file. While a forged row uses an old key, the old \
        keys are not removed: they could open it after a repair. The same applies while any row uses \
        a missing key. With --despite-forged-rows they are removed.

        \(Installation.storeOnly)
        """

    @Flag("add-key", help: "Only add a new key to the key file.") private var onlyAddsKey: Bool
    @Flag(
        "remove-old-keys",
        help: "Remove the old keys from the key file, after all rows use the newest one."
    )
    private var removesOldKeys: Bool
    @Flag("despite-forged-rows", help: "Remove the old keys although such rows remain.")
    private var ignoresForgedRows: Bool
    @Flag("values", help: "Add a key for authentication values instead.")
    private var addsValueKey: Bool
    @ConfirmationFlag private var isConfirmed: Bool
    @ConfigurationPath private var path: String

    func validate(for program: Program) throws(CommandFailure) {
        guard [onlyAddsKey, removesOldKeys, addsValueKey].count(where: { $0 }) <= 1 else {
            throw CommandFailure(
                .usage,
                "--add-key, --remove-old-keys and --values cannot be combined"
            )
        }
        guard removesOldKeys || !ignoresForgedRows else {
            throw CommandFailure(.usage, "--despite-forged-rows needs --remove-old-keys")
        }
    }

    func run(on terminal: Terminal) async throws(CommandFailure) {
        let installation = try Installation(readingFileAt: path)
        let keys = installation.configuration.encryptionKeys
        guard addsValueKey || keys.file != nil else { throw .needsKeyFile }
        if removesOldKeys {
            try terminal.confirm(
                "Remove the old keys permanently? Backups from before the rotation need them.",
                isConfirmed: isConfirmed
            )
        }
        // A damaged page can hide rows, which would then lose their key.
        let encrypts = !addsValueKey && !onlyAddsKey
        try await installation.withStore(checksWholeFile: encrypts) {
            store throws(CommandFailure) in
            let rotation = Rotation(installation: installation, store: store, terminal: terminal)
            if addsValueKey {
                try await rotation.addValueKey()
            } else if onlyAddsKey {
                try await rotation.addKey()
            } else if removesOldKeys {
                try await rotation.removeOldKeys(despiteForgedRows: ignoresForgedRows)
            } else {
                try await rotation.run()
            }
        }
    }
}

/// The steps of a rotation and their reports.
private struct Rotation {
    let installation: Installation
    let store: IssuerStore
    let terminal: Terminal

    private var keys: EncryptionKeys { installation.configuration.encryptionKeys }

    func addValueKey() async throws(CommandFailure) {
        let number = try await installation.onStore { () async throws(StoreFailure) in
            try await store.addValueKey(at: .ofWallClock)
        }
        try terminal.output.print(
            """
            Key \(number) for authentication values is in the store.

            Next: restart all nodes of the ACS.
            """
        )
    }

    func addKey() async throws(CommandFailure) {
        let version = try await usesNewestKey() ? try keys.addKey() : store.newestKeyVersion
        try terminal.output.print(
            """
            Version \(version) of the encryption key is in \(keys.text).

            Next: back up this file, copy it to all other nodes of the ACS, and then run
            countersign-acs rotate.
            """
        )
    }

    func run() async throws(CommandFailure) {
        let isBegun = try await usesNewestKey()
        var rotation = try await sealAgain()
        let isCompleted = isBegun && rotation.moved > 0
        if rotation.moved == 0 {
            guard !hasSeveralNodes else { return try reportNothingToDo(rotation) }
            _ = try keys.addKey()
            rotation = try await sealAgain()
        }
        let start = isCompleted ? "Completed the last rotation: encrypted" : "Encrypted"
        let version = "version \(rotation.version) of the encryption key"
        let report = "\(start) \(counted(rotation.moved, "row")) with \(version)."
        if let failure = CommandFailure(unchangedBy: rotation) {
            try terminal.output.print(report)
            throw failure
        }
        try terminal.output.print(
            """
            \(report)

            Next: back up \(keys.text). When you no longer need the earlier backups
            of the store, run countersign-acs rotate --remove-old-keys.
            """
        )
    }

    private var hasSeveralNodes: Bool {
        if case .postgreSQL = installation.store { true } else { false }
    }

    private func reportNothingToDo(_ rotation: SealRotation) throws(CommandFailure) {
        let failure = CommandFailure(unchangedBy: rotation)
        let rows = failure == nil ? "all rows" : "all other rows"
        try terminal.output.print(
            """
            Nothing to do: \(rows) use version \(rotation.version) of the encryption key.
            To start a rotation, run countersign-acs rotate --add-key.
            """
        )
        if let failure { throw failure }
    }

    /// Fails before it removes a key if a row needs a key, also one that is not in the file.
    func removeOldKeys(despiteForgedRows: Bool) async throws(CommandFailure) {
        let rotation = try await sealAgain()
        if !despiteForgedRows {
            guard rotation.locked.count == 0 else { throw .needingMissingKeys(rotation.locked) }
            guard rotation.underOlderKeys.count == 0 else {
                throw .needingOldKeys(rotation.underOlderKeys)
            }
        }
        try keys.removeKeys(olderThan: rotation.version)
        try terminal.output.print(
            """
            The file \(keys.text) now contains only version \(rotation.version) of the encryption key.

            Next: copy this file to all other nodes of the ACS.
            """
        )
        if let failure = CommandFailure(unchangedBy: rotation) { throw failure }
    }

    private func usesNewestKey() async throws(CommandFailure) -> Bool {
        try await installation.onStore { () async throws(StoreFailure) in
            try await store.usesNewestKey()
        }
    }

    private func sealAgain() async throws(CommandFailure) -> SealRotation {
        do throws(StoreFailure) {
            return try await store.sealAgain()
        } catch {
            if case .outdatedKey(let version) = error.reason, let newest = newestKeyInFile,
                newest > version
            {
                throw .addedMeanwhile(newest, to: keys.text)
            }
            throw CommandFailure(error, of: installation.store.place)
        }
    }

    private var newestKeyInFile: UInt32? {
        // `try?`: without a readable file, the newest key is missing.
        (try? keys.opened())?.newestVersion
    }
}

extension CommandFailure {
    fileprivate static let needsKeyFile = CommandFailure(
        .usage,
        "rotate needs encryptionKeys to be a file, not a descriptor",
        hint: "use a separate configuration that names the file"
    )

    /// Another rotation of the same key file.
    fileprivate static func addedMeanwhile(_ version: UInt32, to file: String) -> CommandFailure {
        CommandFailure(
            .tryLater,
            "another process added version \(version) of the encryption key to \(file)",
            hint: "the other rotation encrypts all rows; repeat the command only if it failed"
        )
    }

    /// Nil if the rotation could read all rows.
    fileprivate init?(unchangedBy rotation: SealRotation) {
        let (forged, locked) = (rotation.forged, rotation.locked)
        var causes: [String] = []
        if forged.count > 0 {
            causes.append(
                "\(counted(forged.count, "row")) not changed, because another program wrote "
                    + "\(forged.count == 1 ? "it" : "them"): \(forged.text)"
            )
        }
        if locked.count > 0 {
            causes.append(
                "\(counted(locked.count, "row")) not changed without "
                    + "\(locked.count == 1 ? "its key" : "their keys"): \(locked.text)"
            )
        }
        guard !causes.isEmpty else { return nil }
        self.init(
            .refused,
            causes.joined(separator: "; "),
            hint: "countersign-acs audit verify lists the findings"
        )
    }

    fileprivate static func needingMissingKeys(_ rows: ReportedRows) -> CommandFailure {
        let it = rows.count == 1 ? "it" : "them"
        return CommandFailure(
            .refused,
            "no key was removed: the file lacks the key of "
                + "\(counted(rows.count, "row")): \(rows.text)",
            hint: "add it from the backup of the keys, or remove \(it); "
                + "--despite-forged-rows gives \(it) up"
        )
    }

    fileprivate static func needingOldKeys(_ rows: ReportedRows) -> CommandFailure {
        CommandFailure(
            .refused,
            "no key was removed: another program wrote "
                + "\(counted(rows.count, "row")) under an old key: \(rows.text)",
            hint: "remove or repair \(rows.count == 1 ? "it" : "them") first; "
                + "--despite-forged-rows gives \(rows.count == 1 ? "it" : "them") up"
        )
    }
}
