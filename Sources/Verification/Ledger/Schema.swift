package import Storage

/// The tables of a verifier, from one version to the next.
///
/// Identifiers are the primary keys, and a decision finds each row by one of them. Times are
/// milliseconds since 1970. A missing value is null.
package enum Schema {
    package static let migrations = [
        Migration(version1), Migration(version2), Migration(version3), Migration(version4),
        Migration(version5), Migration(version6), Migration(version7), Migration(version8),
        Migration(version9), Migration(version10), Migration(version11), Migration(version12),
    ]

    /// Adds the tables for the bank's API.
    @Sendable
    private static func version2(_ dialect: SQLDialect) -> String {
        let (integer, bytes) = (dialect.integer, dialect.bytes)
        let keyedTable = dialect.keyedTableOptions
        return """
            CREATE TABLE bank_tokens (
                id \(bytes) PRIMARY KEY,
                secret_digest \(bytes) NOT NULL,
                name TEXT NOT NULL UNIQUE,
                enterprise TEXT REFERENCES enterprises (id),
                role TEXT NOT NULL,
                created \(integer) NOT NULL,
                expiry \(integer) NOT NULL,
                revoked \(integer)
            ) \(keyedTable);

            CREATE TABLE bank_calls (
                enterprise TEXT NOT NULL,
                name TEXT NOT NULL,
                made \(integer) NOT NULL,
                fingerprint \(bytes) NOT NULL,
                outcome TEXT NOT NULL,
                PRIMARY KEY (enterprise, name)
            ) \(keyedTable);
            CREATE INDEX bank_calls_made ON bank_calls (made);

            CREATE INDEX archived_transactions_of_account
                ON archived_transactions (enterprise, account_type, account_id, created);
            CREATE INDEX outbox_dead ON outbox (enterprise, sequence) WHERE state = 2;
            """
    }

    /// Queues pushes for each device, and finds due deliveries without reading those behind them.
    ///
    /// A push for an account becomes one push for each device that wants pushes. Each keeps its state,
    /// so dead letters can still be sent again.
    @Sendable
    private static func version3(_ dialect: SQLDialect) -> String {
        let (integer, bytes) = (dialect.integer, dialect.bytes)
        return """
            ALTER TABLE outbox RENAME TO earlier_outbox;
            CREATE TABLE outbox (
                sequence \(integer) NOT NULL,
                target \(integer) NOT NULL,
                device \(bytes) NOT NULL DEFAULT \(dialect.noBytes),
                enterprise TEXT NOT NULL,
                account_type TEXT NOT NULL,
                account_id TEXT NOT NULL,
                subject TEXT NOT NULL,
                tries \(integer) NOT NULL,
                since \(integer) NOT NULL,
                due \(integer),
                state \(integer) NOT NULL,
                PRIMARY KEY (sequence, target, device)
            ) \(dialect.keyedTableOptions);
            INSERT INTO outbox (sequence, target, enterprise, account_type, account_id, subject,
                tries, since, due, state)
            SELECT sequence, target, enterprise, account_type, account_id, subject, tries,
                (SELECT moment FROM audit WHERE audit.sequence = moved.sequence),
                CASE WHEN state = 0 AND EXISTS (
                    SELECT 1 FROM earlier_outbox AS earlier
                    WHERE earlier.enterprise = moved.enterprise
                        AND earlier.account_type = moved.account_type
                        AND earlier.account_id = moved.account_id
                        AND earlier.sequence < moved.sequence
                        AND earlier.target = 1 AND earlier.state = 0)
                    THEN NULL ELSE due END,
                state
            FROM earlier_outbox AS moved WHERE target = 1;
            INSERT INTO outbox (sequence, target, device, enterprise, account_type, account_id,
                subject, tries, since, due, state)
            SELECT moved.sequence, 2, devices.id, moved.enterprise, moved.account_type,
                moved.account_id, moved.subject, moved.tries,
                (SELECT moment FROM audit WHERE audit.sequence = moved.sequence),
                moved.due, moved.state
            FROM earlier_outbox AS moved JOIN devices
                ON devices.enterprise = moved.enterprise
                AND devices.account_type = moved.account_type
                AND devices.account_id = moved.account_id
            WHERE moved.target = 2 AND devices.notifications <> ''
                AND devices.notifications <> 'off';
            DROP TABLE earlier_outbox;
            CREATE INDEX outbox_due ON outbox (target, due) WHERE state = 0 AND due IS NOT NULL;
            CREATE INDEX outbox_delivered ON outbox (due) WHERE state = 1;
            CREATE INDEX outbox_of_account
                ON outbox (enterprise, account_type, account_id, target, sequence)
                WHERE state = 0;
            CREATE INDEX outbox_dead ON outbox (enterprise, sequence) WHERE state = 2;
            """
    }

    /// Gives columns plain names.
    ///
    /// Audit records contain values of rows, not names, and stay valid.
    @Sendable
    private static func version4(_ dialect: SQLDialect) -> String {
        """
        ALTER TABLE verifier RENAME COLUMN store TO store_id;
        ALTER TABLE verifier RENAME COLUMN least_key_version TO minimum_key_version;
        ALTER TABLE verifier RENAME COLUMN is_copy TO is_backup;
        ALTER TABLE activations RENAME COLUMN failures TO failure_times;
        ALTER TABLE devices RENAME COLUMN token TO token_suite;
        ALTER TABLE devices RENAME COLUMN standing TO status;
        ALTER TABLE credentials RENAME COLUMN standing TO status;
        ALTER TABLE credentials RENAME COLUMN confirmed_in TO confirmed_epoch;
        ALTER TABLE credentials RENAME COLUMN copy_noticed TO copy_detected;
        ALTER TABLE credentials RENAME COLUMN counted_with TO counting_device;
        ALTER TABLE credentials RENAME COLUMN failures_in_a_row TO consecutive_failures;
        ALTER TABLE credentials RENAME COLUMN locks_in_a_row TO consecutive_locks;
        ALTER TABLE credentials RENAME COLUMN failures TO failure_times;
        ALTER TABLE attempts RENAME COLUMN made TO created;
        ALTER TABLE bank_calls RENAME COLUMN name TO idempotency_key;
        ALTER TABLE bank_calls RENAME COLUMN made TO created;
        ALTER TABLE outbox RENAME COLUMN since TO started;
        """
    }

    /// Marks test accounts.
    @Sendable
    private static func version5(_ dialect: SQLDialect) -> String {
        """
        ALTER TABLE accounts ADD COLUMN is_test \(dialect.integer) NOT NULL DEFAULT 0
            CHECK (is_test IN (0, 1));
        """
    }

    /// Adds the tags of rows.
    ///
    /// They stay null until an operator trusts the rows of the store.
    @Sendable
    private static func version6(_ dialect: SQLDialect) -> String {
        let columns = [
            ("verifier", "tag"), ("enterprises", "tag"), ("accounts", "tag"),
            ("activations", "tag"), ("devices", "tag"), ("devices", "notifications_tag"),
            ("credentials", "tag"), ("credentials", "failures_tag"), ("transactions", "tag"),
            ("archived_transactions", "tag"), ("logins", "tag"), ("attempts", "tag"),
            ("bank_tokens", "tag"), ("bank_calls", "tag"), ("audit", "tag"),
        ]
        return columns.map { table, column in
            "ALTER TABLE \(table) ADD COLUMN \(column) \(dialect.bytes);"
        }.joined(separator: "\n")
    }

    /// Adds the count of approvals by consent alone.
    @Sendable
    private static func version7(_ dialect: SQLDialect) -> String {
        "ALTER TABLE accounts ADD COLUMN consents \(dialect.bytes);"
    }

    /// Finds the records that devices show, without reading the others.
    @Sendable
    private static func version8(_ dialect: SQLDialect) -> String {
        """
        CREATE INDEX audit_account_changes
            ON audit (enterprise, account_type, account_id, sequence) WHERE kind IN (\
        'account.linked', 'account.replaced', 'activation.issued', 'device.activated', \
        'device.token-added', 'device.revoked', 'credential.rekeyed', 'credential.locked', \
        'credential.blocked');
        CREATE INDEX audit_merged_accounts
            ON audit (enterprise, subject, sequence) \
        WHERE kind IN ('account.linked', 'account.replaced');
        """
    }

    /// Adds whether a device waits after its activation, and the amounts that it approved meanwhile.
    ///
    /// Also adds the calls that wait for a second person, and the id of the last restore.
    /// An installation of an earlier version has null, and waits. Tags of earlier versions do not
    /// cover claims, so a device between the two steps of its activation repeats the first one.
    /// SQLite made a temporary table of each `IN` in the condition of an index, for every record.
    @Sendable
    private static func version9(_ dialect: SQLDialect) -> String {
        let (integer, bytes) = (dialect.integer, dialect.bytes)
        return """
            ALTER TABLE devices ADD COLUMN waits \(integer) CHECK (waits IN (0, 1));
            ALTER TABLE devices ADD COLUMN waiting_amounts \(bytes);
            UPDATE activations SET claim_digest = NULL, claim_offer = NULL
                WHERE claim_digest IS NOT NULL OR claim_offer IS NOT NULL;
            ALTER TABLE verifier ADD COLUMN restore_id \(bytes);
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
            DROP INDEX audit_account_changes;
            CREATE INDEX audit_account_changes
                ON audit (enterprise, account_type, account_id, sequence) WHERE \(isAccountChange);
            DROP INDEX audit_merged_accounts;
            CREATE INDEX audit_merged_accounts
                ON audit (enterprise, subject, sequence) WHERE \(isMergedAccount);
            """
    }

    /// Adds whether an activation or a device is for a web browser.
    ///
    /// Existing rows have null, and their tags stay valid: see `TaggedPart`.
    @Sendable
    private static func version10(_ dialect: SQLDialect) -> String {
        ["activations", "devices"].map { table in
            "ALTER TABLE \(table) ADD COLUMN is_web \(dialect.integer) CHECK (is_web = 1);"
        }.joined(separator: "\n")
    }

    /// Adds the source of a transaction.
    ///
    /// Existing rows have null, and their tags stay valid: see `TaggedPart`.
    @Sendable
    private static func version11(_ dialect: SQLDialect) -> String {
        ["transactions", "archived_transactions"].map { table in
            "ALTER TABLE \(table) ADD COLUMN source \(dialect.integer) CHECK (source = 1);"
        }.joined(separator: "\n")
    }

    /// Finds the further notifications of a transaction, without reading other records.
    @Sendable
    private static func version12(_ dialect: SQLDialect) -> String {
        "CREATE INDEX audit_notifications ON audit (subject, sequence) WHERE \(isNotification);"
    }
}
