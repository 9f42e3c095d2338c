import Storage

extension Schema {
    /// Creates the first tables.
    ///
    /// Version 4 renames some of their columns: `Columns.swift` has the current names.
    @Sendable
    static func version1(_ dialect: SQLDialect) -> String {
        let (integer, bytes) = (dialect.integer, dialect.bytes)
        let (table, keyedTable) = (dialect.tableOptions, dialect.keyedTableOptions)
        return """
            CREATE TABLE verifier (
                id \(integer) PRIMARY KEY CHECK (id = 1),
                store \(bytes) NOT NULL,
                epoch \(integer) NOT NULL CHECK (epoch >= 0),
                audit_sequence \(integer) NOT NULL CHECK (audit_sequence >= 0),
                audit_moment \(integer) NOT NULL CHECK (audit_moment >= 0),
                audit_hash \(bytes) NOT NULL,
                fingerprint_key \(bytes),
                least_key_version \(integer) NOT NULL CHECK (least_key_version >= 0),
                is_copy \(integer) NOT NULL CHECK (is_copy IN (0, 1))
            ) \(table);

            CREATE TABLE enterprises (
                id TEXT PRIMARY KEY,
                policy TEXT NOT NULL,
                policy_version \(integer) NOT NULL
            ) \(keyedTable);

            CREATE TABLE accounts (
                enterprise TEXT NOT NULL REFERENCES enterprises (id),
                type TEXT NOT NULL,
                id TEXT NOT NULL,
                person \(bytes),
                muted_until \(integer),
                replaced_by_type TEXT,
                replaced_by_id TEXT,
                PRIMARY KEY (enterprise, type, id)
            ) \(keyedTable);
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
                failures \(bytes) NOT NULL,
                FOREIGN KEY (enterprise, account_type, account_id)
                    REFERENCES accounts (enterprise, type, id)
            ) \(keyedTable);
            CREATE INDEX activations_of_account
                ON activations (enterprise, account_type, account_id);
            CREATE INDEX activations_open ON activations (deadline) WHERE closed IS NULL;
            CREATE INDEX activations_closed ON activations (closed) WHERE closed IS NOT NULL;

            CREATE TABLE devices (
                id \(bytes) PRIMARY KEY,
                enterprise TEXT NOT NULL,
                account_type TEXT NOT NULL,
                account_id TEXT NOT NULL,
                public_key \(bytes),
                token TEXT,
                name TEXT NOT NULL,
                standing \(integer) NOT NULL,
                activated \(integer) NOT NULL,
                notifications TEXT NOT NULL,
                CHECK ((public_key IS NULL) <> (token IS NULL)),
                FOREIGN KEY (enterprise, account_type, account_id)
                    REFERENCES accounts (enterprise, type, id)
            ) \(keyedTable);
            CREATE INDEX devices_of_account ON devices (enterprise, account_type, account_id);
            CREATE UNIQUE INDEX devices_tokens ON devices (enterprise, name)
                WHERE token IS NOT NULL AND standing <> 3;
            CREATE INDEX devices_revoked_tokens ON devices (enterprise, name)
                WHERE token IS NOT NULL AND standing = 3;

            CREATE TABLE credentials (
                device \(bytes) NOT NULL REFERENCES devices (id),
                kind \(integer) NOT NULL,
                id \(bytes) NOT NULL,
                generation \(integer) NOT NULL CHECK (generation >= 0),
                counter \(integer) NOT NULL CHECK (counter >= 0),
                standing \(integer) NOT NULL,
                confirmed_in \(integer) NOT NULL,
                seed \(bytes) NOT NULL,
                copy_noticed \(integer) NOT NULL,
                counted_with \(bytes),
                failures_in_a_row \(integer) NOT NULL,
                locks_in_a_row \(integer) NOT NULL,
                locked_until \(integer),
                blocked \(integer) NOT NULL,
                failures \(bytes) NOT NULL,
                PRIMARY KEY (device, kind)
            ) \(keyedTable);
            CREATE INDEX credentials_counted_with ON credentials (counted_with)
                WHERE counted_with IS NOT NULL;

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
                FOREIGN KEY (enterprise, account_type, account_id)
                    REFERENCES accounts (enterprise, type, id)
            ) \(keyedTable);
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
                evidence \(bytes)
            ) \(keyedTable);

            CREATE TABLE attempts (
                device \(bytes) NOT NULL,
                id \(bytes) NOT NULL,
                made \(integer) NOT NULL,
                fingerprint \(bytes) NOT NULL,
                verdict TEXT NOT NULL,
                PRIMARY KEY (device, id)
            ) \(keyedTable);
            CREATE INDEX attempts_made ON attempts (made);

            CREATE TABLE logins (
                id TEXT PRIMARY KEY,
                enterprise TEXT NOT NULL,
                account_type TEXT NOT NULL,
                account_id TEXT NOT NULL,
                device \(bytes) NOT NULL,
                type TEXT NOT NULL,
                data_digest \(bytes) NOT NULL,
                granted \(integer) NOT NULL,
                redeemed \(integer)
            ) \(keyedTable);
            CREATE INDEX logins_granted ON logins (granted);

            CREATE TABLE imports (
                name TEXT PRIMARY KEY,
                line \(integer) NOT NULL,
                digest \(bytes) NOT NULL,
                accounts \(integer) NOT NULL,
                tokens \(integer) NOT NULL,
                rejected \(integer) NOT NULL
            ) \(keyedTable);

            CREATE TABLE rejected_rows (
                import TEXT NOT NULL REFERENCES imports (name),
                line \(integer) NOT NULL,
                reason TEXT NOT NULL,
                PRIMARY KEY (import, line)
            ) \(keyedTable);

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
                hash \(bytes) NOT NULL
            ) \(table);

            CREATE TABLE outbox (
                sequence \(integer) NOT NULL,
                target \(integer) NOT NULL,
                enterprise TEXT NOT NULL,
                account_type TEXT NOT NULL,
                account_id TEXT NOT NULL,
                subject TEXT NOT NULL,
                tries \(integer) NOT NULL,
                due \(integer) NOT NULL,
                state \(integer) NOT NULL,
                PRIMARY KEY (sequence, target)
            ) \(keyedTable);
            CREATE INDEX outbox_due ON outbox (due) WHERE state = 0;
            CREATE INDEX outbox_delivered ON outbox (due) WHERE state = 1;
            CREATE INDEX outbox_of_account
                ON outbox (enterprise, account_type, account_id, sequence) WHERE state = 0;
            """
    }
}
