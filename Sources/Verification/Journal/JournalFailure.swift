package import Cryptography
package import PrivateFiles
package import Storage

/// Why a journal cannot be opened or written, or does not match a store.
package enum JournalFailure: Error, Equatable, Sendable {
    /// The journal file cannot be used; only an operator may continue without it.
    case file(FileFailure)
    /// The file of the last head cannot be used.
    case headFile(FileFailure)
    /// The line with this number, from 1, was changed or does not follow the one before it.
    case damagedLine(Int)
    case store(StoreFailure)
    case system(SystemFailure)

    /// The file of the last head is missing or damaged; only a restore may continue without it.
    case lostHead
    /// The journal belongs to another store.
    case foreign
    /// Only an operator may create a new journal for a store with audit records.
    case storeInUse
    /// The store is older than its journal: it was replaced by a backup.
    case behind(store: UInt64, journal: UInt64)
    /// The store is a backup that was not restored yet.
    case unrestored
    /// The store and the journal have different records with this number.
    case forked(at: UInt64)
    /// A record does not follow the one before it; later records are not signed.
    case brokenTrail(at: UInt64)
    /// The trail of a backup does not lead to its head: this record is missing, changed or extra.
    case damagedTrail(at: UInt64)
    /// More rows of a backup contradict its trail than a restore can name.
    case contradictedRows
}

extension JournalFailure {
    /// The failure of the machine, if this was the cause.
    package var systemFailure: SystemFailure? {
        switch self {
        case .system(let failure): failure
        case .store(let failure): failure.systemFailure
        default: nil
        }
    }
}
