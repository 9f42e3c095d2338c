import BankIntegration
import Storage
import StrictJSON
import ThreeDSProtocol
import Transactions

extension IssuerRoute {
    private static let ofCards = root + "cards"
    private static let ofCard = ofCards + "/{card}"

    static let cards = [
        IssuerRoute(
            .get,
            ofCards,
            query: [.account, .afterCard, .number("limit", 1...100)],
            IssuerRequest.listCards
        ),
        IssuerRoute(.post, ofCards, taking: IssuerRequest.registerCard),
        IssuerRoute(.get, ofCard, IssuerRequest.showCard),
        IssuerRoute(.delete, ofCard, IssuerRequest.removeCard),
        IssuerRoute(.put, ofCard + "/block", IssuerRequest.blockCard),
        IssuerRoute(.delete, ofCard + "/block", IssuerRequest.unblockCard),
    ]
}

extension IssuerRequest {
    fileprivate func listCards() async throws(StoreFailure) -> IssuerResponse {
        let limit = query.number("limit", default: 100)
        let page = try await service.cards(
            of: query.text("account").flatMap { CardAccount($0) },
            after: query.text("after"),
            limit: limit
        )
        return .ok(
            CardList(
                cards: page.elements.map { ShownCard($0.card) },
                next: page.rowCount == limit ? page.lastName : nil,
                unreadable: page.unreadable.isEmpty ? nil : page.unreadable.count
            )
        )
    }

    fileprivate func registerCard(
        _ content: RegisteredCard
    ) async throws(StoreFailure) -> IssuerResponse {
        switch try await service.register(content) {
        case .added(let card):
            .created(ShownCard(card), at: "\(message.path)/\(card.reference)")
        case .exists(let card): .ok(ShownCard(card))
        case .refused(let refusal): .refused(IssuerProblem(refusal))
        }
    }

    fileprivate func showCard() async throws(StoreFailure) -> IssuerResponse {
        guard let found = try await service.card(card) else { return .notFound(.card) }
        return .ok(ShownCard(found))
    }

    fileprivate func removeCard() async throws(StoreFailure) -> IssuerResponse {
        try await service.remove(card) ? .noContent : .notFound(.card)
    }

    fileprivate func blockCard() async throws(StoreFailure) -> IssuerResponse {
        try await service.setBlocked(true, of: card) == nil ? .notFound(.card) : .noContent
    }

    fileprivate func unblockCard() async throws(StoreFailure) -> IssuerResponse {
        try await service.setBlocked(false, of: card) == nil ? .notFound(.card) : .noContent
    }
}

private struct CardList: Encodable, Sendable {
    let cards: [ShownCard]
    /// For `after`; nil if no further card follows.
    let next: String?
    /// The rows of the page that another program changed; nil without such rows.
    let unreadable: Int?
}

extension QueryParameter {
    /// Its slashes need no escapes, but many clients write `%2F`.
    fileprivate static let account = QueryParameter(
        name: "account",
        rule: "Must be ENTERPRISE/TYPE/ID.",
        allowsEscapes: true
    ) { CardAccount($0) != nil }

    fileprivate static let afterCard = QueryParameter(
        name: "after",
        rule: "Must be the member next of a response."
    ) { CardReference(digits: $0) != nil }
}
