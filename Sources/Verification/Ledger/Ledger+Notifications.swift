import Storage
import TransactionApproval

extension Ledger {
    /// When the person was notified again of a transaction, oldest first.
    func notificationMoments(of id: TransactionID) throws(StoreFailure) -> [Timestamp] {
        try auditRecords(Self.selectNotifications, [.text("\(id)")]) { $0.subject == "\(id)" }
            .map(\.moment)
    }

    /// For the event streams of devices, oldest first.
    func pendingNotifications(
        of account: AccountReference,
        at now: Timestamp
    ) throws(StoreFailure) -> [PendingNotification] {
        try pendingTransactions(of: account, at: now).map { id throws(StoreFailure) in
            PendingNotification(
                transaction: id,
                repetitionCount: try notificationMoments(of: id).count
            )
        }
    }

    private static let selectNotifications = Statement(
        """
        SELECT \(Table.audit.columns) FROM audit
        WHERE subject = $1 AND \(condition: Schema.isNotification)
        ORDER BY sequence
        """
    )
}
