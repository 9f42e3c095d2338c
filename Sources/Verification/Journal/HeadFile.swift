import Cryptography
import FailureTranslation
import PrivateFiles
import Storage
import TransactionApproval

/// The file with the last committed head whose results were returned.
///
/// The journal is signed only from time to time. Without this file, a copy of the store could start if
/// it is newer than the last line of the journal. It would accept a used code again. The file has a
/// fixed size and two slots. A write replaces the older one, so an
/// interrupted write leaves the other one.
struct HeadFile: Sendable {
    private static let slotByteCount = 512
    private static let label = "countersign head 1"
    private static let digestByteCount = 32

    private let file: PrivateFile
    private let unsynced = UnsyncedWrites()
    private let synchronise: Synchronising

    typealias Synchronising = @Sendable (PrivateFile) throws(FileFailure) -> Void

    enum Outcome: Equatable, Sendable {
        /// The file has this head on the disk: the given one, or a later one.
        case kept(Checkpoint)
        /// The given head was not written: the file has this one, which may belong to another trail.
        case found(Checkpoint)
    }

    /// Creates the file, or replaces it.
    static func create(
        ofJournal path: String,
        with checkpoint: Checkpoint
    ) throws(JournalFailure) {
        let new = try translating(
            IncompleteFile(replacing: self.path(ofJournal: path)),
            to: JournalFailure.headFile
        )
        let empty = [UInt8](repeating: 0, count: slotByteCount)
        let slots = try stored(checkpoint) + empty
        try translating(new.append(slots.span), to: JournalFailure.headFile)
        try translating(new.finish(), to: JournalFailure.headFile)
    }

    private static func path(ofJournal path: String) -> String { path + ".head" }

    /// Returns nil if the file does not exist.
    init?(
        ofJournal path: String,
        for access: PrivateFile.Access = .writing,
        synchronisingBy synchronise: @escaping Synchronising = { file throws(FileFailure) in
            try file.descriptor.synchroniseData()
        }
    ) throws(JournalFailure) {
        self.synchronise = synchronise
        do throws(FileFailure) {
            file = try PrivateFile(Self.path(ofJournal: path), for: access)
        } catch .missing {
            return nil
        } catch {
            throw .headFile(error)
        }
    }

    func last() throws(JournalFailure) -> Checkpoint {
        let slots = try translating(slots(), to: JournalFailure.headFile)
        guard let last = slots.compactMap(\.self).max(by: <) else { throw .lostHead }
        return last
    }

    /// Returns when the file has this head, or a later one of the same trail, on the disk.
    ///
    /// `known` is a head of that trail. Any other one in the file can show that the store was replaced:
    /// another process of this node returned results from it. So the caller must compare it first.
    @discardableResult
    func write(
        _ checkpoint: Checkpoint,
        over known: Checkpoint
    ) throws(JournalFailure) -> Outcome {
        let slot = try Self.stored(checkpoint)
        return try translating(
            file.descriptor.locked { () throws(FileFailure) in
                let slots = try slots()
                let last = slots.compactMap(\.self).max(by: <)
                if unsynced.mayExist, let last, let index = slots.firstIndex(of: last) {
                    try writeAgain(slot: index)
                }
                if let last, last.store == checkpoint.store {
                    guard last.leads(to: checkpoint, over: known) else { return .found(last) }
                    if !(last < checkpoint) { return .kept(last) }
                }
                let index = last != nil && slots[0] == last ? 1 : 0
                try file.descriptor.write(slot.span, at: index * Self.slotByteCount)
                try unsynced.end { () throws(FileFailure) in try synchronise(file) }
                return .kept(checkpoint)
            }.get(),
            to: JournalFailure.headFile
        )
    }

    private func writeAgain(slot index: Int) throws(FileFailure) {
        let offset = index * Self.slotByteCount
        let bytes = try file.descriptor.bytes(at: offset, atMost: Self.slotByteCount)
        try file.descriptor.write(bytes.span, at: offset)
        try unsynced.end { () throws(FileFailure) in try synchronise(file) }
    }

    /// Nil for a slot that is empty, or that was not written completely.
    private func slots() throws(FileFailure) -> [Checkpoint?] {
        let bytes = try file.descriptor.bytes(at: 0, atMost: 2 * Self.slotByteCount)
        return [0, 1].map { index in
            let slot = bytes.dropFirst(index * Self.slotByteCount).prefix(Self.slotByteCount)
            return Self.checkpoint(in: Array(slot))
        }
    }

    private static func stored(_ checkpoint: Checkpoint) throws(JournalFailure) -> [UInt8] {
        var writer = FieldWriter(reserving: slotByteCount)
        writer.append(label)
        writer.append(checkpoint)
        let digest = try translatingSystemFailure(writer.sha256().array, to: JournalFailure.system)
        writer.append(digest)
        let padding = slotByteCount - writer.bytes.count
        return writer.bytes + [UInt8](repeating: 0, count: padding)
    }

    private static func checkpoint(in slot: [UInt8]) -> Checkpoint? {
        var reader = FieldReader(slot)
        // `try?`: the slot is not complete, whatever is wrong with it.
        guard
            let label = try? reader.text(atMost: slotByteCount), label == Self.label,
            let store = try? reader.field(atMost: slotByteCount),
            let epoch = try? reader.number(UInt64.self),
            let sequence = try? reader.number(UInt64.self), let moment = try? reader.moment(),
            let hash = try? reader.field(atMost: slotByteCount)
        else { return nil }
        let checkpoint = Checkpoint(
            store: store,
            epoch: Epoch(epoch),
            head: AuditHead(sequence: sequence, moment: moment, hash: hash)
        )
        guard let written = try? stored(checkpoint), written == slot else { return nil }
        return checkpoint
    }
}

extension Checkpoint {
    /// A restore begins an epoch, and can end the trail earlier.
    static func < (first: Checkpoint, second: Checkpoint) -> Bool {
        (first.epoch.value, first.head.sequence) < (second.epoch.value, second.head.sequence)
    }

    /// Whether this head of the file and a new one are on one trail, as far as `known` shows it.
    ///
    /// A head of an earlier epoch was compared at the start.
    fileprivate func leads(to new: Checkpoint, over known: Checkpoint) -> Bool {
        if epoch.value < new.epoch.value || self == new { return true }
        return self == known && epoch == new.epoch && head.sequence != new.head.sequence
    }
}

/// Writes heads to their file, the last one for all callers that wait.
final class HeadWriter: Sendable {
    private struct Waiter: Sendable {
        let checkpoint: Checkpoint
        let continuation: CheckedContinuation<Result<HeadFile.Outcome, JournalFailure>, Never>
    }

    private let queue = WorkQueue<Waiter>()
    /// The last head of the file that is on the trail of the store.
    private let known: LockedValue<Checkpoint>

    init(_ file: HeadFile, over known: Checkpoint) throws(JournalFailure) {
        let known = LockedValue(known)
        self.known = known
        try translating(
            queue.startThread(takingUpTo: .max) { waiters in
                Self.serve(waiters, file, known)
            } end: {
            }
        ) { (failure: ThreadUnavailable) in
            JournalFailure.file(.errorNumber(failure.errorNumber))
        }
    }

    deinit {
        queue.refuse()
    }

    private static func serve(
        _ waiters: [Waiter],
        _ file: HeadFile,
        _ known: LockedValue<Checkpoint>
    ) {
        guard let last = waiters.map(\.checkpoint).max(by: <) else { return }
        let result = Result { () throws(JournalFailure) in
            try file.write(last, over: known.withLock { $0 })
        }
        if case .success(.kept(let kept)) = result { known.withLock { $0 = kept } }
        for waiter in waiters { waiter.continuation.resume(returning: result) }
    }

    /// The last head that the file and the trail of the store are known to have.
    var last: Checkpoint { known.withLock { $0 } }

    /// Returns when this head, or a later one, is on the disk, or if the file has an unknown one.
    func write(_ checkpoint: Checkpoint) async throws(JournalFailure) -> HeadFile.Outcome {
        let result: Result<HeadFile.Outcome, JournalFailure> = await withCheckedContinuation {
            continuation in
            let waiter = Waiter(checkpoint: checkpoint, continuation: continuation)
            guard !queue.append(waiter) else { return }
            continuation.resume(returning: .failure(.file(.cancelled)))
        }
        return try result.get()
    }

    /// Notes that a head, which the file had, is on the trail of the store.
    func accept(_ found: Checkpoint) { known.withLock { $0 = found } }

    /// Returns when all heads are written and the thread has ended.
    func close() async { await queue.close() }
}
