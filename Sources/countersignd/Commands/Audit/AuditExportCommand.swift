import CommandLineTool
import ConfigurationFiles
import PrivateFiles
import Storage
import Verification

struct AuditExportCommand: Command {
    static let name = "audit export"
    static let summary = "Export the audit trail as JSON, one record per line."
    static let discussion = """
        To continue an earlier export, give the number of its last record:

            countersignd audit export --after 120000 --output /srv/audit/120001.jsonl

        The output file is private, and appears only when it is complete.

        Exits with 1 if the trail is broken or incomplete, differs from the journal, or if another \
        program wrote a record. All readable records are still exported, up to the end that the \
        store states. Exits with 66 if the file of the encryption keys is missing. If \
        encryptionKeys is a descriptor, the command does not read it. Then it prints up to which \
        record the journal has signed: later ones can be forged. Over the network, verify the \
        exported records yourself.

        \(EndpointOptions.discussion) The token needs the role auditor for all enterprises.
        """

    @Option("after", help: "Start after this record. Default: start at the first record.")
    private var after: UInt64?
    @Option("output", short: "o", help: "The file to create. Default: standard output.")
    private var output: FilePath?
    private let endpoint = EndpointOptions()

    private typealias Write = AuditTrailDownload.Write

    func validate(for program: Program) throws(CommandFailure) {
        try endpoint.validated()
    }

    func run(on terminal: Terminal) async throws(CommandFailure) {
        let endpoint = try endpoint.endpoint()
        try endpoint.showPlace(on: terminal)
        guard let fault = try await export(from: endpoint, on: terminal) else { return }
        throw CommandFailure(
            .refused,
            "\(fault); all readable records are exported",
            hint: "countersignd audit verify lists the findings"
        )
    }

    /// Returns the fault of the trail.
    private func export(
        from endpoint: APIEndpoint,
        on terminal: Terminal
    ) async throws(CommandFailure) -> String? {
        guard let path = output?.text else {
            return try await export(from: endpoint, terminal) { lines throws(CommandFailure) in
                try terminal.output.write(json: String(decoding: lines, as: UTF8.self))
            }
        }
        let file = try onNewFile(path, try IncompleteFile(for: path))
        let fault = try await export(from: endpoint, terminal) { lines throws(CommandFailure) in
            try onNewFile(path, try file.append(lines.span))
        }
        try onNewFile(path, try file.finish())
        return fault
    }

    private func export(
        from endpoint: APIEndpoint,
        _ terminal: Terminal,
        to write: Write
    ) async throws(CommandFailure) -> String? {
        switch endpoint {
        case .server(let verifier):
            try await download(AuditTrailDownload(connection: try verifier.connection()), write)
            return nil
        case .store(let installation):
            return try await installation.withComparedStore {
                store,
                journal,
                difference throws(CommandFailure) in
                let (keyed, forged) = try await installation.keyed(store)
                let fault = try await export(keyed, of: installation, write)
                let found = fault ?? difference?.message ?? forged
                // A journal that differs proves nothing about this store.
                if keyed.keys == nil, fault == nil, difference == nil {
                    let last = try installation.onJournalFile(try journal.lastCheckpoint()).head
                    try terminal.messages.print(
                        "Not checked: the tags of the records. Signatures cover the records up to "
                            + "\(last.sequence)."
                    )
                }
                return found
            }
        }
    }

    private func download(
        _ trail: AuditTrailDownload,
        _ write: Write
    ) async throws(CommandFailure) {
        var last = after ?? 0
        do throws(CommandFailure) {
            try await trail.write(after: &last, to: write)
        } catch {
            // An incomplete file is deleted, so there is nothing to continue.
            guard output == nil, last > after ?? 0 else { throw error }
            let rest = "continue with --after \(last)"
            let hint = error.hint.map { "\($0); \(rest)" } ?? rest
            throw CommandFailure(error.exitCode, error.message, hint: hint)
        }
    }

    private func export(
        _ store: KeyedStore,
        of installation: Installation,
        _ write: Write
    ) async throws(CommandFailure) -> String? {
        let last = try await installation.state(of: store.database).audit.sequence
        if let after, after > last { throw .noRecord(last: last) }
        var export = try await installation.onStore(
            try await AuditExport(of: store, after: after ?? 0)
        )
        while let lines = try await installation.onStore(try await export.next()) {
            try write(lines)
        }
        return export.firstBroken.map { "the trail is broken at record \($0)" }
            ?? export.firstForged.map { "another program wrote record \($0)" }
    }
}

extension Installation {
    /// With the available keys; without them, and a fault, if the verifier's own row is not authentic.
    fileprivate func keyed(
        _ database: any Database
    ) async throws(CommandFailure) -> (store: KeyedStore, fault: String?) {
        guard let keys = try availableKeys() else { return (KeyedStore(database), nil) }
        let store = KeyedStore(database, keys)
        let isAuthentic = try await onStore(
            try await store.read { ledger throws(StoreFailure) in try ledger.hasAuthenticState() }
        )
        return isAuthentic ? (store, nil) : (KeyedStore(database), AuditFinding.unauthenticState)
    }
}

extension CommandFailure {
    /// A store that was replaced by a backup lacks records that were exported.
    fileprivate static func noRecord(last: UInt64) -> CommandFailure {
        CommandFailure(
            .noInput,
            "there is no such record: the last one is \(last)",
            hint: "after a restore, continue after the last record of the backup"
        )
    }
}
