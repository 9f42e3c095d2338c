import Storage
import Transactions

/// The changes that a step writes.
struct StepEffects: Sendable {
    let former: ChallengeRow
    let values: NamedValues
    let erasesKey: Bool
    let records: [IssuerRecord]
    let isApproval: Bool
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

    /// Returns false, and writes nothing, if another step has changed the row since it was read, or if
    /// an approved card is no longer active.
    func write(
        in store: IssuerStore,
        _ connection: any SQLConnection
    ) throws(StoreFailure) -> Bool {
        let (table, cards) = (store.authentications(connection), store.cards(connection))
        let needsCard = isApproval || end != nil
        let stored = needsCard ? try cards.readable(former.authentication.card) : nil
        guard !isApproval || stored.isActive, try table.replace(former, by: values) else {
            return false
        }
        if erasesKey { try table.eraseChannelKey(of: former.authentication.id) }
        let trail = store.records(connection)
        for record in records { try trail.add(record) }
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
}
