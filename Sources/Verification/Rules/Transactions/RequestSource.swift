/// The origin of a request; each source has a rate limit of its own.
///
/// Whoever knows the number of a card can begin a card payment, and so make the bank request an
/// approval. They must not use up the requests that the bank itself needs.
package enum RequestSource: String, CaseIterable, Codable, Sendable {
    case bank, cards
}
