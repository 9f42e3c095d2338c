import HTTPServer
import Verification

/// A response, with its route and outcome for the report.
struct ReportedResponse: Sendable {
    let response: Response
    /// The method and path of the route; nil if no route matches.
    let route: String?
    /// The problem code, or `done`.
    let outcome: String
    let token: BankTokenName?
    let client: String?

    static let done = "done"

    init(
        _ response: Response,
        by route: String?,
        outcome: String = done,
        token: BankTokenName? = nil,
        client: String? = nil
    ) {
        self.response = response
        self.route = route
        self.outcome = outcome
        self.token = token
        self.client = client
    }
}
