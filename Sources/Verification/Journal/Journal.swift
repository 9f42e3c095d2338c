package import Cryptography
import FailureTranslation
import PrivateFiles
import Storage
import TransactionApproval

/// Writes committed changes to a file outside the database.
///
/// Changes that a backup must not undo are in the file before they are reported to a caller. A file
/// next to it has the last head whose results were returned, see `HeadFile`. For all
/// other changes there is a checkpoint every `recordsBetween` records and at each call of
/// `checkpoint`. After a crash the journal reads missing records from the audit trail. It signs a
/// checkpoint only if the trail continues the one before it.
package actor Journal {
    static let recordsBetween: UInt64 = 1000
    static let recordsAtOnce = 500
    /// A single longer record gets a line of its own.
    static let maximumBytesOfRecords = 512 << 10

    package nonisolated let file: JournalFile
    /// The newest record that the store was found to have when the journal was opened.
    nonisolated let known: AuditHead
    private let store: KeyedStore
    private let key: P256.PrivateKey
    private let heads: HeadWriter
    private var end: JournalFile.End
    private var pass: Task<Result<Void, JournalFailure>, Never>?

    private init(
        _ file: JournalFile,
        end: JournalFile.End,
        returned: Checkpoint? = nil,
        signingWith key: P256.PrivateKey,
        over store: KeyedStore
    ) throws(JournalFailure) {
        guard let signed = end.checkpoint else { throw .damagedLine(1) }
        let returned = returned ?? signed
        known = (signed < returned ? returned : signed).head
        self.file = file
        self.end = end
        self.key = key
        self.store = store
        heads = try HeadWriter(file.requiredHeadFile(after: end), over: returned)
    }

    /// Call it when the verifier is no longer used.
    package func close() async { await heads.close() }

    /// Initializes an empty store and creates its journal.
    package static func begin(
        at path: String,
        signingWith key: P256.PrivateKey,
        over store: KeyedStore
    ) async throws(JournalFailure) -> Journal {
        let id = try translatingSystemFailure(randomBytes(count: 16), to: JournalFailure.system)
        let state = try await onStore(
            try await store.write { ledger throws(StoreFailure) in
                _ = try ledger.begin(id)
                return try ledger.state()
            }
        )
        guard state.audit == .empty else { throw .storeInUse }
        return try await begin(at: path, signingWith: key, over: store, state.checkpoint)
    }

    /// Creates a further journal for a store in use, and trusts its current state.
    ///
    /// Use it for one more verifier of a store whose other journals agree with it. Never use it for a
    /// backup, which must be restored.
    package static func join(
        at path: String,
        signingWith key: P256.PrivateKey,
        over store: KeyedStore
    ) async throws(JournalFailure) -> Journal {
        let state = try await state(of: store)
        guard !state.isBackup else { throw .unrestored }
        return try await begin(at: path, signingWith: key, over: store, state.checkpoint)
    }

    static func begin(
        at path: String,
        signingWith key: P256.PrivateKey,
        over store: KeyedStore,
        _ checkpoint: Checkpoint
    ) async throws(JournalFailure) -> Journal {
        let (file, end) = try await blocking { () throws(JournalFailure) in
            try JournalFile.create(at: path, beginningWith: checkpoint, signedBy: key)
        }
        return try Journal(file, end: end, signingWith: key, over: store)
    }

    /// Opens the journal of a store; fails if the store contradicts the journal.
    ///
    /// It adds and checks all records since its last line. It does not read the earlier records
    /// again: that would take longer for older stores. The last of them is signed, so an audit
    /// finds a change among them.
    package static func open(
        at path: String,
        signingWith key: P256.PrivateKey,
        over store: KeyedStore
    ) async throws(JournalFailure) -> Journal {
        let file = try await blocking { () throws(JournalFailure) in
            try JournalFile(path, signedBy: key.publicKey)
        }
        let (end, returned) = try await found(file, over: store)
        let journal = try Journal(
            file,
            end: end,
            returned: returned,
            signingWith: key,
            over: store
        )
        try await journal.checkpoint()
        return journal
    }

    /// Fails if the store contradicts the journal.
    ///
    /// It changes neither.
    @discardableResult
    package static func check(
        _ file: JournalFile,
        over store: KeyedStore
    ) async throws(JournalFailure) -> JournalFile.End {
        try await found(file, over: store).end
    }

    private static func found(
        _ file: JournalFile,
        over store: KeyedStore
    ) async throws(JournalFailure) -> (end: JournalFile.End, returned: Checkpoint) {
        let (end, returned) = try await blocking { () throws(JournalFailure) in
            (try file.end(), try file.headFile().last())
        }
        guard let checkpoint = end.checkpoint else { throw .damagedLine(1) }
        let failure = try await onStore(
            try await store.read { ledger throws(StoreFailure) -> JournalFailure? in
                if case .refused(let failure) = try ledger.check(checkpoint) { return failure }
                let state = try ledger.state()
                if state.isBackup { return .unrestored }
                let found = try ledger.check(returned: returned, after: checkpoint)
                if case .refused(let failure) = found { return failure }
                return try ledger.endsAsStated() ? nil : .brokenTrail(at: state.audit.sequence)
            }
        )
        if let failure { throw failure }
        return (end, returned)
    }

    /// Lets the journal of a store that will be restored catch up, and returns its new end.
    ///
    /// If the store has continued from the journal's end, nothing is lost.
    static func catchUp(
        _ file: JournalFile,
        after end: JournalFile.End,
        signingWith key: P256.PrivateKey,
        over store: KeyedStore
    ) async throws(JournalFailure) -> JournalFile.End {
        let journal = try Journal(file, end: end, signingWith: key, over: store)
        do throws(JournalFailure) {
            try await journal.checkpoint()
        } catch .forked {
            // The restore discards the store's other records.
        }
        return await journal.end
    }

    /// Writes everything that is committed by now.
    ///
    /// Call it every minute, and before the end.
    package func checkpoint() async throws(JournalFailure) {
        try await follow(upTo: try await Self.state(of: store).audit.sequence)
    }

    /// Returns the head of the file of the last head when it has this one, or a later one.
    ///
    /// Fails with `rolledBack` if the file has the head of a result that the trail lacks.
    nonisolated func keep(_ returned: Checkpoint) async throws(JournalFailure) -> Checkpoint {
        while true {
            switch try await heads.write(returned) {
            case .kept(let kept): return kept
            case .found(let other):
                try await compare(other, returned)
                heads.accept(other)
                // A busy node replaces the file's head during each comparison.
                if returned < other { return other }
            }
        }
    }

    /// Fails unless the records of the store lead from one of two heads to the other.
    ///
    /// A comparison of the stored hashes is not enough: a writer could exchange them meanwhile.
    private nonisolated func compare(
        _ first: Checkpoint,
        _ second: Checkpoint
    ) async throws(JournalFailure) {
        guard first.epoch == second.epoch else { throw .store(.rolledBack) }
        let isOrdered = first < second
        var head = (isOrdered ? first : second).head
        let end = (isOrdered ? second : first).head
        while head.sequence < end.sequence {
            let (last, missing) = (head.sequence, end.sequence - head.sequence)
            let limit = Int(min(missing, UInt64(Self.recordsAtOnce)))
            let records = try await Self.onStore(
                try await store.read { ledger throws(StoreFailure) in
                    try ledger.auditRecords(after: last, limit: limit)
                }
            )
            guard !records.isEmpty else { throw .store(.rolledBack) }
            for record in records {
                let follows = try translatingSystemFailure(
                    head.precedes(record),
                    to: JournalFailure.system
                )
                guard follows else { throw .store(.rolledBack) }
                head = AuditHead(record)
            }
        }
        guard head == end else { throw .store(.rolledBack) }
    }

    /// Returns when the journal contains all records up to `sequence`.
    func follow(upTo sequence: UInt64) async throws(JournalFailure) {
        while reached < sequence {
            // Callers share one pass; a caller that came after its start may need another.
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

    /// The next records after the last checkpoint, after checking their hashes.
    ///
    /// A store that lost a returned result can have grown since, by another node. To sign its trail
    /// would hide the loss.
    private func nextBatch() async throws(JournalFailure) -> Batch? {
        guard let last = end.checkpoint else { throw .damagedLine(1) }
        let returned = heads.last
        let read = try await Self.onStore(
            try await store.read { ledger throws(StoreFailure) in
                (
                    results: [
                        try ledger.check(last), try ledger.check(returned: returned, after: last),
                    ],
                    state: try ledger.state(),
                    records: try ledger.auditRecords(
                        after: last.head.sequence,
                        limit: Self.recordsAtOnce
                    )
                )
            }
        )
        for case .refused(let failure) in read.results { throw failure }
        var (head, kept, byteCount) = (last.head, [AuditRecord](), 0)
        for record in read.records {
            let follows = try translatingSystemFailure(
                head.precedes(record),
                to: JournalFailure.system
            )
            guard follows else { throw .brokenTrail(at: record.sequence) }
            if record.event.kind.isJournaled {
                byteCount += try JournalLine.byteCount(of: record)
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
        try await translatingAsync(await Thread.run(body)) { (failure: ThreadUnavailable) in
            JournalFailure.file(.errorNumber(failure.errorNumber))
        }.get()
    }

    nonisolated(nonsending) static func onStore<Outcome>(
        _ body: @autoclosure () async throws(StoreFailure) -> Outcome
    ) async throws(JournalFailure) -> Outcome {
        try await translatingAsync(await body(), to: JournalFailure.store)
    }

    static func state(of store: KeyedStore) async throws(JournalFailure) -> StoreState {
        try await onStore(
            try await store.read { ledger throws(StoreFailure) in try ledger.state() }
        )
    }
}
