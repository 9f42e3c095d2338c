import Sealing
package import Storage
package import TransactionApproval

extension Ledger {
    package func activation(_ id: ActivationID) throws(StoreFailure) -> Activation? {
        try row(Self.selectActivation, [SQLValue(id)]).map(activation(_:))
    }

    package func add(_ activation: Activation) throws(StoreFailure) {
        // Only here: later calls write back the same code, and their time must not depend on it.
        if case .open(let code, _) = activation.state { _ = try stored(code) }
        // The mark never changes, so only here its digest is the second one: later it can be that of
        // a claim.
        try add(activation.stored, .activation)
    }

    package func save(_ activation: Activation) throws(StoreFailure) {
        try update(
            activation.stored,
            .activation,
            by: Self.updateActivation,
            tracing: activation.isOpen ? [] : [.activation]
        )
    }

    private func activation(_ row: Row) throws(StoreFailure) -> Activation {
        let key = try row[Table.activations.key]
        try check(.activation, in: row, key: key)
        return try reading(row, of: .activations, key, Activation.init(_:))
    }

    /// The activations of an account that can still be used.
    ///
    /// It checks the closed ones too: a writer of the database could hide an open one among them.
    func openActivations(
        of account: AccountReference
    ) throws(StoreFailure) -> [ActivationID] {
        try rows(Self.selectOfAccount, .account(account), activation(_:)).filter(\.isOpen).map(\.id)
    }

    /// The activations of an account, newest first.
    func activations(
        of account: AccountReference,
        limit: Int
    ) throws(StoreFailure) -> [Activation] {
        try rows(Self.selectNewest, .account(account) + [SQLValue(limit)], activation(_:))
    }

    /// Whether a later activation was issued for the account, which closed this one.
    ///
    /// A writer of the database can have hidden the row from that call.
    func isFollowed(_ activation: Activation) throws(StoreFailure) -> Bool {
        let newest = try activations(of: activation.account, limit: 1).first
        return newest.map { $0.issued > activation.issued } ?? false
    }

    /// The ids of open activations that are followed.
    func followedActivations() throws(StoreFailure) -> [SQLValue] {
        try rows(Self.selectFollowed, []) { row throws(StoreFailure) in try row[.id] }
    }

    private static let selectFollowed = Statement(
        """
        SELECT \([.id], of: .activations) FROM activations WHERE closed IS NULL AND EXISTS
            (SELECT 1 FROM activations AS later
            WHERE later.enterprise = activations.enterprise
                AND later.account_type = activations.account_type
                AND later.account_id = activations.account_id
                AND later.issued > activations.issued)
        ORDER BY id
        """
    )
    private static let selectNewest = Statement(
        """
        SELECT \(Table.activations.columns) FROM activations WHERE \(match: .account)
        ORDER BY issued DESC, id LIMIT $4
        """
    )
    private static let selectActivation = Statement(
        "SELECT \(Table.activations.columns) FROM activations WHERE \(match: [.id])"
    )
    private static let updateActivation = Statement(
        """
        UPDATE activations
        SET \(set: [.failureTimes, .state, .closed, .code, .claimDigest, .claimOffer, .tag])
        WHERE \(match: [.id])
        """
    )
    private static let selectOfAccount = Statement(
        "SELECT \(Table.activations.columns) FROM activations WHERE \(match: .account) ORDER BY id"
    )
}

extension Activation {
    fileprivate init(_ row: Row) throws(StoreFailure) {
        self.init(
            id: try row.identifier(.id),
            account: try row.account(),
            isWeb: try row.isWeb(),
            issued: try row.moment(.issued),
            deadline: try row.moment(.deadline),
            // Earlier releases stored up to five times.
            failureReported: try row.moments(.failureTimes).last,
            state: try State(row)
        )
    }

    fileprivate var stored: NamedValues {
        .account(account) + [
            .id: SQLValue(id), .issued: SQLValue(issued), .deadline: SQLValue(deadline),
            .failureTimes: .moments(failureReported.map { [$0] } ?? []), .isWeb: .mark(isWeb),
        ] + state.stored
    }
}

extension Activation.State {
    fileprivate var stored: NamedValues {
        switch self {
        case .open(let code, let claim):
            [
                .state: .integer(0), .closed: .null, .code: .bytes(code.stored),
                .claimDigest: SQLValue(claim?.digest), .claimOffer: SQLValue(claim?.offer),
            ]
        case .closed(let outcome, let moment):
            [
                .state: SQLValue(outcome), .closed: SQLValue(moment), .code: .null,
                .claimDigest: .null, .claimOffer: .null,
            ]
        }
    }

    fileprivate init(_ row: Row) throws(StoreFailure) {
        guard let closed = try row.optionalMoment(.closed) else {
            let offer = try row.optionalBytes(.claimOffer)
            self = .open(
                code: try row.sealedValue(.code),
                claim: try row.optionalBytes(.claimDigest).map {
                    Activation.Claim(digest: $0, offer: offer ?? [])
                }
            )
            return
        }
        self = .closed(try row.value(.state), at: closed)
    }
}
