import PrivateFiles
import Storage

/// The ids of the store, and the rows that this process has seen committed.
///
/// A row with its tag is still authentic if an attacker puts back an earlier one. So a row is rejected
/// if this process has seen a later version of it. The memory is bounded: the rows that were not used
/// for the longest time are forgotten, and an audit finds those. Counters, locks, devices and tokens
/// have a larger memory of their own, so that payments do not displace them.
///
/// Rows and their columns are known by hashes, which no attacker can compute: the key of `Hasher` is
/// random for each process.
final class StoreMemory: Sendable {
    /// Twice what a dictionary of 2^17 places takes: 32 bytes each, so 8 MiB in all.
    static let maximumRows = 2 * 98_304
    /// Twice what a dictionary of 2^20 places takes: 64 MiB in all.
    static let maximumLastingRows = 2 * 786_432

    /// The memory of one row.
    private struct Entry {
        let version: UInt64
        /// The hash of its columns.
        let columns: Int
        /// The moment from which transactions must see this version.
        let moment: UInt64
    }

    private let lock = Lock()
    // Only touched while `lock` is held.
    private nonisolated(unsafe) var names: StoreNames?
    /// The names of rows that the last audit found: they are authentic, but not the last versions.
    private nonisolated(unsafe) var distrusted: Set<String> = []
    private nonisolated(unsafe) var moment: UInt64 = 0
    private nonisolated(unsafe) var rows: RecentEntries<Int, Entry>
    private nonisolated(unsafe) var lastingRows: RecentEntries<Int, Entry>

    init(
        maximumRows: Int = maximumRows,
        maximumLastingRows: Int = maximumLastingRows
    ) {
        rows = RecentEntries(maximum: maximumRows)
        lastingRows = RecentEntries(maximum: maximumLastingRows)
    }

    /// The memory as of the beginning of a transaction, which cannot see later commits.
    struct View: Sendable {
        private let memory: StoreMemory
        private let moment: UInt64
        private let distrusted: Set<String>

        fileprivate init(
            _ memory: StoreMemory,
            at moment: UInt64,
            distrusting distrusted: Set<String>
        ) {
            self.memory = memory
            self.moment = moment
            self.distrusted = distrusted
        }

        /// Whether an audit found that the row contradicts the trail.
        func distrusts(_ part: TaggedPart, _ key: [SQLValue]) -> Bool {
            !distrusted.isEmpty && distrusted.contains(part.description(of: key))
        }

        var storeNames: StoreNames? { memory.storeNames }

        /// Nil if the row was not seen, or is forgotten.
        func find(_ name: RowName) -> RememberedRow? {
            memory.lock.locked { memory.use(name) }.map { entry in
                RememberedRow(
                    version: entry.version,
                    columns: entry.columns,
                    isVisible: entry.moment <= moment
                )
            }
        }

        func remember(_ rows: SeenRows) { memory.remember(rows) }
    }

    /// Nil before the first transaction.
    var storeNames: StoreNames? { lock.locked { names } }

    func remember(_ names: StoreNames) {
        lock.locked { self.names = names }
    }

    /// Call it before a transaction that reads, and within one that writes: no other transaction can
    /// commit then.
    func view() -> View {
        let (moment, distrusted) = lock.locked { (self.moment, self.distrusted) }
        return View(self, at: moment, distrusting: distrusted)
    }

    /// Rejects these rows from now on, and no others.
    func distrust(_ rows: Set<String>) { lock.locked { distrusted = rows } }

    /// Remembers the new rows of a transaction, after its commit.
    func remember(_ rows: SeenRows) {
        guard !rows.isEmpty else { return }
        lock.locked {
            moment += 1
            for (name, row) in rows {
                let entry = Entry(
                    version: row.version,
                    columns: row.columnsHash,
                    moment: moment
                )
                // A slow reader can have read an earlier version.
                if name.part.isLasting {
                    lastingRows.keep(entry, for: name.hash) { $0.version >= entry.version }
                } else {
                    self.rows.keep(entry, for: name.hash) { $0.version >= entry.version }
                }
            }
        }
    }

    /// The entry of a row, which is forgotten later because of this use.
    ///
    /// Only called while `lock` is held.
    private func use(_ name: RowName) -> Entry? {
        name.part.isLasting ? lastingRows.use(name.hash) : rows.use(name.hash)
    }
}

/// A row as this process has seen it committed.
struct RememberedRow {
    fileprivate let version: UInt64
    fileprivate let columns: Int
    /// Whether the transaction must see it.
    fileprivate let isVisible: Bool

    /// The version that the transaction must see at least; nil if the row was committed later.
    var minimumVersion: UInt64? { isVisible ? version : nil }

    func isSame(as row: KnownRow) -> Bool { version == row.version && columns == row.columnsHash }
}

extension KnownRow {
    fileprivate var columnsHash: Int {
        var hasher = Hasher()
        digests.withUnsafeBytes { hasher.combine(bytes: $0) }
        return hasher.finalize()
    }
}

/// The rows that a transaction has read or written, by their names.
typealias SeenRows = [(name: RowName, row: KnownRow)]

extension TaggedPart {
    /// Whether rows change, so that an earlier version can be put back.
    var isRemembered: Bool {
        switch self {
        case .enterprise, .account, .activation, .device, .notifications, .credential, .failures,
            .transaction, .login, .bankToken, .requestedCall, .verifier:
            true
        case .attempt, .call, .record: false
        }
    }

    /// Whether an earlier version would give back a used code, a lock or a revoked device or token.
    fileprivate var isLasting: Bool {
        switch self {
        case .device, .credential, .failures, .bankToken: true
        default: false
        }
    }
}
