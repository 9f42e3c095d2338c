import PrivateFiles

/// The ids of the store, and the rows that this process has seen committed.
///
/// A row with its tag is still authentic if an attacker puts back an earlier one. So a row is rejected
/// if this process has seen a later version of it. The memory is bounded: the rows that were not used
/// for the longest time are forgotten, and an audit finds those.
final class StoreMemory: Sendable {
    static let maximumRows = 100_000

    private struct Entry {
        let row: KnownRow
        /// The moment from which transactions must see this version.
        let moment: UInt64
    }

    private let lock = Lock()
    // Only touched while `lock` is held.
    private nonisolated(unsafe) var names: StoreNames?
    private nonisolated(unsafe) var moment: UInt64 = 0
    private nonisolated(unsafe) var recent: [RowName: Entry] = [:]
    /// Used before the recent ones.
    private nonisolated(unsafe) var earlier: [RowName: Entry] = [:]

    /// The memory as of the beginning of a transaction, which cannot see later commits.
    struct View: Sendable {
        private let memory: StoreMemory
        private let moment: UInt64

        fileprivate init(_ memory: StoreMemory, at moment: UInt64) {
            self.memory = memory
            self.moment = moment
        }

        var storeNames: StoreNames? { memory.storeNames }

        /// The row as it was last seen, and whether that was before the transaction; nil if it was
        /// not seen, or is forgotten.
        func row(_ name: RowName) -> (row: KnownRow, isEarlier: Bool)? {
            memory.lock.locked {
                memory.entry(name).map { ($0.row, $0.moment <= moment) }
            }
        }
    }

    /// Nil before the first transaction.
    var storeNames: StoreNames? { lock.locked { names } }

    func remember(_ names: StoreNames) {
        lock.locked { self.names = names }
    }

    /// Call it before a transaction that reads, and within one that writes: no other transaction can
    /// commit then.
    func view() -> View { View(self, at: lock.locked { moment }) }

    /// Remembers what a transaction read or wrote, after its commit.
    func remember(_ rows: SeenRows) {
        guard !rows.isEmpty else { return }
        lock.locked {
            moment += 1
            for (name, row) in rows {
                if let entry = recent[name], entry.row.version >= row.version { continue }
                if let entry = earlier[name], entry.row.version >= row.version {
                    recent[name] = entry
                } else {
                    recent[name] = Entry(row: row, moment: moment)
                }
            }
            guard recent.count > Self.maximumRows / 2 else { return }
            earlier = recent
            recent = [:]
        }
    }

    /// Only called while `lock` is held.
    private func entry(_ name: RowName) -> Entry? { recent[name] ?? earlier[name] }
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
}

extension Ledger {
    /// The rows to remember after the commit.
    var seenRows: SeenRows {
        recorded.rows.compactMap { name, row in
            name.part.isRemembered ? (name, row) : nil
        }
    }
}
