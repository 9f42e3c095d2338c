/// The state of the challenge page; a page is loaded again when it is another one.
package enum PageState: String, Sendable {
    /// The verifier does not have the request yet.
    case unsent
    case pending
    /// The request expired, and another one is possible.
    case expired
    /// The page has an end for the browser.
    case over
}
