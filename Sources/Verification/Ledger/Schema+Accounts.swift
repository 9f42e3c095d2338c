import Storage

extension Schema {
    /// Enterprises, and the accounts of their customers with devices and credentials.
    static func accounts(_ dialect: SQLDialect) -> String {
        let (integer, bytes) = (dialect.integer, dialect.bytes)
        return """
            CREATE TABLE enterprises (
                id TEXT PRIMARY KEY,
                policy TEXT NOT NULL,
                policy_version \(integer) NOT NULL,
                tag \(bytes)
            ) \(dialect.keyedTableOptions);

            CREATE TABLE accounts (
                enterprise TEXT NOT NULL REFERENCES enterprises (id),
                type TEXT NOT NULL,
                id TEXT NOT NULL,
                person \(bytes),
                muted_until \(integer),
                replaced_by_type TEXT,
                replaced_by_id TEXT,
                is_test \(integer) NOT NULL DEFAULT 0 CHECK (is_test IN (0, 1)),
                tag \(bytes),
                consents \(bytes),
                PRIMARY KEY (enterprise, type, id)
            ) \(dialect.keyedTableOptions);
            CREATE INDEX accounts_of_person ON accounts (enterprise, person)
                WHERE person IS NOT NULL;

            CREATE TABLE activations (
                id TEXT PRIMARY KEY,
                enterprise TEXT NOT NULL,
                account_type TEXT NOT NULL,
                account_id TEXT NOT NULL,
                issued \(integer) NOT NULL,
                deadline \(integer) NOT NULL,
                state \(integer) NOT NULL,
                closed \(integer),
                code \(bytes),
                claim_digest \(bytes),
                claim_offer \(bytes),
                failure_times \(bytes) NOT NULL,
                tag \(bytes),
                is_web \(integer) CHECK (is_web = 1),
                FOREIGN KEY (enterprise, account_type, account_id)
                    REFERENCES accounts (enterprise, type, id)
            ) \(dialect.keyedTableOptions);
            CREATE INDEX activations_of_account ON activations (enterprise, account_type, account_id);
            CREATE INDEX activations_open ON activations (deadline) WHERE closed IS NULL;
            CREATE INDEX activations_closed ON activations (closed) WHERE closed IS NOT NULL;

            CREATE TABLE devices (
                id \(bytes) PRIMARY KEY,
                enterprise TEXT NOT NULL,
                account_type TEXT NOT NULL,
                account_id TEXT NOT NULL,
                public_key \(bytes),
                token_suite TEXT,
                name TEXT NOT NULL,
                status \(integer) NOT NULL,
                activated \(integer) NOT NULL,
                notifications TEXT NOT NULL,
                tag \(bytes),
                notifications_tag \(bytes),
                waits \(integer) CHECK (waits IN (0, 1)),
                waiting_amounts \(bytes),
                is_web \(integer) CHECK (is_web = 1),
                CHECK ((public_key IS NULL) <> (token_suite IS NULL)),
                FOREIGN KEY (enterprise, account_type, account_id)
                    REFERENCES accounts (enterprise, type, id)
            ) \(dialect.keyedTableOptions);
            CREATE INDEX devices_of_account ON devices (enterprise, account_type, account_id);
            CREATE UNIQUE INDEX devices_tokens ON devices (enterprise, name)
                WHERE token_suite IS NOT NULL AND status <> 3;
            CREATE INDEX devices_revoked_tokens ON devices (enterprise, name)
                WHERE token_suite IS NOT NULL AND status = 3;

            CREATE TABLE credentials (
                device \(bytes) NOT NULL REFERENCES devices (id),
                kind \(integer) NOT NULL,
                id \(bytes) NOT NULL,
                generation \(integer) NOT NULL CHECK (generation >= 0),
                counter \(integer) NOT NULL CHECK (counter >= 0),
                status \(integer) NOT NULL,
                confirmed_epoch \(integer) NOT NULL,
                seed \(bytes) NOT NULL,
                copy_detected \(integer) NOT NULL,
                counting_device \(bytes),
                consecutive_failures \(integer) NOT NULL,
                consecutive_locks \(integer) NOT NULL,
                locked_until \(integer),
                blocked \(integer) NOT NULL,
                failure_times \(bytes) NOT NULL,
                tag \(bytes),
                failures_tag \(bytes),
                PRIMARY KEY (device, kind)
            ) \(dialect.keyedTableOptions);
            CREATE INDEX credentials_counted_with ON credentials (counting_device)
                WHERE counting_device IS NOT NULL;
            """
    }
}
