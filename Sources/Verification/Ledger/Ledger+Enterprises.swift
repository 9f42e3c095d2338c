package import TransactionApproval

extension Ledger {
    package func enterprise(_ id: EnterpriseID) throws(StoreFailure) -> StoredPolicy? {
        guard let row = try row(Self.selectEnterprise, [SQLValue(id)]) else { return nil }
        return StoredPolicy(document: try row.text(0), version: try row.integer(1))
    }

    func policyVersion(of enterprise: EnterpriseID) throws(StoreFailure) -> Int64? {
        try row(Self.selectVersion, [SQLValue(enterprise)])
            .map { row throws(StoreFailure) in try row.integer(0) }
    }

    /// Adds the enterprise, or gives it another policy; false where neither changes anything.
    package func setPolicy(
        _ document: String,
        of enterprise: EnterpriseID
    ) throws(StoreFailure) -> Bool {
        let old = try self.enterprise(enterprise)?.document
        let values: [SQLValue] = [SQLValue(enterprise), .text(document)]
        guard try connection.run(Self.upsertEnterprise, values) == 1 else { return false }
        try trace(
            .enterprise,
            values.prefix(1),
            held: old.map { [.text($0)] },
            holds: values.dropFirst()
        )
        return true
    }

    package func enterprises() throws(StoreFailure) -> [EnterpriseID] {
        try connection.rows(Self.selectEnterprises, [])
            .map { row throws(StoreFailure) in try row.identifier(0) }
    }

    private static let selectEnterprise = Statement(
        "SELECT policy, policy_version FROM enterprises WHERE id = $1"
    )
    private static let selectVersion = Statement(
        "SELECT policy_version FROM enterprises WHERE id = $1"
    )
    private static let selectEnterprises = Statement("SELECT id FROM enterprises ORDER BY id")
    private static let upsertEnterprise = Statement(
        """
        INSERT INTO enterprises (id, policy, policy_version) VALUES ($1, $2, 1)
        ON CONFLICT (id) DO UPDATE SET policy = excluded.policy,
            policy_version = enterprises.policy_version + 1
        WHERE enterprises.policy <> excluded.policy
        """
    )
}

/// The policy of an enterprise as a store keeps it: a number tells whether it is still the same.
package struct StoredPolicy: Equatable, Sendable {
    package let document: String
    package let version: Int64
}
