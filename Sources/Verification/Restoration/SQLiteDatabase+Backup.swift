package import Storage

extension SQLiteDatabase {
    /// Copies a verifier's store to a new file that must be restored before it can be used.
    ///
    /// The copy is marked, because its trail can be as long as the journal. Some changes, such as
    /// typed codes, are not in the journal at once.
    package func backup(for path: String) async throws(StoreFailure) -> UnnamedCopy {
        try await copy(for: path) { copy throws(StoreFailure) in
            try Ledger(copy, nil).markAsBackup()
        }
    }
}
