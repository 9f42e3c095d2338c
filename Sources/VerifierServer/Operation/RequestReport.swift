/// What is told of a request once it is answered: to the log, and to whoever counts.
///
/// Nothing in it comes from the request itself: a route is one of the table, an outcome a word of
/// ours, and the id is one that we made.
package struct RequestReport: Equatable, Sendable {
    package enum API: String, Sendable {
        case device, bank, operation
    }

    package let id: RequestID
    package let api: API
    /// The route's own path, without what a client put in place of its variable parts.
    package let route: String
    /// What became of it, in one word: an error code of the catalogue, or `done`.
    package let outcome: String
    package let status: Int
    package let duration: Duration

    package init(
        id: RequestID,
        api: API,
        route: String,
        outcome: String,
        status: Int,
        duration: Duration
    ) {
        self.id = id
        self.api = api
        self.route = route
        self.outcome = outcome
        self.status = status
        self.duration = duration
    }
}
