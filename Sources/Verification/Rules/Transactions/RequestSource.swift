/// The origin of a request; each source has a rate limit of its own.
///
/// A thief who knows the number of a card can begin card payments, and so make the bank request
/// approvals. That must not use up the requests that the bank itself needs.
package enum RequestSource: String, CaseIterable, Codable, Sendable {
    case bank, cards
}
