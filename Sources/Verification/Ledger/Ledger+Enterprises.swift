package import Storage
package import TransactionApproval

extension Ledger {
    /// The policy's text; nil if the enterprise does not exist.
    package func policy(of enterprise: EnterpriseID) throws(StoreFailure) -> String? {
        try enterpriseRow(enterprise)?.text(.policy)
    }

    private func enterpriseRow(_ id: EnterpriseID) throws(StoreFailure) -> Row? {
        guard let row = try row(Self.query(of: id)) else { return nil }
        try check(.enterprise, in: row, key: [SQLValue(id)])
        return row
    }

    static func query(of enterprise: EnterpriseID) -> Query {
        Query(selectEnterprise, [SQLValue(enterprise)])
    }

    func hasEnterprise(_ id: EnterpriseID) throws(StoreFailure) -> Bool {
        try row(Self.selectExistence, [SQLValue(id)]) != nil
    }

    /// Adds the enterprise or replaces its policy; returns false if nothing changes.
    package func setPolicy(
        _ document: String,
        of enterprise: EnterpriseID
    ) throws(StoreFailure) -> Bool {
        let old = try enterpriseRow(enterprise)
        let version = try old?.integer(.policyVersion) ?? 0
        // Only another program can have written such a number.
        guard version < .max else { throw .damaged }
        let values: NamedValues = [
            .id: SQLValue(enterprise), .policy: .text(document),
            .policyVersion: .integer(version + 1),
        ]
        guard let old else {
            try add(values, .enterprise)
            return true
        }
        guard try old.text(.policy) != document else { return false }
        try update(values, .enterprise, by: Self.updateEnterprise)
        shared?.policy = nil
        return true
    }

    package func enterprises() throws(StoreFailure) -> [EnterpriseID] {
        try identifiers(Self.selectEnterprises, [])
    }

    private static let selectEnterprise = Statement(
        "SELECT \(Table.enterprises.values) FROM enterprises WHERE \(match: [.id])"
    )
    private static let selectExistence = Statement("SELECT 1 FROM enterprises WHERE id = $1")
    private static let selectEnterprises = Statement("SELECT \([.id]) FROM enterprises ORDER BY id")
    private static let updateEnterprise = Statement(
        "UPDATE enterprises SET \(set: Table.enterprises.values) WHERE \(match: [.id])"
    )
}
