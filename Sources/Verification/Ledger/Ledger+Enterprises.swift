package import Storage
package import TransactionApproval

/// The stored policy of an enterprise.
///
/// The version changes with each new policy.
package struct StoredPolicy: Equatable, Sendable {
    package let document: String
    package let version: Int64
}

extension Ledger {
    package func enterprise(_ id: EnterpriseID) throws(StoreFailure) -> StoredPolicy? {
        guard let row = try enterpriseRow(id) else { return nil }
        return StoredPolicy(
            document: StoredPolicy.withCurrentNames(try row.text(.policy)),
            version: try row.integer(.policyVersion)
        )
    }

    private func enterpriseRow(_ id: EnterpriseID) throws(StoreFailure) -> Row? {
        guard let row = try row(Self.selectEnterprise, [SQLValue(id)]) else { return nil }
        try check(.enterprise, in: row, key: [SQLValue(id)])
        return row
    }

    func policyVersion(of enterprise: EnterpriseID) throws(StoreFailure) -> Int64? {
        try row(Self.selectVersion, [SQLValue(enterprise)])?.integer(.policyVersion)
    }

    /// Adds the enterprise or replaces its policy; returns false if nothing changes.
    package func setPolicy(
        _ document: String,
        of enterprise: EnterpriseID
    ) throws(StoreFailure) -> Bool {
        let old = try enterpriseRow(enterprise)
        let version = try old?.integer(.policyVersion) ?? 0
        let values: NamedValues = [
            .id: SQLValue(enterprise), .policy: .text(document),
            .policyVersion: .integer(version + 1),
        ]
        guard let old else {
            return try add(values, .enterprise, by: Self.insertEnterprise, tracing: [.enterprise])
        }
        guard try old.text(.policy) != document else { return false }
        try update(values, .enterprise, by: Self.updateEnterprise, tracing: [.enterprise])
        return true
    }

    package func enterprises() throws(StoreFailure) -> [EnterpriseID] {
        try identifiers(Self.selectEnterprises, [])
    }

    private static let selectEnterprise = Statement(
        "SELECT \(Table.enterprises.values) FROM enterprises WHERE id = $1"
    )
    private static let selectVersion = Statement(
        "SELECT \([.policyVersion]) FROM enterprises WHERE id = $1"
    )
    private static let selectEnterprises = Statement("SELECT \([.id]) FROM enterprises ORDER BY id")
    private static let insertEnterprise = Statement(
        "INSERT INTO enterprises \(insert: Table.enterprises.columns)"
    )
    private static let updateEnterprise = Statement(
        "UPDATE enterprises SET \(set: Table.enterprises.values) WHERE \(match: [.id])"
    )
}

extension StoredPolicy {
    /// In earlier releases, some members of a policy had other names.
    ///
    /// A migration cannot rename them in the table: the audit trail contains the digest of the row.
    fileprivate static func withCurrentNames(_ document: String) -> String {
        let parts = document.split(separator: "\"", omittingEmptySubsequences: false)
        // A text between quotes is a name if a colon follows, and otherwise a value.
        return zip(parts, parts.dropFirst() + [""]).map { part, next in
            let isName = next.first { !$0.isWhitespace } == ":"
            return isName ? formerNames[String(part)] ?? String(part) : String(part)
        }.joined(separator: "\"")
    }

    private static let formerNames = [
        "leastDigits": "minimumDigits", "mostDigits": "maximumDigits",
        "leastTokenDigits": "minimumTokenDigits", "allowsFourDigits": "allowsFiveDigits",
    ]
}
