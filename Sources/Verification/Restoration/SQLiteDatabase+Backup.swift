package import Storage

extension SQLiteDatabase {
    /// Copies a verifier's store to a new file that must be restored before it can be used.
    ///
    /// The copy is marked, because its trail can be as long as the journal. Some changes, such as
    /// typed codes, are not in the journal at once.
    package func backUp(to path: String) async throws(StoreFailure) {
        try await backUp(to: path) { copy throws(StoreFailure) in
            try Ledger(copy, nil).markAsBackup()
        }
    }
}
