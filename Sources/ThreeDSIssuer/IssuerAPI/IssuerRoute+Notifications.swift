import BankIntegration
import Storage
import Transactions

extension IssuerRoute {
    private static let ofNotifications = root + "notifications"

    static let notifications = [
        IssuerRoute(
            .get,
            ofNotifications,
            query: [
                .choice("state", NotificationTable.State.allCases.map(\.rawValue)),
                .afterNotification, .number("limit", 1...100),
            ],
            IssuerRequest.listNotifications
        ),
        IssuerRoute(
            .put,
            ofNotifications + "/{challenge}/retry",
            IssuerRequest.retryNotification
        ),
    ]
}

extension IssuerRequest {
    fileprivate func listNotifications() async throws(StoreFailure) -> IssuerResponse {
        let limit = query.number("limit", default: 100)
        let page = try await service.notifications(
            query.text("state").flatMap { NotificationTable.State(rawValue: $0) },
            after: query.text("after").flatMap { ChallengeID($0) }?.text ?? "",
            limit: limit
        )
        return .ok(
            NotificationList(
                notifications: page.elements.map { ShownNotification($0) },
                next: page.rowCount == limit ? page.lastName : nil,
                unreadable: page.unreadable.isEmpty ? nil : page.unreadable.count
            )
        )
    }

    fileprivate func retryNotification() async throws(StoreFailure) -> IssuerResponse {
        guard let challenge, try await service.retryNotification(of: challenge.text) else {
            return .notFound(.notification)
        }
        return .noContent
    }
}

private struct NotificationList: Encodable, Sendable {
    let notifications: [ShownNotification]
    /// For `after`; nil if no further notification follows.
    let next: String?
    /// The rows of the page that another program changed; nil without such rows.
    let unreadable: Int?
}

/// A notification without its content.
private struct ShownNotification: Encodable, Sendable {
    let id: String
    let acsTransID: String
    let state: NotificationTable.State
    let decided: DateTime
    let tries: Int
    let due: DateTime?

    init(_ notification: StoredNotification) {
        (id, acsTransID) = (notification.id, notification.authentication)
        state = notification.due == nil ? .givenUp : .waiting
        (decided, tries) = (DateTime(notification.made), notification.tries)
        due = notification.due.map { DateTime($0) }
    }
}

extension QueryParameter {
    fileprivate static let afterNotification = QueryParameter(
        name: "after",
        rule: "Must be the member next of a response."
    ) { ChallengeID($0) != nil }
}
