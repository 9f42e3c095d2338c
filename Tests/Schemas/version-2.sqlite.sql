CREATE TABLE bank_tokens (
    id BLOB PRIMARY KEY,
    secret_digest BLOB NOT NULL,
    name TEXT NOT NULL UNIQUE,
    enterprise TEXT REFERENCES enterprises (id),
    role TEXT NOT NULL,
    created INTEGER NOT NULL,
    expiry INTEGER NOT NULL,
    revoked INTEGER
) STRICT, WITHOUT ROWID;

CREATE TABLE bank_calls (
    enterprise TEXT NOT NULL,
    name TEXT NOT NULL,
    made INTEGER NOT NULL,
    fingerprint BLOB NOT NULL,
    outcome TEXT NOT NULL,
    PRIMARY KEY (enterprise, name)
) STRICT, WITHOUT ROWID;
CREATE INDEX bank_calls_made ON bank_calls (made);

CREATE INDEX archived_transactions_of_account
    ON archived_transactions (enterprise, account_type, account_id, created);
CREATE INDEX outbox_dead ON outbox (enterprise, sequence) WHERE state = 2;
