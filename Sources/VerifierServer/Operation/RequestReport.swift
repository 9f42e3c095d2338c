/// What is told of a request once it is answered: to the log, and to whoever counts.
///
/// Nothing in it comes from the request itself: a route is one of the table, an outcome a word of
/// ours, and the id is one that we made.
package struct RequestReport: Equatable, Sendable {
    package enum API: String, Sendable {
        case device, bank
        /// What those ask who run the verifier, and whatever no API got to see.
        case operation
    }

    /// Of a request that no route is for.
    package static let unknownRoute = "unknown"
    /// The outcome of an answer whose reader left before its end.
    package static let cut = "cut"

    package let id: RequestID
    package let api: API
    /// The route's own method and path, without what a client put in place of its variable parts.
    package let route: String
    /// What became of it, in one word: the code of why not, or `done`.
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
