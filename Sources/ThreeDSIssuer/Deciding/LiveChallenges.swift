/// The challenges that have no result yet.
///
/// The store counts them, so several nodes have the limits together. A challenge without its first
/// CReq is counted for 30 seconds.
package struct LiveChallenges: Equatable, Sendable {
    let ofCard: Int
    let ofACS: Int

    /// A stranger who knows a card number cannot open more requests for its person.
    package static let maximumOfCard = 3

    /// Fewer begin between the decision on an AReq and its response.
    static let closeToMaximum = 1000

    package static let none = LiveChallenges(ofCard: 0, ofACS: 0)

    /// Nil if one more can begin.
    func refusal(by settings: IssuerSettings) -> Refusal? {
        if ofCard >= Self.maximumOfCard { return .tooManyChallenges }
        return ofACS >= settings.maximumLiveChallenges ? .full : nil
    }
}
