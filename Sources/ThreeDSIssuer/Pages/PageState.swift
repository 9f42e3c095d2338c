/// The state of the challenge page; a page is loaded again when it is another one.
package enum PageState: String, Sendable {
    case pending
    /// The request expired, and another one is possible.
    case expired
    /// The page has an end for the browser.
    case over
}
