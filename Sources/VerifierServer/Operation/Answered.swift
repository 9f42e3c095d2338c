import HTTPServer

/// An answer, with what a report may tell of it.
struct Answered: Sendable {
    let response: Response
    /// The route's own method and path; nil where the request found none.
    let route: String?
    /// The code of why not, or `done`.
    let outcome: String

    static let done = "done"

    init(_ response: Response, by route: String?, outcome: String = done) {
        self.response = response
        self.route = route
        self.outcome = outcome
    }

    static func wrongMethod(allowed: String) -> Answered {
        Answered(
            Response(status: 405, fields: [Field("allow", allowed)]),
            by: nil,
            outcome: BankErrorCode.methodNotAllowed.rawValue
        )
    }
}
