import Storage
import Transactions

/// The changes that a step writes.
struct StepEffects: Sendable {
    let former: ChallengeRow
    let values: NamedValues
    let erasesKey: Bool
    let records: [IssuerRecord]
    /// Whether the low value rule counts from now on.
    let isStronglyAuthenticated: Bool
    let end: End?
    /// The background work that the change concerns.
    let works: Set<BackgroundWork>

    /// A result, whose event the issuer's own programs get.
    struct End: Sendable {
        let authentication: Authentication
        let result: DecidedResult
        let isNotMe: Bool
        let now: Timestamp
    }

    /// Returns false, and writes nothing, if another step has changed the row since it was read.
    func write(
        in store: IssuerStore,
        _ connection: any SQLConnection
    ) throws(StoreFailure) -> Bool {
        let table = store.authentications(connection)
        guard try table.replace(former, by: values) else { return false }
        if erasesKey { try table.eraseChannelKey(of: former.authentication.id) }
        let trail = store.records(connection)
        for record in records { try trail.add(record) }
        guard end != nil || isStronglyAuthenticated else { return true }
        let cards = store.cards(connection)
        let stored = try card(in: cards)
        if let end {
            let event = AuthenticatedCard(
                end.authentication,
                end.result,
                isNotMe: end.isNotMe,
                of: stored?.card
            )
            try store.events(connection).add(StoredEvent(event, at: end.now))
        }
        if isStronglyAuthenticated, let stored, stored.exempted != .none {
            try cards.replace(StoredCard(stored.card))
        }
        return true
    }

    /// Nil for a card that was removed, and for one that cannot be read: the challenge has its
    /// result nevertheless.
    private func card(in cards: CardTable) throws(StoreFailure) -> StoredCard? {
        guard let reference = former.authentication.card else { return nil }
        do throws(StoreFailure) {
            return try cards.card(reference)
        } catch {
            _ = try cards.seal.unreadable(reference.text, after: error, on: cards.connection)
            return nil
        }
    }
}
