package import Cryptography
import TransactionApproval

/// Takes down outside of the database what the database committed.
///
/// What no backup may bring back to life is in the file before anybody is told of it; for all else
/// there is a checkpoint every `recordsBetween` records and as often as `checkpoint` is called. What
/// a crash left out is read from the audit trail when it goes on. No checkpoint is signed over a
/// trail that does not continue the one before it.
package actor Journal {
    static let recordsBetween: UInt64 = 1000
    static let recordsAtOnce = 500
    /// Half of the longest line that is read again.
    static let maximumBytesOfRecords = JournalFile.maximumBytesInLine / 2

    nonisolated let file: JournalFile
    private let store: any Database
    private let key: P256.PrivateKey
    private var end: JournalFile.End
    private var pass: Task<Result<Void, JournalFailure>, Never>?

    private init(
        _ file: JournalFile,
        end: JournalFile.End,
        signingWith key: P256.PrivateKey,
        over store: any Database
    ) {
        self.file = file
        self.end = end
        self.key = key
        self.store = store
    }

    /// Begins an empty store and a new file beside it.
    package static func begin(
        at path: String,
        signingWith key: P256.PrivateKey,
        over store: any Database
    ) async throws(JournalFailure) -> Journal {
        let id = try onThisMachine { () throws(CryptographyFailure) in try randomBytes(count: 16) }
        let state = try await write(store) { ledger throws(StoreFailure) in
            _ = try ledger.begin(id)
            return try ledger.state()
        }
        guard state.audit == .empty else { throw .storeInUse }
        return try await begin(at: path, signingWith: key, over: store, state.checkpoint)
    }

    /// Begins a further journal beside a store in use, which is taken for right as it is.
    ///
    /// For one more verifier of a store whose other journals agree with it; never for a store that
    /// came back from a backup, which has to be restored.
    package static func join(
        at path: String,
        signingWith key: P256.PrivateKey,
        over store: any Database
    ) async throws(JournalFailure) -> Journal {
        let state = try await read(store) { ledger throws(StoreFailure) in try ledger.state() }
        guard !state.isCopy else { throw .unrestored }
        return try await begin(at: path, signingWith: key, over: store, state.checkpoint)
    }

    static func begin(
        at path: String,
        signingWith key: P256.PrivateKey,
        over store: any Database,
        _ checkpoint: Checkpoint
    ) async throws(JournalFailure) -> Journal {
        let (file, end) = try await blocking { () throws(JournalFailure) in
            try JournalFile.create(at: path, beginningWith: checkpoint, signedBy: key)
        }
        return Journal(file, end: end, signingWith: key, over: store)
    }

    /// Opens the journal of a store, and refuses a store that is not what the journal saw.
    ///
    /// What it left out is caught up before it returns, and so every record since its last line is
    /// checked. Those before are not read again, which would take longer the older a store is: their
    /// last is the one that was signed, so a change among them stays one that an audit finds.
    package static func open(
        at path: String,
        signingWith key: P256.PrivateKey,
        over store: any Database
    ) async throws(JournalFailure) -> Journal {
        let (file, end) = try await blocking { () throws(JournalFailure) in
            let file = try JournalFile(path, signedBy: key.publicKey)
            return (file, try file.end())
        }
        try await check(end, over: store)
        let journal = Journal(file, end: end, signingWith: key, over: store)
        try await journal.checkpoint()
        return journal
    }

    /// Refuses a store that is not what the journal saw, and changes neither of them.
    package static func check(
        _ file: JournalFile,
        over store: any Database
    ) async throws(JournalFailure) {
        let end = try await blocking { () throws(JournalFailure) in try file.end() }
        try await check(end, over: store)
    }

    private static func check(
        _ end: JournalFile.End,
        over store: any Database
    ) async throws(JournalFailure) {
        guard let checkpoint = end.checkpoint else { throw .damagedLine(1) }
        let (refusal, state, endsAsStated) = try await read(store) { ledger throws(StoreFailure) in
            (try ledger.refusal(of: checkpoint), try ledger.state(), try ledger.endsAsStated())
        }
        if let refusal { throw refusal }
        guard !state.isCopy else { throw .unrestored }
        guard endsAsStated else { throw .brokenTrail(at: state.audit.sequence) }
    }

    /// Opens the journal of a store that is to be restored, and gives where it ends.
    ///
    /// A store that went on from there is caught up with first: what it did is not lost.
    static func openForRestoring(
        at path: String,
        signingWith key: P256.PrivateKey,
        over store: any Database
    ) async throws(JournalFailure) -> (file: JournalFile, end: JournalFile.End) {
        let (file, end) = try await blocking { () throws(JournalFailure) in
            let file = try JournalFile(path, signedBy: key.publicKey)
            return (file, try file.read())
        }
        let journal = Journal(file, end: end, signingWith: key, over: store)
        do throws(JournalFailure) {
            try await journal.checkpoint()
        } catch .forked {
            // What the store has instead is given up.
        }
        return (file, await journal.end)
    }

    /// Writes down all that is committed by now: every minute, and before the end.
    package func checkpoint() async throws(JournalFailure) {
        let head = try await Self.read(store) { ledger throws(StoreFailure) in
            try ledger.state().audit
        }
        try await follow(upTo: head.sequence)
    }

    /// Returns when all records up to `sequence` are taken down.
    func follow(upTo sequence: UInt64) async throws(JournalFailure) {
        while reached < sequence {
            // All who wait share one pass; who came after it began may need another.
            let isLast = pass == nil
            let pass = pass ?? Task { await catchUp() }
            self.pass = pass
            try await pass.value.get()
            if isLast, reached < sequence {
                throw .behind(store: reached, journal: sequence)
            }
        }
    }

    private var reached: UInt64 { end.checkpoint?.head.sequence ?? 0 }

    private func catchUp() async -> Result<Void, JournalFailure> {
        defer { pass = nil }
        do throws(JournalFailure) {
            while let batch = try await nextBatch() {
                let (file, key, end) = (file, key, end)
                self.end = try await Self.blocking { () throws(JournalFailure) in
                    try file.append(batch.checkpoint, batch.records, signedBy: key, after: end)
                }
            }
            return .success(())
        } catch {
            return .failure(error)
        }
    }

    private struct Batch: Sendable {
        let checkpoint: Checkpoint
        let records: [AuditRecord]
    }

    /// The records after the last checkpoint, which are still the ones that follow it.
    private func nextBatch() async throws(JournalFailure) -> Batch? {
        guard let last = end.checkpoint else { throw .damagedLine(1) }
        let read = try await Self.read(store) { ledger throws(StoreFailure) in
            (
                refusal: try ledger.refusal(of: last),
                state: try ledger.state(),
                records: try ledger.auditRecords(
                    after: last.head.sequence,
                    limit: Self.recordsAtOnce
                )
            )
        }
        if let refusal = read.refusal { throw refusal }
        var (head, kept, byteCount) = (last.head, [AuditRecord](), 0)
        for record in read.records {
            let follows = try onThisMachine { () throws(CryptographyFailure) in
                try head.precedes(record)
            }
            guard follows else { throw .brokenTrail(at: record.sequence) }
            if record.event.kind.isJournaled {
                byteCount += try JournalLine.byteCount(of: record)
                // One alone goes into a line of its own, whatever its size.
                guard kept.isEmpty || byteCount <= Self.maximumBytesOfRecords else { break }
                kept.append(record)
            }
            head = AuditHead(record)
        }
        guard head != last.head else { return nil }
        return Batch(
            checkpoint: Checkpoint(store: last.store, epoch: read.state.epoch, head: head),
            records: kept
        )
    }
}

extension Journal {
    static func blocking<Outcome: Sendable>(
        _ body: @escaping @Sendable () throws(JournalFailure) -> Outcome
    ) async throws(JournalFailure) -> Outcome {
        let result: Result<Outcome, JournalFailure>
        do throws(StoreFailure) {
            result = try await Thread.run { () throws(StoreFailure) in Result(catching: body) }
        } catch {
            throw .file(error)
        }
        return try result.get()
    }

    static func read<Outcome: Sendable>(
        _ store: any Database,
        _ work: @escaping @Sendable (Ledger) throws(StoreFailure) -> Outcome
    ) async throws(JournalFailure) -> Outcome {
        try await onStore { () throws(StoreFailure) in
            try await store.read { connection throws(StoreFailure) in
                try work(Ledger(connection))
            }
        }
    }

    static func write<Outcome: Sendable>(
        _ store: any Database,
        _ work: @escaping @Sendable (Ledger) throws(StoreFailure) -> Outcome
    ) async throws(JournalFailure) -> Outcome {
        try await onStore { () throws(StoreFailure) in
            try await store.write { connection throws(StoreFailure) in
                try work(Ledger(connection))
            }
        }
    }

    private static func onStore<Outcome>(
        _ body: () async throws(StoreFailure) -> Outcome
    ) async throws(JournalFailure) -> Outcome {
        do throws(StoreFailure) {
            return try await body()
        } catch {
            throw .store(error)
        }
    }
}
