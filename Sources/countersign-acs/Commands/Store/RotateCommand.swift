import CommandLineTool
import Sealing
import Storage
import ThreeDSIssuer

/// Replaces the keys of an ACS.
///
/// A rotation that was interrupted has left rows under an older key, or a key that no row uses. Then
/// the command completes it, and adds no other key.
struct RotateCommand: Command {
    static let name = "rotate"
    static let summary = "Add a key, and encrypt all rows of the store with it."
    static let discussion = """
        If the command was interrupted, repeat it: it continues, and does not add a \
        second key. Make a new backup of the key file afterwards. Keep the old keys as long as \
        backups of the store need them.

        Restart all nodes of the ACS afterwards: until then, a node can still use the old key. If \
        several nodes share the store, add the key and copy the key file to the others first:

            countersign-acs rotate --add-key  add a key to the key file
            countersign-acs rotate            encrypt all rows with the newest key

        With --values, the command adds a key for authentication values instead, which the store \
        contains. Values with the earlier keys stay valid. A node reads these keys when it starts: \
        restart all nodes afterwards, so that each of them knows the new key.

        A row that another program wrote is named and left as it is; the ACS does not accept it.

        \(Installation.storeOnly)
        """

    @Flag("add-key", help: "Only add a new key to the key file.") private var onlyAddsKey: Bool
    @Flag("values", help: "Add a key for authentication values instead.")
    private var addsValueKey: Bool
    @ConfigurationPath private var path: String

    func validate(for program: Program) throws(CommandFailure) {
        guard !onlyAddsKey || !addsValueKey else {
            throw CommandFailure(.usage, "--add-key and --values cannot be combined")
        }
    }

    func run(on terminal: Terminal) async throws(CommandFailure) {
        let installation = try Installation(readingFileAt: path)
        let keys = installation.configuration.encryptionKeys
        guard addsValueKey || keys.file != nil else { throw .needsKeyFile }
        try await installation.withStore { store throws(CommandFailure) in
            let rotation = Rotation(installation: installation, store: store, terminal: terminal)
            if addsValueKey {
                try await rotation.addValueKey()
            } else if onlyAddsKey {
                try await rotation.addKey()
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
            try await store.addValueKey()
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
            _ = try keys.addKey()
            rotation = try await sealAgain()
        }
        let start = isCompleted ? "Completed the last rotation: encrypted" : "Encrypted"
        let version = "version \(rotation.version) of the encryption key"
        try terminal.output.print(
            """
            \(start) \(counted(rotation.moved, "row")) with \(version).

            Next: back up \(keys.text), and restart all nodes of the ACS.
            """
        )
        guard rotation.forged.count == 0 else { throw .forged(rotation.forged) }
    }

    private func usesNewestKey() async throws(CommandFailure) -> Bool {
        try await installation.onStore { () async throws(StoreFailure) in
            try await store.usesNewestKey()
        }
    }

    private func sealAgain() async throws(CommandFailure) -> SealRotation {
        try await installation.onStore { () async throws(StoreFailure) in
            try await store.sealAgain()
        }
    }
}

extension CommandFailure {
    fileprivate static let needsKeyFile = CommandFailure(
        .usage,
        "rotate needs encryptionKeys to be a file, not a descriptor",
        hint: "use a separate configuration that names the file"
    )

    fileprivate static func forged(_ rows: ForgedRows) -> CommandFailure {
        let rest = rows.count > rows.names.count ? ", …" : ""
        return CommandFailure(
            .refused,
            "\(counted(rows.count, "row")) not changed, because another program wrote "
                + "\(rows.count == 1 ? "it" : "them"): \(rows.names.joined(separator: ", "))\(rest)",
            hint: "countersign-acs audit verify lists the findings"
        )
    }
}
