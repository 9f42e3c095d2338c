import BankIntegration
import Storage
import ThreeDSProtocol
import Transactions

extension IssuerRoute {
    private static let ofChallenges = root + "challenges"

    static let challenges = [
        IssuerRoute(
            .get,
            ofChallenges,
            query: [
                .choice("state", ChallengeView.State.allCases.map(\.rawValue)), .card,
                .beforeChallenge, .number("limit", 1...100),
            ],
            IssuerRequest.listChallenges
        ),
        IssuerRoute(.get, ofChallenges + "/{challenge}", IssuerRequest.showChallenge),
    ]
}

extension IssuerRequest {
    fileprivate func listChallenges() async throws(StoreFailure) -> IssuerResponse {
        let state = query.text("state").flatMap { ChallengeView.State(rawValue: $0) }
        let card = query.text("card").flatMap { CardReference($0) }
        let before = query.text("before").flatMap { ChallengeCursor($0) } ?? .start
        let limit = query.number("limit", default: 20)
        let store = service.store
        let page = try await store.database.read { connection throws(StoreFailure) in
            try store.challenges(connection).newest(before: before, limit: limit) {
                (state ?? $0.state) == $0.state && (card == nil || $0.card == card)
            }
        }
        service.report(page.unreadable)
        return .ok(
            ChallengeList(
                challenges: page.challenges.map { ShownChallenge($0) },
                next: page.next?.text,
                unreadable: page.unreadable.isEmpty ? nil : page.unreadable.count
            )
        )
    }

    fileprivate func showChallenge() async throws(StoreFailure) -> IssuerResponse {
        guard let challenge else { return .notFound(.challenge) }
        let store = service.store
        let found = try await store.database.read { connection throws(StoreFailure) in
            try store.challenges(connection).challenge(challenge.text)
        }
        guard let found else { return .notFound(.challenge) }
        return .ok(ShownChallenge(found))
    }
}

private struct ChallengeList: Encodable, Sendable {
    let challenges: [ShownChallenge]
    /// For `before`; nil if no further challenge follows.
    let next: String?
    /// The rows of the page that another program changed; nil without such rows.
    let unreadable: Int?
}

extension QueryParameter {
    fileprivate static let card = QueryParameter(
        name: "card",
        rule: "Must be the reference of a card."
    ) { CardReference($0) != nil }

    fileprivate static let beforeChallenge = QueryParameter(
        name: "before",
        rule: "Must be the member next of a response."
    ) { ChallengeCursor($0) != nil }
}
