package import TransactionApproval

/// The notifications of a pending transaction after its first ones.
///
/// They are read from the audit trail; they have no table of their own. Many notifications wear a
/// person down (SEC-33), so their number and their distance have limits.
struct FurtherNotifications: Equatable, Sendable {
    /// For each transaction.
    static let maximumCount = 2
    static let interval = Duration.seconds(30)

    /// The creation of the transaction, whether it notified the person or not.
    let created: Timestamp
    /// Oldest first.
    let moments: [Timestamp]

    func check(at now: Timestamp) -> RuleResult<NotificationRefusal> {
        guard moments.count < Self.maximumCount else { return .refused(.tooOften) }
        let end = (moments.last ?? created) + Self.interval
        return now < end ? .refused(.tooSoon(until: end)) : .accepted
    }
}

/// Why the person is not notified again.
package enum NotificationRefusal: Equatable, Sendable {
    case tooSoon(until: Timestamp)
    /// The transaction had the maximum number of notifications.
    case tooOften
    /// The person rejected a request with "not me".
    case muted
    /// No active device wants notifications.
    case noDevice
}
