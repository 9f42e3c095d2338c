/// The last part of the path to which a form of the page sends.
package enum PageAction: String, Sendable {
    /// "I have approved".
    case `continue`
    /// "Ask my device again".
    case again
    case cancel
}
