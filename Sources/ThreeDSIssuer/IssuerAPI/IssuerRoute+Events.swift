import BankIntegration
import Storage
import Transactions

extension IssuerRoute {
    /// The path is named as the member of the configuration.
    private static let ofEvents = root + "notifications"

    static let events = [
        IssuerRoute(
            .get,
            ofEvents,
            query: [
                .choice("state", EventTable.State.allCases.map(\.rawValue)),
                .afterEvent, .number("limit", 1...100),
            ],
            IssuerRequest.listEvents
        ),
        IssuerRoute(
            .put,
            ofEvents + "/{challenge}/retry",
            IssuerRequest.retryEvent
        ),
    ]
}

extension IssuerRequest {
    fileprivate func listEvents() async throws(StoreFailure) -> IssuerResponse {
        let limit = query.number("limit", default: 100)
        let page = try await service.events(
            query.text("state").flatMap { EventTable.State(rawValue: $0) },
            after: query.text("after").flatMap { ChallengeID($0) }?.text,
            limit: limit
        )
        return .ok(
            EventList(
                notifications: page.elements.map { ShownEvent($0) },
                next: page.rowCount == limit ? page.lastName : nil,
                unreadable: page.unreadable.isEmpty ? nil : page.unreadable.count
            )
        )
    }

    fileprivate func retryEvent() async throws(StoreFailure) -> IssuerResponse {
        guard let challenge, try await service.retryEvent(of: challenge.text) else {
            return .notFound(.notification)
        }
        return .noContent
    }
}

private struct EventList: Encodable, Sendable {
    let notifications: [ShownEvent]
    /// For `after`; nil if no further event follows.
    let next: String?
    /// The rows of the page that another program changed; nil without such rows.
    let unreadable: Int?
}

/// An event without its content.
private struct ShownEvent: Encodable, Sendable {
    let id: String
    let acsTransID: String
    let state: EventTable.State
    let decided: DateTime
    let tries: Int
    let due: DateTime?

    init(_ event: StoredEvent) {
        (id, acsTransID) = (event.id, event.authentication)
        state = event.due == nil ? .givenUp : .waiting
        (decided, tries) = (DateTime(event.made), event.tries)
        due = event.due.map { DateTime($0) }
    }
}

extension QueryParameter {
    fileprivate static let afterEvent = QueryParameter(
        name: "after",
        rule: "Must be the member next of a response."
    ) { ChallengeID($0) != nil }
}
