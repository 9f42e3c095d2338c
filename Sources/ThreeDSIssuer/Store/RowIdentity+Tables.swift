import Storage

extension RowIdentity {
    static func secret(_ name: String) -> RowIdentity { RowIdentity(.secret, name) }

    /// `columns` are `CardTable.boundColumns`.
    static func card(_ reference: String, _ columns: [SQLValue]) -> RowIdentity {
        RowIdentity(.card, reference, columns.withoutLaterNulls(after: 1))
    }

    /// `columns` are `AuthenticationTable.boundColumns`.
    static func authentication(_ id: String, _ columns: [SQLValue]) -> RowIdentity {
        RowIdentity(.authentication, id, columns.withoutLaterNulls(after: 6))
    }

    /// The ARes of an authentication.
    static func response(_ id: String) -> RowIdentity { RowIdentity(.response, id) }

    /// `columns` are `CheckTable.boundColumns`.
    static func check(_ key: String, _ columns: [SQLValue]) -> RowIdentity {
        RowIdentity(.check, key, columns)
    }

    /// `columns` are `EventTable.boundColumns`; the word is the one of the table.
    static func event(_ authentication: String, _ columns: [SQLValue]) -> RowIdentity {
        RowIdentity(.notification, authentication, columns)
    }

    /// Of the column with the key of a secure channel.
    static func channelKey(of id: String) -> RowIdentity { RowIdentity(.channelKey, id) }
}

extension [SQLValue] {
    /// The first columns of a table, and later ones up to the last one with a value.
    ///
    /// So rows from before the later columns existed keep their identity.
    fileprivate func withoutLaterNulls(after firstCount: Int) -> [SQLValue] {
        var columns = self
        while columns.count > firstCount, columns.last == .null { columns.removeLast() }
        return columns
    }
}
