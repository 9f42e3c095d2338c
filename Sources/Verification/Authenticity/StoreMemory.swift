import PrivateFiles

/// The ids of the store, and the rows that this process has seen committed.
///
/// A row with its tag is still authentic if an attacker puts back an earlier one. So a row is rejected
/// if this process has seen a later version of it. The memory is bounded: the rows that were not used
/// for the longest time are forgotten, and an audit finds those. The versions of counters, locks,
/// devices and tokens are remembered much longer, without the rows.
final class StoreMemory: Sendable {
    static let maximumRows = 25_000
    /// Twice what a dictionary of 2^20 places takes: 24 bytes each, so 48 MiB in all.
    static let maximumVersions = 2 * 786_432

    private struct Entry {
        let row: KnownRow
        /// The moment from which transactions must see this version.
        let moment: UInt64
    }

    private struct Version {
        let number: UInt64
        let moment: UInt64
    }

    private let lock = Lock()
    // Only touched while `lock` is held.
    private nonisolated(unsafe) var names: StoreNames?
    private nonisolated(unsafe) var moment: UInt64 = 0
    private nonisolated(unsafe) var entries =
        RecentEntries<RowName, Entry>(maximum: maximumRows)
    /// By the hash of the name, which no attacker can compute: its key is random for each process.
    private nonisolated(unsafe) var versions =
        RecentEntries<Int, Version>(maximum: maximumVersions)

    /// The memory as of the beginning of a transaction, which cannot see later commits.
    struct View: Sendable {
        private let memory: StoreMemory
        private let moment: UInt64

        fileprivate init(_ memory: StoreMemory, at moment: UInt64) {
            self.memory = memory
            self.moment = moment
        }

        var storeNames: StoreNames? { memory.storeNames }

        /// The memory of one row.
        struct Found {
            /// The row as it was last seen; nil if it was not seen, or is forgotten.
            var row: KnownRow?
            /// The version that the transaction must see at least.
            var minimumVersion: UInt64?
        }

        func find(_ name: RowName) -> Found {
            memory.lock.locked {
                var found = Found()
                if let entry = memory.use(name) {
                    found.row = entry.row
                    if entry.moment <= moment { found.minimumVersion = entry.row.version }
                }
                // A slow reader can have put an earlier version into the entry.
                if name.part.isRememberedLonger, let version = memory.versions[name.hash],
                    version.moment <= moment
                {
                    found.minimumVersion = max(found.minimumVersion ?? 0, version.number)
                }
                return found
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

    /// Remembers the new rows of a transaction, after its commit.
    func remember(_ rows: SeenRows) {
        guard !rows.isEmpty else { return }
        lock.locked {
            moment += 1
            for (name, row) in rows {
                entries.keep(Entry(row: row, moment: moment), for: name) { kept in
                    kept.row.version >= row.version
                }
                keepVersion(of: row, as: name, since: moment)
            }
        }
    }

    /// The entry of a row, which is forgotten later because of this use.
    ///
    /// Only called while `lock` is held.
    private func use(_ name: RowName) -> Entry? {
        entries.use(name) { entry in
            keepVersion(of: entry.row, as: name, since: entry.moment)
        }
    }

    /// Only called while `lock` is held.
    private func keepVersion(of row: KnownRow, as name: RowName, since moment: UInt64) {
        guard name.part.isRememberedLonger else { return }
        let version = Version(number: row.version, moment: moment)
        versions.keep(version, for: name.hash) { $0.number >= version.number }
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
    var isRememberedLonger: Bool {
        switch self {
        case .device, .credential, .failures, .bankToken: true
        default: false
        }
    }
}
