package import Storage

/// The tables of a verifier.
///
/// Identifiers are the primary keys, and a decision finds each row by one of them. Times are
/// milliseconds since 1970. A missing value is null.
package enum Schema {
    /// No store has one of the first eleven versions any more.
    package static let migrations = Migration.forgotten(11) + [Migration(version12)]

    @Sendable
    private static func version12(_ dialect: SQLDialect) -> String {
        [trail, accounts, transactions, programs].map { $0(dialect) }.joined(separator: "\n")
    }

    /// The verifier's own row, and the audit trail.
    static func trail(_ dialect: SQLDialect) -> String {
        let (integer, bytes) = (dialect.integer, dialect.bytes)
        return """
            CREATE TABLE verifier (
                id \(integer) PRIMARY KEY CHECK (id = 1),
                store_id \(bytes) NOT NULL,
                epoch \(integer) NOT NULL CHECK (epoch >= 0),
                audit_sequence \(integer) NOT NULL CHECK (audit_sequence >= 0),
                audit_moment \(integer) NOT NULL CHECK (audit_moment >= 0),
                audit_hash \(bytes) NOT NULL,
                fingerprint_key \(bytes),
                minimum_key_version \(integer) NOT NULL CHECK (minimum_key_version >= 0),
                is_backup \(integer) NOT NULL CHECK (is_backup IN (0, 1)),
                tag \(bytes),
                restore_id \(bytes)
            ) \(dialect.tableOptions);

            CREATE TABLE audit (
                sequence \(integer) PRIMARY KEY,
                moment \(integer) NOT NULL,
                actor TEXT NOT NULL,
                kind TEXT NOT NULL,
                enterprise TEXT,
                account_type TEXT,
                account_id TEXT,
                subject TEXT NOT NULL,
                detail TEXT NOT NULL,
                traces \(bytes) NOT NULL,
                hash \(bytes) NOT NULL,
                tag \(bytes)
            ) \(dialect.tableOptions);
            CREATE INDEX audit_account_changes ON audit (enterprise, account_type, account_id, sequence)
                WHERE \(isAccountChange);
            CREATE INDEX audit_merged_accounts ON audit (enterprise, subject, sequence)
                WHERE \(isMergedAccount);
            CREATE INDEX audit_notifications ON audit (subject, sequence) WHERE \(isNotification);
            """
    }
}
