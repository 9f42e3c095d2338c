import Storage

extension Schema {
    /// Tokens, calls and imports of the bank's programs, and deliveries to them and to devices.
    static func programs(_ dialect: SQLDialect) -> String {
        let (integer, bytes) = (dialect.integer, dialect.bytes)
        return """
            CREATE TABLE bank_tokens (
                id \(bytes) PRIMARY KEY,
                secret_digest \(bytes) NOT NULL,
                name TEXT NOT NULL UNIQUE,
                enterprise TEXT REFERENCES enterprises (id),
                role TEXT NOT NULL,
                created \(integer) NOT NULL,
                expiry \(integer) NOT NULL,
                revoked \(integer),
                tag \(bytes)
            ) \(dialect.keyedTableOptions);

            CREATE TABLE bank_calls (
                enterprise TEXT NOT NULL,
                idempotency_key TEXT NOT NULL,
                created \(integer) NOT NULL,
                fingerprint \(bytes) NOT NULL,
                outcome TEXT NOT NULL,
                tag \(bytes),
                PRIMARY KEY (enterprise, idempotency_key)
            ) \(dialect.keyedTableOptions);
            CREATE INDEX bank_calls_made ON bank_calls (created);

            CREATE TABLE requested_calls (
                id \(bytes) PRIMARY KEY,
                enterprise TEXT NOT NULL,
                token \(bytes) NOT NULL,
                idempotency_key TEXT,
                fingerprint \(bytes) NOT NULL,
                epoch \(integer) NOT NULL,
                created \(integer) NOT NULL,
                confirmed \(integer),
                tag \(bytes)
            ) \(dialect.keyedTableOptions);
            CREATE INDEX requested_calls_of_token ON requested_calls (token, created);
            CREATE INDEX requested_calls_created ON requested_calls (created);

            CREATE TABLE imports (
                name TEXT PRIMARY KEY,
                line \(integer) NOT NULL,
                digest \(bytes) NOT NULL,
                accounts \(integer) NOT NULL,
                tokens \(integer) NOT NULL,
                rejected \(integer) NOT NULL
            ) \(dialect.keyedTableOptions);

            CREATE TABLE rejected_rows (
                import TEXT NOT NULL REFERENCES imports (name),
                line \(integer) NOT NULL,
                reason TEXT NOT NULL,
                PRIMARY KEY (import, line)
            ) \(dialect.keyedTableOptions);

            CREATE TABLE outbox (
                sequence \(integer) NOT NULL,
                target \(integer) NOT NULL,
                device \(bytes) NOT NULL DEFAULT \(dialect.noBytes),
                enterprise TEXT NOT NULL,
                account_type TEXT NOT NULL,
                account_id TEXT NOT NULL,
                subject TEXT NOT NULL,
                tries \(integer) NOT NULL,
                started \(integer) NOT NULL,
                due \(integer),
                state \(integer) NOT NULL,
                PRIMARY KEY (sequence, target, device)
            ) \(dialect.keyedTableOptions);
            CREATE INDEX outbox_due ON outbox (target, due) WHERE state = 0 AND due IS NOT NULL;
            CREATE INDEX outbox_delivered ON outbox (due) WHERE state = 1;
            CREATE INDEX outbox_of_account
                ON outbox (enterprise, account_type, account_id, target, sequence)
                WHERE state = 0;
            CREATE INDEX outbox_dead ON outbox (enterprise, sequence) WHERE state = 2;
            """
    }
}
