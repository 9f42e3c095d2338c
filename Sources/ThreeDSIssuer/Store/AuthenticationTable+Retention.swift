import Storage
import Transactions

extension AuthenticationTable {
    /// When the newest authentication was made, as its column states it.
    ///
    /// Nil if there is none, or if another program wrote another number.
    func newestTime() throws(StoreFailure) -> Timestamp? {
        guard let row = try connection.rows(.newestTime, []).first else { return nil }
        return UInt64(exactly: try row.integer(.made)).flatMap { Timestamp(milliseconds: $0) }
    }

    /// Removes authentications that were made before `moment`.
    ///
    /// Those whose results are due must be older: a row that cannot be read is due for ever.
    func removeAll(
        before moment: Timestamp,
        withResultsDueBefore last: Timestamp
    ) throws(StoreFailure) {
        try connection.run(.removeOld, [.integer(moment.stored), .integer(last.stored)])
        try connection.run(.removeOldResponses, [.integer(moment.stored)])
    }
}

extension Statement {
    fileprivate static let newestTime = Statement(
        "SELECT \([Column.made]) FROM authentications ORDER BY made DESC LIMIT 1"
    )
    fileprivate static let removeOld = Statement(
        "DELETE FROM authentications WHERE made < $1 AND (result_due IS NULL OR made < $2)"
    )
    /// Those of the authentications that were removed.
    fileprivate static let removeOldResponses = Statement(
        """
        DELETE FROM responses WHERE made < $1 \
        AND NOT EXISTS (SELECT 1 FROM authentications WHERE id = authentication)
        """
    )
}
