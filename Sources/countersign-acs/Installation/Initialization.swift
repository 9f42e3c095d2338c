import CommandLineTool
import ConfigurationFiles
import Cryptography
import Glibc
import PrivateFiles
import Sealing

/// Creates the missing files of an ACS, in an order that makes the command repeatable.
///
/// Each file exists completely or not at all, and no file is overwritten. The keys come before the
/// store, which they encrypt.
struct Initialization {
    let configuration: Configuration
    let terminal: Terminal

    func run() async throws(CommandFailure) {
        for path in configuration.files { removeLeftovers(of: path) }
        if case .sqlite(let path) = configuration.store { removeLeftovers(of: path) }
        let hasStore = try await hasStore()
        let earlierKeys = hasStore ? nil : try earlierKeys()
        try createEncryptionKeys(hasStore: hasStore)
        if let issuer = configuration.issuer {
            try createMissing(issuer.token) { path throws(CommandFailure) in
                try createToken(at: path)
            }
        }
        try await createStore()
        if let earlierKeys { try warn(of: earlierKeys) }
    }

    /// The file of the keys, if it exists without its store.
    ///
    /// Only a store has its keys changed, so keys after the first one show that a store was lost. An
    /// interrupted init leaves the first key.
    private func earlierKeys() throws(CommandFailure) -> String? {
        let keys = configuration.encryptionKeys
        guard case .sqlite = configuration.store, let path = keys.file, access(path, F_OK) == 0
        else { return nil }
        guard try keys.opened().newestVersion == 1 else {
            throw CommandFailure(
                .noInput,
                "\(path) has keys of an earlier store, but \(configuration.store.place.name) does not exist",
                hint: """
                    mount the disk of the store, or restore the backup; for a new ACS, move the \
                    file of its keys away
                    """
            )
        }
        return path
    }

    private func warn(of earlierKeys: String) throws(CommandFailure) {
        try terminal.messages.print(
            """
            warning: \(configuration.store.place.name.onOneLine) is new and empty, but its keys existed: \
            \(earlierKeys.onOneLine)
            """
        )
        try terminal.messages.print(
            """
            hint: if this ACS had a store, remove the new one, and mount the disk of the old one \
            or restore the backup
            """
        )
    }

    private func createStore() async throws(CommandFailure) {
        if case .sqlite(let path) = configuration.store { try makeFolder(of: path) }
        let isNew = try await Installation(configuration: configuration).createStore()
        try report(isNew ? "created" : "found", configuration.store.place.name)
    }

    private func createEncryptionKeys(hasStore: Bool) throws(CommandFailure) {
        guard let path = configuration.encryptionKeys.file else {
            return try report("found", configuration.encryptionKeys.text)
        }
        guard !hasStore || access(path, F_OK) == 0 else {
            throw CommandFailure(
                .noInput,
                "the store exists, but its key \(path) does not",
                hint: "restore the key from the backup of the keys: a new key cannot replace it"
            )
        }
        try createMissing(path) { path throws(CommandFailure) in
            do throws(KeyFile.Failure) {
                try KeyFile.createEncryptionKeys(at: path)
            } catch {
                throw CommandFailure(error, creating: path)
            }
        }
    }

    private func hasStore() async throws(CommandFailure) -> Bool {
        if case .sqlite(let path) = configuration.store { return access(path, F_OK) == 0 }
        return try await Installation(configuration: configuration).hasTables()
    }

    private func createMissing(
        _ path: String,
        _ create: (String) throws(CommandFailure) -> Void
    ) throws(CommandFailure) {
        guard access(path, F_OK) != 0 else { return try report("found", path) }
        try makeFolder(of: path)
        try create(path)
        try report("created", path)
    }

    /// A random token that only its owner can read.
    private func createToken(at path: String) throws(CommandFailure) {
        let bytes = try onSystem(try SecureBytes.random(count: Self.tokenByteCount))
        let text = try onSystem(
            try bytes.withBytes { bytes throws(CryptographyFailure) in
                try TextEncoding.base64URL.encode(secret: bytes)
            }
        )
        try text.withBytes { text throws(CommandFailure) in
            let file = try onNewFile(path, try IncompleteFile(for: path))
            try onNewFile(path, try file.append(text))
            try onNewFile(path, try file.append([KeyFile.newline].span))
            try onNewFile(path, try file.finish())
        }
    }

    private static let tokenByteCount = 32

    private func report(_ action: String, _ name: String) throws(CommandFailure) {
        let padding = String(repeating: " ", count: "created".count - action.count)
        try terminal.output.print("\(action)\(padding)  \(name.onOneLine)")
    }
}

private func onSystem<Outcome: ~Copyable>(
    _ body: @autoclosure () throws(CryptographyFailure) -> Outcome
) throws(CommandFailure) -> Outcome {
    try translatingSystemFailure(body(), to: CommandFailure.init(_:))
}

extension CommandFailure {
    fileprivate init(_ failure: KeyFile.Failure, creating path: String) {
        switch failure {
        case .system(let failure): self.init(failure)
        case .file(let failure): self.init(failure, creating: path)
        // The other failures are about content that exists.
        default: self.init(.internalFailure, "cannot create \(path)")
        }
    }
}
