CREATE TABLE bank_tokens (
    id BYTEA PRIMARY KEY,
    secret_digest BYTEA NOT NULL,
    name TEXT NOT NULL UNIQUE,
    enterprise TEXT REFERENCES enterprises (id),
    role TEXT NOT NULL,
    created BIGINT NOT NULL,
    expiry BIGINT NOT NULL,
    revoked BIGINT
) ;

CREATE TABLE bank_calls (
    enterprise TEXT NOT NULL,
    name TEXT NOT NULL,
    made BIGINT NOT NULL,
    fingerprint BYTEA NOT NULL,
    outcome TEXT NOT NULL,
    PRIMARY KEY (enterprise, name)
) ;
CREATE INDEX bank_calls_made ON bank_calls (made);

CREATE INDEX archived_transactions_of_account
    ON archived_transactions (enterprise, account_type, account_id, created);
CREATE INDEX outbox_dead ON outbox (enterprise, sequence) WHERE state = 2;
