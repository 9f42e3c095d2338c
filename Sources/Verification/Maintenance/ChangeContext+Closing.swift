import Storage
import TransactionApproval

/// The result of closing the open rows of one page.
struct ClosedPage: Sendable {
    var closed = 0
    /// The last row of the page; nil if no rows were left.
    var last: OpenPlace?
    /// Whether the page had as many rows as it can have.
    var isFull = false
}

extension ChangeContext {
    /// Closes the next open transactions, except for forged ones.
    mutating func closeTransactions(
        as outcome: TransactionRecord.Outcome,
        _ kind: Event.Kind,
        until end: Timestamp? = nil,
        after place: OpenPlace,
        atMost limit: Int
    ) throws(StoreFailure) -> ClosedPage {
        let rows = try ledger.open(.transactions, until: end, after: place, limit: limit)
        return try close(rows, of: .transactions, limit) { context, id throws(StoreFailure) in
            try context.close(id, as: outcome, kind)
        }
    }

    /// Closes the next open activations, except for forged ones.
    mutating func closeActivations(
        as outcome: Activation.Outcome,
        until end: Timestamp? = nil,
        after place: OpenPlace,
        atMost limit: Int
    ) throws(StoreFailure) -> ClosedPage {
        let rows = try ledger.open(.activations, until: end, after: place, limit: limit)
        return try close(rows, of: .activations, limit) { context, id throws(StoreFailure) in
            try context.close(id, as: outcome)
        }
    }

    /// A forged row changes nothing: it is read, and checked, before anything is written.
    private mutating func close<Identifier: TextIdentifier>(
        _ rows: [Row],
        of table: OpenRows,
        _ limit: Int,
        _ close: (inout ChangeContext, Identifier) throws(StoreFailure) -> Void
    ) throws(StoreFailure) -> ClosedPage {
        var page = ClosedPage()
        for row in rows {
            _ = try ledger.skippingForged { () throws(StoreFailure) in
                try close(&self, try ledger.identifier(of: row, in: table))
                page.closed += 1
            }
            page.last = try ledger.place(of: row)
        }
        page.isFull = rows.count == limit
        return page
    }
}
