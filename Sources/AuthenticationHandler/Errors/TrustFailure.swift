/// What of a server was not to be believed.
public enum TrustFailure: Equatable, Sendable {
    /// It has no trusted certificate for its name, or none of the pinned keys: nothing was sent.
    case connection
    /// Its answer is not signed by the verifier, or is none that a verifier gives: whether the
    /// request was carried out is unknown.
    case answer
    /// An activation address names another verifier than those that the app trusts: nothing was sent.
    case invitation
}
