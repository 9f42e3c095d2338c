import Storage

extension Schema {
    /// Transactions and logins, and the verdicts on attempts of devices.
    static func transactions(_ dialect: SQLDialect) -> String {
        let (integer, bytes) = (dialect.integer, dialect.bytes)
        return """
            CREATE TABLE transactions (
                id TEXT PRIMARY KEY,
                enterprise TEXT NOT NULL,
                account_type TEXT NOT NULL,
                account_id TEXT NOT NULL,
                canonical_bytes \(bytes) NOT NULL,
                accepted_authentication \(integer) NOT NULL,
                created \(integer) NOT NULL,
                deadline \(integer) NOT NULL,
                number \(bytes),
                state \(integer) NOT NULL,
                closed \(integer),
                device \(bytes),
                detail TEXT,
                evidence \(bytes),
                tag \(bytes),
                source \(integer) CHECK (source = 1),
                FOREIGN KEY (enterprise, account_type, account_id)
                    REFERENCES accounts (enterprise, type, id)
            ) \(dialect.keyedTableOptions);
            CREATE INDEX transactions_of_account
                ON transactions (enterprise, account_type, account_id, created);
            CREATE INDEX transactions_pending ON transactions (deadline) WHERE closed IS NULL;
            CREATE INDEX transactions_closed ON transactions (closed) WHERE closed IS NOT NULL;

            CREATE TABLE archived_transactions (
                id TEXT PRIMARY KEY,
                enterprise TEXT NOT NULL,
                account_type TEXT NOT NULL,
                account_id TEXT NOT NULL,
                canonical_bytes \(bytes) NOT NULL,
                accepted_authentication \(integer) NOT NULL,
                created \(integer) NOT NULL,
                deadline \(integer) NOT NULL,
                state \(integer) NOT NULL,
                closed \(integer) NOT NULL,
                device \(bytes),
                detail TEXT,
                evidence \(bytes),
                tag \(bytes),
                source \(integer) CHECK (source = 1)
            ) \(dialect.keyedTableOptions);
            CREATE INDEX archived_transactions_of_account
                ON archived_transactions (enterprise, account_type, account_id, created);

            CREATE TABLE attempts (
                device \(bytes) NOT NULL,
                id \(bytes) NOT NULL,
                created \(integer) NOT NULL,
                fingerprint \(bytes) NOT NULL,
                verdict TEXT NOT NULL,
                tag \(bytes),
                PRIMARY KEY (device, id)
            ) \(dialect.keyedTableOptions);
            CREATE INDEX attempts_made ON attempts (created);

            CREATE TABLE logins (
                id TEXT PRIMARY KEY,
                enterprise TEXT NOT NULL,
                account_type TEXT NOT NULL,
                account_id TEXT NOT NULL,
                device \(bytes) NOT NULL,
                type TEXT NOT NULL,
                data_digest \(bytes) NOT NULL,
                granted \(integer) NOT NULL,
                redeemed \(integer),
                tag \(bytes)
            ) \(dialect.keyedTableOptions);
            CREATE INDEX logins_granted ON logins (granted);
            """
    }
}
