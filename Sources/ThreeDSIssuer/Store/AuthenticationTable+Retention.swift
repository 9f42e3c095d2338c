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

    /// Removes at most `limit` authentications that were made before `moment`, the oldest first, and
    /// the AReses of removed ones.
    ///
    /// Those whose results are due must be older: a row that cannot be read is due for ever. Returns
    /// the larger of both counts.
    func removeOld(
        before moment: Timestamp,
        withResultsDueBefore last: Timestamp,
        limit: Int
    ) throws(StoreFailure) -> Int {
        let (moment, count) = (SQLValue.integer(moment.stored), SQLValue.integer(Int64(limit)))
        let removed = try connection.run(.removeOld, [moment, .integer(last.stored), count])
        return max(removed, try connection.run(.removeOldResponses, [moment, count]))
    }
}

extension Statement {
    fileprivate static let newestTime = Statement(
        "SELECT \([Column.made]) FROM authentications ORDER BY made DESC LIMIT 1"
    )
    fileprivate static let removeOld = Statement(
        """
        DELETE FROM authentications WHERE id IN
            (SELECT id FROM authentications WHERE made < $1 AND (result_due IS NULL OR made < $2)
            ORDER BY made, id LIMIT $3)
        """
    )
    /// Those of the authentications that were removed.
    fileprivate static let removeOldResponses = Statement(
        """
        DELETE FROM responses WHERE authentication IN
            (SELECT authentication FROM responses WHERE made < $1
            AND NOT EXISTS (SELECT 1 FROM authentications WHERE id = authentication)
            ORDER BY made LIMIT $2)
        """
    )
}
