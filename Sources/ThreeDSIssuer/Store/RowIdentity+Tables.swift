import Storage

extension RowIdentity {
    static func secret(_ name: String) -> RowIdentity { RowIdentity("secret", name) }

    static func card(_ reference: String, digest: SQLValue) -> RowIdentity {
        RowIdentity("card", reference, [digest])
    }

    /// `columns` are `AuthenticationTable.boundColumns`.
    ///
    /// The last ones count only if they have a value, so rows from before these columns existed
    /// keep their identity.
    static func authentication(_ id: String, _ columns: [SQLValue]) -> RowIdentity {
        let firstCount = AuthenticationTable.firstBoundColumns.count
        var columns = columns
        while columns.count > firstCount, columns.last == .null { columns.removeLast() }
        return RowIdentity("authentication", id, columns)
    }

    /// Of the column with the key of a secure channel.
    static func channelKey(of id: String) -> RowIdentity { RowIdentity("channel key", id) }
}
