import CommandLineTool
import Verification

/// Moves every secret of the store to a newer key, in steps of which each says the next.
///
/// Adding a key and using it are two steps, since the other verifiers of the store need it before
/// anything is sealed under it. Removing the old ones is a third: backups that were made before need
/// them.
struct RotateCommand: Command {
    static let name = "rotate"
    static let summary = "Seal everything in the store under a newer encryption key."
    static let discussion = """
        The whole way, while decisions go on:

            countersignd rotate --add-key          adds one to the file of keys
            countersignd rotate                    moves everything to the newest key
            countersignd rotate --remove-old-keys  once no backup from before is needed

        Where several verifiers share the store, copy the file of keys to the others after the
        first step. They read it again when they meet something under the newer key. Stop a
        countersignd load that was begun before: it goes on where it was stopped. Each step may be
        stopped, and repeated. After the last, whatever still seals under an old key is refused.

        \(Installation.storeAlone)
        """

    static let addKey = Flag("add-key", help: "Only add a newer key to the file of keys.")
    static let removeOldKeys = Flag(
        "remove-old-keys",
        help: "Remove older keys from the file in the end, if nothing is under them."
    )
    static let parameters: [any Parameter] = [addKey, removeOldKeys, Configuration.option]

    private enum Step {
        case add, move, remove
    }

    private let path: String
    private let step: Step

    init(_ arguments: ParsedArguments) throws(CommandFailure) {
        path = try Configuration.path(in: arguments)
        switch (arguments[Self.addKey], arguments[Self.removeOldKeys]) {
        case (false, false): step = .move
        case (true, false): step = .add
        case (false, true): step = .remove
        case (true, true):
            let message = "--add-key and --remove-old-keys are two steps, with one between them"
            throw CommandFailure(.usage, message)
        }
    }

    func run(on terminal: Terminal) async throws(CommandFailure) {
        let configuration = try Configuration(readingFileAt: path)
        guard configuration.keyDescriptor == nil else { throw .needsKeyFile }
        let installation = Installation(configuration: configuration)
        let rotation = Rotation(installation: installation, terminal: terminal)
        try await installation.withVerifier { verifier throws(CommandFailure) in
            switch step {
            case .add: try await rotation.addKey(for: verifier)
            case .move: try await rotation.move(in: verifier)
            case .remove: try await rotation.removeOldKeys(of: verifier)
            }
        }
    }
}

/// The steps, and what is said of them.
private struct Rotation {
    let installation: Installation
    let terminal: Terminal

    private var path: String { installation.configuration.encryptionKeys }

    func addKey(for verifier: Verifier) async throws(CommandFailure) {
        let newest = try installation.encryptionKeys().newestVersion
        // Repeated, it does not add a second one.
        let version =
            try await counts(in: verifier)[newest] == nil
            ? newest
            : try installation.onKeyFile(path) { () throws(KeyFile.Failure) in
                try KeyFile.addEncryptionKey(at: path)
            }
        try terminal.output.print(
            """
            Version \(version) of the encryption key is in \(path).

            Next: back this file up, copy it to all other verifiers of the store, begin
            every countersignd load again, and then run countersignd rotate.
            """
        )
    }

    func move(in verifier: Verifier) async throws(CommandFailure) {
        let rotation = try await rotate(verifier)
        let newest = "version \(rotation.version) of the encryption key"
        let count = rotation.counts[rotation.version] ?? 0
        guard rotation.moved > 0 else {
            return try terminal.output.print(
                """
                Nothing to do: all is under \(newest).
                countersignd rotate --add-key begins with a newer one.
                """
            )
        }
        try terminal.output.print(
            """
            Moved \(rotation.moved) of \(counted(count, "secret")) to \(newest).
            None is under an older one.

            Next: make a new backup. Once none from before is needed any more, run
            countersignd rotate --remove-old-keys.
            """
        )
    }

    func removeOldKeys(of verifier: Verifier) async throws(CommandFailure) {
        let rotation = try await rotate(verifier)
        let isEnded = try await installation.onVerifier { () throws(Verifier.Failure) in
            try await verifier.endKeys(olderThan: rotation.version, by: .operatorCommand)
        }
        guard isEnded else { throw .usesOldKeys }
        try installation.onKeyFile(path) { () throws(KeyFile.Failure) in
            try KeyFile.removeEncryptionKeys(olderThan: rotation.version, at: path)
        }
        try terminal.output.print(
            "Only version \(rotation.version) of the encryption key is in \(path) now."
        )
    }

    /// A rotation that left nothing under an older key.
    private func rotate(_ verifier: Verifier) async throws(CommandFailure) -> KeyRotation {
        let newest = try installation.encryptionKeys().newestVersion
        let older = try await counts(in: verifier).filter { $0.key != newest }.values.reduce(0, +)
        let rotation = try await move(older, in: verifier)
        guard rotation.unopened == 0 else {
            throw CommandFailure(
                .malformedInput,
                "\(counted(rotation.unopened, "secret")) did not open under the keys in \(path)",
                hint: "put the keys back that are missing there; all other secrets were moved"
            )
        }
        guard rotation.isComplete else { throw .usesOldKeys }
        return rotation
    }

    private func move(
        _ count: Int,
        in verifier: Verifier
    ) async throws(CommandFailure) -> KeyRotation {
        let bar = ProgressBar("Moving", on: terminal)
        defer { bar.clear() }
        return try await installation.onVerifier { () throws(Verifier.Failure) in
            try await verifier.rotateKeys(by: .operatorCommand) { rotation in
                bar.show(rotation.moved + rotation.unopened, of: count)
            }
        }
    }

    private func counts(in verifier: Verifier) async throws(CommandFailure) -> [UInt32: Int] {
        try await installation.onVerifier { () throws(Verifier.Failure) in
            try await verifier.sealedCounts()
        }
    }
}

extension CommandFailure {
    fileprivate static let needsKeyFile = CommandFailure(
        .usage,
        "rotate needs the file of the encryption keys, not a descriptor",
        hint: "name it as encryptionKeys in a configuration for this command alone"
    )
    fileprivate static let usesOldKeys = CommandFailure(
        .tryLater,
        "a verifier or a load still seals secrets under another key",
        hint: "begin every load again, see that each verifier has this file, and repeat the command"
    )
}
