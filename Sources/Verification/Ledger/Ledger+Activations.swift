package import TransactionApproval

extension Ledger {
    package func activation(_ id: ActivationID) throws(StoreFailure) -> Activation? {
        guard let row = try row(Self.selectActivation, [SQLValue(id)]) else { return nil }
        return Activation(
            id: id,
            account: try row.account(0),
            issued: try row.moment(3),
            deadline: try row.moment(4),
            failures: try row.moments(5),
            state: try Activation.State(row)
        )
    }

    package func add(_ activation: Activation) throws(StoreFailure) {
        // Later only what is there already is written back: its cost must not tell what it is.
        if case .open(let code, _) = activation.state { _ = try stored(code) }
        try change(
            Self.insertActivation,
            [SQLValue(activation.id)] + activation.lasting + activation.changing
        )
        try trace(.activation, [SQLValue(activation.id)], holds: activation.traced)
    }

    package func save(_ new: Activation, replacing old: Activation) throws(StoreFailure) {
        try change(Self.updateActivation, [SQLValue(new.id)] + new.changing)
        if new.isOpen { return }
        try trace(.activation, [SQLValue(new.id)], held: old.traced, holds: new.traced)
    }

    /// Writes a row as it is, which takes the store as long as a change.
    func writeWithoutChange() throws(StoreFailure) {
        try change(Self.touch, [])
    }

    /// The activations of an account that could still be used.
    package func openActivations(
        of account: AccountReference
    ) throws(StoreFailure) -> [ActivationID] {
        try connection.rows(Self.selectOpen, .account(account))
            .map { row throws(StoreFailure) in try row.identifier(0) }
    }

    /// Those of an account, the newest first.
    func activations(
        of account: AccountReference,
        limit: Int
    ) throws(StoreFailure) -> [Activation] {
        try connection.rows(Self.selectNewest, .account(account) + [.integer(Int64(limit))])
            .map { row throws(StoreFailure) in
                guard let activation = try activation(try row.identifier(0)) else {
                    throw .damaged
                }
                return activation
            }
    }

    /// The open activations whose deadline was at `end` or before, the oldest first.
    package func dueActivations(
        until end: Timestamp,
        limit: Int
    ) throws(StoreFailure) -> [ActivationID] {
        try connection.rows(Self.selectDue, [SQLValue(end), .integer(Int64(limit))])
            .map { row throws(StoreFailure) in try row.identifier(0) }
    }

    private static let touch = Statement("UPDATE verifier SET epoch = epoch WHERE id = 1")
    private static let selectDue = Statement(
        """
        SELECT id FROM activations WHERE closed IS NULL AND deadline <= $1
        ORDER BY deadline, id LIMIT $2
        """
    )
    private static let selectNewest = Statement(
        """
        SELECT id FROM activations
        WHERE enterprise = $1 AND account_type = $2 AND account_id = $3
        ORDER BY issued DESC, id LIMIT $4
        """
    )
    private static let selectActivation = Statement(
        """
        SELECT enterprise, account_type, account_id, issued, deadline, failures, state, closed,
            code, claim_digest, claim_offer
        FROM activations WHERE id = $1
        """
    )
    private static let insertActivation = Statement(
        """
        INSERT INTO activations (id, enterprise, account_type, account_id, issued, deadline,
            failures, state, closed, code, claim_digest, claim_offer)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
        """
    )
    private static let updateActivation = Statement(
        """
        UPDATE activations SET failures = $2, state = $3, closed = $4, code = $5,
            claim_digest = $6, claim_offer = $7
        WHERE id = $1
        """
    )
    private static let selectOpen = Statement(
        """
        SELECT id FROM activations
        WHERE enterprise = $1 AND account_type = $2 AND account_id = $3 AND closed IS NULL
        ORDER BY id
        """
    )
}

extension Activation {
    fileprivate var lasting: [SQLValue] {
        .account(account) + [SQLValue(issued), SQLValue(deadline)]
    }

    /// Of what changes, the state and since when it is over.
    fileprivate var traced: [SQLValue] { lasting + changing[1...2] }

    fileprivate var changing: [SQLValue] {
        [.moments(failures)]
            + {
                switch state {
                case .open(let code, let claim):
                    [
                        .integer(0), .null, .bytes(code.stored), SQLValue(claim?.digest),
                        SQLValue(claim?.offer),
                    ]
                case .closed(let outcome, let moment):
                    [.integer(Int64(outcome.rawValue)), SQLValue(moment), .null, .null, .null]
                }
            }()
    }
}

extension Activation.State {
    fileprivate init(_ row: Row) throws(StoreFailure) {
        guard let closed = try row.optionalMoment(7) else {
            let offer = try row.optionalBytes(10)
            self = .open(
                code: try row.sealedValue(8),
                claim: try row.optionalBytes(9).map {
                    Activation.Claim(digest: $0, offer: offer ?? [])
                }
            )
            return
        }
        self = .closed(try row.value(6), at: closed)
    }
}
