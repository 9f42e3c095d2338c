import CommandLineTool
import ThreeDSIssuer
import Transactions

/// The accounts of cards at the verifier, and the access that it grants.
struct AccountCheck {
    /// With the rules of the policy if the verifier knows an account.
    let access: VerifierInspection
    private let cards: Diagnostics.FirstCards?
    private let enterprise: EnterpriseID
    /// Cards whose account is one of another enterprise.
    private let foreign: [Card]
    /// Cards whose account the verifier does not have.
    private let unknown: [Card]

    init(
        of cards: Diagnostics.FirstCards?,
        by client: VerifierClient
    ) async throws(VerifierFailure) {
        let active = cards?.active ?? []
        let own = active.filter { $0.account.enterprise == client.enterprise }
        (self.cards, enterprise) = (cards, client.enterprise)
        foreign = active.filter { $0.account.enterprise != client.enterprise }
        let access = try await client.inspect(with: nil)
        let accounts = Set(own.map(\.account)).sorted { "\($0)" < "\($1)" }
        guard case .granted = access, !accounts.isEmpty else {
            (self.access, unknown) = (access, [])
            return
        }
        let missing = Set(try await client.unknown(among: accounts))
        unknown = own.filter { missing.contains($0.account) }
        guard let known = accounts.first(where: { !missing.contains($0) }) else {
            self.access = access
            return
        }
        self.access = try await client.inspect(with: known)
    }

    var finding: Diagnostics.Finding {
        let part = "accounts"
        guard let cards else {
            return Diagnostics.Finding(part: part, failure: nil, note: Self.unread)
        }
        guard foreign.isEmpty else {
            let failure = CommandFailure(
                "the enterprise \(enterprise) does not have the account",
                of: foreign,
                among: cards.active,
                hint: "check the member enterprise"
            )
            return Diagnostics.Finding(part: part, failure: failure)
        }
        guard unknown.isEmpty else {
            let failure = CommandFailure(
                "the verifier does not have the account",
                of: unknown,
                among: cards.active,
                hint: "create the account, or remove the card with countersign-acs card remove"
            )
            return Diagnostics.Finding(part: part, failure: failure)
        }
        let count = counted(cards.active.count, "active card")
        let range = cards.isComplete ? "" : " of the first \(Diagnostics.pageSize) cards"
        return Diagnostics.Finding(
            part: part,
            failure: nil,
            note: cards.active.isEmpty ? "not checked: no card is active" : "ok, \(count)\(range)"
        )
    }

    var reasonForNoPolicy: String {
        guard let cards else { return "the store cannot be read" }
        if cards.active.isEmpty { return "no card is active" }
        return foreign.count + unknown.count == cards.active.count
            ? "the verifier knows no account of a card" : "the verifier does not return it"
    }

    private static let unread = "not checked: the store cannot be read"
}

extension CommandFailure {
    private static let maximumShown = 10

    /// Operators may know accounts, and the reference is the name of the card.
    fileprivate init(
        _ problem: String,
        of cards: [Card],
        among active: [Card],
        hint: String
    ) {
        let shown = cards.prefix(Self.maximumShown).map {
            "\($0.account) of the card \($0.reference)"
        }
        let rest = cards.count > Self.maximumShown ? ", …" : ""
        self.init(
            .malformedInput,
            "\(problem) of \(cards.count) of \(counted(active.count, "active card")): "
                + shown.joined(separator: ", ") + rest,
            hint: hint
        )
    }
}
