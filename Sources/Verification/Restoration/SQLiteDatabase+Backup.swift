extension SQLiteDatabase {
    /// Copies a verifier's store to a new file that no journal goes on with before a restore.
    ///
    /// The copy itself says so: its trail may be as long as the journal's, when all that happened
    /// since was what no journal takes down at once, such as a typed code.
    package func backUp(to path: String) async throws(StoreFailure) {
        try await backUp(to: path) { copy throws(StoreFailure) in
            try Ledger(copy).markAsCopy()
        }
    }
}
