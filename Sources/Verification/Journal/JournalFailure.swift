import Cryptography
package import OneTimePassword

/// Why a journal cannot be opened or written, or does not go with a store.
package enum JournalFailure: Error, Equatable, Sendable {
    /// The file; `missing` where there is none, which only an operator may pass over.
    case file(StoreFailure)
    /// The line, from 1 on, was changed, or is not what followed the one before it.
    case damagedLine(Int)
    case store(StoreFailure)
    case machine(SystemFailure)

    /// It is the journal of another store.
    case foreign
    /// A store that has a trail already gets no new journal without an operator.
    case storeInUse
    /// The store is older than what its journal saw: a backup took its place.
    case behind(store: UInt64, journal: UInt64)
    /// The store is a backup that was put back, and was not restored yet.
    case unrestored
    /// The store has another record there than the journal saw.
    case forked(at: UInt64)
    /// A record does not follow the one before it; nothing is signed from there on.
    case brokenTrail(at: UInt64)
}

func onThisMachine<Result: ~Copyable>(
    _ body: () throws(CryptographyFailure) -> Result
) throws(JournalFailure) -> Result {
    do throws(CryptographyFailure) {
        return try body()
    } catch {
        throw .machine(SystemFailure(error))
    }
}
