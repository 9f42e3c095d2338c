CREATE TABLE verifier (
    id BIGINT PRIMARY KEY CHECK (id = 1),
    store BYTEA NOT NULL,
    epoch BIGINT NOT NULL CHECK (epoch >= 0),
    audit_sequence BIGINT NOT NULL CHECK (audit_sequence >= 0),
    audit_moment BIGINT NOT NULL CHECK (audit_moment >= 0),
    audit_hash BYTEA NOT NULL,
    fingerprint_key BYTEA,
    least_key_version BIGINT NOT NULL CHECK (least_key_version >= 0),
    is_copy BIGINT NOT NULL CHECK (is_copy IN (0, 1))
) ;

CREATE TABLE enterprises (
    id TEXT PRIMARY KEY,
    policy TEXT NOT NULL,
    policy_version BIGINT NOT NULL
) ;

CREATE TABLE accounts (
    enterprise TEXT NOT NULL REFERENCES enterprises (id),
    type TEXT NOT NULL,
    id TEXT NOT NULL,
    person BYTEA,
    muted_until BIGINT,
    replaced_by_type TEXT,
    replaced_by_id TEXT,
    PRIMARY KEY (enterprise, type, id)
) ;
CREATE INDEX accounts_of_person ON accounts (enterprise, person)
    WHERE person IS NOT NULL;

CREATE TABLE activations (
    id TEXT PRIMARY KEY,
    enterprise TEXT NOT NULL,
    account_type TEXT NOT NULL,
    account_id TEXT NOT NULL,
    issued BIGINT NOT NULL,
    deadline BIGINT NOT NULL,
    state BIGINT NOT NULL,
    closed BIGINT,
    code BYTEA,
    claim_digest BYTEA,
    claim_offer BYTEA,
    failures BYTEA NOT NULL,
    FOREIGN KEY (enterprise, account_type, account_id)
        REFERENCES accounts (enterprise, type, id)
) ;
CREATE INDEX activations_of_account
    ON activations (enterprise, account_type, account_id);
CREATE INDEX activations_open ON activations (deadline) WHERE closed IS NULL;
CREATE INDEX activations_closed ON activations (closed) WHERE closed IS NOT NULL;

CREATE TABLE devices (
    id BYTEA PRIMARY KEY,
    enterprise TEXT NOT NULL,
    account_type TEXT NOT NULL,
    account_id TEXT NOT NULL,
    public_key BYTEA,
    token TEXT,
    name TEXT NOT NULL,
    standing BIGINT NOT NULL,
    activated BIGINT NOT NULL,
    notifications TEXT NOT NULL,
    CHECK ((public_key IS NULL) <> (token IS NULL)),
    FOREIGN KEY (enterprise, account_type, account_id)
        REFERENCES accounts (enterprise, type, id)
) ;
CREATE INDEX devices_of_account ON devices (enterprise, account_type, account_id);
CREATE UNIQUE INDEX devices_tokens ON devices (enterprise, name)
    WHERE token IS NOT NULL AND standing <> 3;
CREATE INDEX devices_revoked_tokens ON devices (enterprise, name)
    WHERE token IS NOT NULL AND standing = 3;

CREATE TABLE credentials (
    device BYTEA NOT NULL REFERENCES devices (id),
    kind BIGINT NOT NULL,
    id BYTEA NOT NULL,
    generation BIGINT NOT NULL CHECK (generation >= 0),
    counter BIGINT NOT NULL CHECK (counter >= 0),
    standing BIGINT NOT NULL,
    confirmed_in BIGINT NOT NULL,
    seed BYTEA NOT NULL,
    copy_noticed BIGINT NOT NULL,
    counted_with BYTEA,
    failures_in_a_row BIGINT NOT NULL,
    locks_in_a_row BIGINT NOT NULL,
    locked_until BIGINT,
    blocked BIGINT NOT NULL,
    failures BYTEA NOT NULL,
    PRIMARY KEY (device, kind)
) ;
CREATE INDEX credentials_counted_with ON credentials (counted_with)
    WHERE counted_with IS NOT NULL;

CREATE TABLE transactions (
    id TEXT PRIMARY KEY,
    enterprise TEXT NOT NULL,
    account_type TEXT NOT NULL,
    account_id TEXT NOT NULL,
    canonical_bytes BYTEA NOT NULL,
    accepted_authentication BIGINT NOT NULL,
    created BIGINT NOT NULL,
    deadline BIGINT NOT NULL,
    number BYTEA,
    state BIGINT NOT NULL,
    closed BIGINT,
    device BYTEA,
    detail TEXT,
    evidence BYTEA,
    FOREIGN KEY (enterprise, account_type, account_id)
        REFERENCES accounts (enterprise, type, id)
) ;
CREATE INDEX transactions_of_account
    ON transactions (enterprise, account_type, account_id, created);
CREATE INDEX transactions_pending ON transactions (deadline) WHERE closed IS NULL;
CREATE INDEX transactions_closed ON transactions (closed) WHERE closed IS NOT NULL;

CREATE TABLE archived_transactions (
    id TEXT PRIMARY KEY,
    enterprise TEXT NOT NULL,
    account_type TEXT NOT NULL,
    account_id TEXT NOT NULL,
    canonical_bytes BYTEA NOT NULL,
    accepted_authentication BIGINT NOT NULL,
    created BIGINT NOT NULL,
    deadline BIGINT NOT NULL,
    state BIGINT NOT NULL,
    closed BIGINT NOT NULL,
    device BYTEA,
    detail TEXT,
    evidence BYTEA
) ;

CREATE TABLE attempts (
    device BYTEA NOT NULL,
    id BYTEA NOT NULL,
    made BIGINT NOT NULL,
    fingerprint BYTEA NOT NULL,
    verdict TEXT NOT NULL,
    PRIMARY KEY (device, id)
) ;
CREATE INDEX attempts_made ON attempts (made);

CREATE TABLE logins (
    id TEXT PRIMARY KEY,
    enterprise TEXT NOT NULL,
    account_type TEXT NOT NULL,
    account_id TEXT NOT NULL,
    device BYTEA NOT NULL,
    type TEXT NOT NULL,
    data_digest BYTEA NOT NULL,
    granted BIGINT NOT NULL,
    redeemed BIGINT
) ;
CREATE INDEX logins_granted ON logins (granted);

CREATE TABLE imports (
    name TEXT PRIMARY KEY,
    line BIGINT NOT NULL,
    digest BYTEA NOT NULL,
    accounts BIGINT NOT NULL,
    tokens BIGINT NOT NULL,
    rejected BIGINT NOT NULL
) ;

CREATE TABLE rejected_rows (
    import TEXT NOT NULL REFERENCES imports (name),
    line BIGINT NOT NULL,
    reason TEXT NOT NULL,
    PRIMARY KEY (import, line)
) ;

CREATE TABLE audit (
    sequence BIGINT PRIMARY KEY,
    moment BIGINT NOT NULL,
    actor TEXT NOT NULL,
    kind TEXT NOT NULL,
    enterprise TEXT,
    account_type TEXT,
    account_id TEXT,
    subject TEXT NOT NULL,
    detail TEXT NOT NULL,
    traces BYTEA NOT NULL,
    hash BYTEA NOT NULL
) ;

CREATE TABLE outbox (
    sequence BIGINT NOT NULL,
    target BIGINT NOT NULL,
    enterprise TEXT NOT NULL,
    account_type TEXT NOT NULL,
    account_id TEXT NOT NULL,
    subject TEXT NOT NULL,
    tries BIGINT NOT NULL,
    due BIGINT NOT NULL,
    state BIGINT NOT NULL,
    PRIMARY KEY (sequence, target)
) ;
CREATE INDEX outbox_due ON outbox (due) WHERE state = 0;
CREATE INDEX outbox_delivered ON outbox (due) WHERE state = 1;
CREATE INDEX outbox_of_account
    ON outbox (enterprise, account_type, account_id, sequence) WHERE state = 0;
