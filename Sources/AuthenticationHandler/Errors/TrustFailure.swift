/// The part of a server that is not trusted.
public enum TrustFailure: Equatable, Sendable {
    /// The certificate is not trusted, or the key is not pinned: nothing was sent.
    case connection
    /// The response is not signed by the verifier, or is malformed: the result is unknown.
    case response
    /// The activation names a server that the app does not trust: nothing was sent.
    case invitation
}
