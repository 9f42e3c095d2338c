import Storage
import ThreeDSProtocol

extension IssuerService {
    enum Registration: Sendable {
        case added(Card)
        /// The same card of the same account, which an earlier call can have added.
        case exists(Card)
        case refused(CardRefusal)
    }

    func register(_ content: RegisteredCard) async throws(StoreFailure) -> Registration {
        let rules = CardRules(
            of: verifier.enterprise,
            directories.values.map(\.cards),
            comparingCheckDigit: content.comparesCheckDigit
        )
        let digits = Array(content.number.utf8)
        switch try NewCard.made(of: digits.span, content.account, by: rules, for: store) {
        case .failure(let refusal): return .refused(refusal)
        case .success(let new):
            let outcome = try await change { register throws(StoreFailure) in
                try register.add(new)
            }
            switch outcome {
            case .added: return .added(new.card)
            case .exists(let card) where card.account == new.card.account: return .exists(card)
            case .exists(let card): return .refused(.otherAccount(card.reference))
            }
        }
    }

    /// Up to `limit` cards in the order of their references; of all accounts if there is none.
    func cards(
        of account: CardAccount?,
        after reference: String?,
        limit: Int
    ) async throws(StoreFailure) -> RowPage<StoredCard> {
        let place = reference.map { SQLValue.text($0) }
        let page = try await store.database.read { [store] connection throws(StoreFailure) in
            let table = store.cards(connection)
            return if let account {
                try table.cards(of: account, after: place, limit: limit)
            } else {
                try table.cards(after: place, limit: limit)
            }
        }
        report(page.unreadable)
        return page
    }

    func card(_ reference: CardReference) async throws(StoreFailure) -> Card? {
        try await store.database.read { [store] connection throws(StoreFailure) in
            try store.cards(connection).card(reference)?.card
        }
    }

    /// Blocks or unblocks a card; nil if there is no such card.
    func setBlocked(
        _ isBlocked: Bool,
        of reference: CardReference
    ) async throws(StoreFailure) -> Card? {
        try await change { register throws(StoreFailure) in
            try register.setBlocked(isBlocked, of: reference)
        }
    }

    /// Returns false if there is no such card.
    func remove(_ reference: CardReference) async throws(StoreFailure) -> Bool {
        try await change { register throws(StoreFailure) in try register.remove(reference) }
    }

    private func change<Outcome: Sendable>(
        _ body: @escaping @Sendable (CardRegister) throws(StoreFailure) -> Outcome
    ) async throws(StoreFailure) -> Outcome {
        let now = clock()
        return try await store.database.write { [store] connection throws(StoreFailure) in
            try body(store.register(connection, by: .issuerAPI, at: now))
        }
    }
}
