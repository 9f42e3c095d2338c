import Storage
import Transactions

/// The changes that a step writes.
struct StepEffects: Sendable {
    let former: ChallengeRow
    let values: NamedValues
    let erasesKey: Bool
    let records: [IssuerRecord]
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
        if let end {
            let event = AuthenticatedCard(
                end.authentication,
                end.result,
                isNotMe: end.isNotMe,
                of: try Self.card(of: end.authentication, in: store, connection)
            )
            try store.events(connection).add(StoredEvent(event, at: end.now))
        }
        return true
    }

    /// Nil for a card that was removed, and for one that another program changed: the challenge
    /// has its result nevertheless.
    private static func card(
        of authentication: Authentication,
        in store: IssuerStore,
        _ connection: any SQLConnection
    ) throws(StoreFailure) -> Card? {
        guard let reference = authentication.card else { return nil }
        do throws(StoreFailure) {
            return try store.cards(connection).card(reference)?.card
        } catch {
            guard error.isOfChangedRow else { throw error }
            return nil
        }
    }
}
