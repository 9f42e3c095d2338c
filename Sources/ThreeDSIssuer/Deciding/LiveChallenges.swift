import PrivateFiles
import Transactions

/// The challenges that have no result yet.
///
/// The store counts them, so several nodes have the limits together. A challenge without its first
/// CReq is counted for 30 seconds.
package struct LiveChallenges: Equatable, Sendable {
    let ofCard: Int
    let ofACS: Int

    /// A stranger who knows a card number cannot open more requests for its person.
    package static let maximumOfCard = 3
    /// A decoupled one can take days, so a shopper who waits has a place of the card in any case.
    package static let maximumForDecoupledOfCard = 2

    package static let none = LiveChallenges(ofCard: 0, ofACS: 0)

    /// Whether fewer challenges can begin in a moment than are left.
    func isFarBelowMaximum(of settings: IssuerSettings) -> Bool {
        ofACS < settings.maximumLiveChallenges - 1000
    }

    /// Nil if one more can begin; a decoupled one leaves places to shoppers who wait.
    func refusal(isDecoupled: Bool, by settings: IssuerSettings) -> Refusal? {
        let maximumOfCard = isDecoupled ? Self.maximumForDecoupledOfCard : Self.maximumOfCard
        if ofCard >= maximumOfCard { return .tooManyChallenges }
        let maximum = settings.maximumLiveChallenges
        return ofACS >= (isDecoupled ? maximum / 2 : maximum) ? .full : nil
    }
}

/// The last count of all challenges without a result.
///
/// All of them take long to count, so far below their maximum the same count is used for a moment.
final class LiveCount: Sendable {
    private let last = LockedValue<(count: LiveChallenges, time: Timestamp)?>(nil)
    private let clock: IssuerService.Clock

    private static let validity = Duration.milliseconds(100)

    init(clock: @escaping IssuerService.Clock) {
        self.clock = clock
    }

    /// Nil if they must be counted again.
    func value(for settings: IssuerSettings) -> Int? {
        guard let last = last.withLock({ $0 }), last.count.isFarBelowMaximum(of: settings) else {
            return nil
        }
        let age = clock().elapsed(since: last.time)
        // The clock can have been set back.
        guard age >= .zero, age < Self.validity else { return nil }
        return last.count.ofACS
    }

    func note(_ count: LiveChallenges) {
        let now = clock()
        last.withLock { $0 = (count, now) }
    }
}
