CREATE TABLE verifier (
    id BIGINT PRIMARY KEY CHECK (id = 1),
    store_id BYTEA NOT NULL,
    epoch BIGINT NOT NULL CHECK (epoch >= 0),
    audit_sequence BIGINT NOT NULL CHECK (audit_sequence >= 0),
    audit_moment BIGINT NOT NULL CHECK (audit_moment >= 0),
    audit_hash BYTEA NOT NULL,
    fingerprint_key BYTEA,
    minimum_key_version BIGINT NOT NULL CHECK (minimum_key_version >= 0),
    is_backup BIGINT NOT NULL CHECK (is_backup IN (0, 1)),
    tag BYTEA,
    restore_id BYTEA
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
    hash BYTEA NOT NULL,
    tag BYTEA
) ;
CREATE INDEX audit_account_changes ON audit (enterprise, account_type, account_id, sequence)
    WHERE (kind = 'account.linked' OR kind = 'account.replaced'
    OR kind = 'activation.issued' OR kind = 'device.activated'
    OR kind = 'device.token-added' OR kind = 'device.revoked'
    OR kind = 'credential.rekeyed' OR kind = 'credential.locked'
    OR kind = 'credential.blocked');
CREATE INDEX audit_merged_accounts ON audit (enterprise, subject, sequence)
    WHERE (kind = 'account.linked' OR kind = 'account.replaced');
CREATE INDEX audit_notifications ON audit (subject, sequence) WHERE kind = 'transaction.notified';
CREATE TABLE enterprises (
    id TEXT PRIMARY KEY,
    policy TEXT NOT NULL,
    policy_version BIGINT NOT NULL,
    tag BYTEA
) ;

CREATE TABLE accounts (
    enterprise TEXT NOT NULL REFERENCES enterprises (id),
    type TEXT NOT NULL,
    id TEXT NOT NULL,
    person BYTEA,
    muted_until BIGINT,
    replaced_by_type TEXT,
    replaced_by_id TEXT,
    is_test BIGINT NOT NULL DEFAULT 0 CHECK (is_test IN (0, 1)),
    tag BYTEA,
    consents BYTEA,
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
    failure_times BYTEA NOT NULL,
    tag BYTEA,
    is_web BIGINT CHECK (is_web = 1),
    FOREIGN KEY (enterprise, account_type, account_id)
        REFERENCES accounts (enterprise, type, id)
) ;
CREATE INDEX activations_of_account ON activations (enterprise, account_type, account_id);
CREATE INDEX activations_open ON activations (deadline) WHERE closed IS NULL;
CREATE INDEX activations_closed ON activations (closed) WHERE closed IS NOT NULL;

CREATE TABLE devices (
    id BYTEA PRIMARY KEY,
    enterprise TEXT NOT NULL,
    account_type TEXT NOT NULL,
    account_id TEXT NOT NULL,
    public_key BYTEA,
    token_suite TEXT,
    name TEXT NOT NULL,
    status BIGINT NOT NULL,
    activated BIGINT NOT NULL,
    notifications TEXT NOT NULL,
    tag BYTEA,
    notifications_tag BYTEA,
    waits BIGINT CHECK (waits IN (0, 1)),
    waiting_amounts BYTEA,
    is_web BIGINT CHECK (is_web = 1),
    CHECK ((public_key IS NULL) <> (token_suite IS NULL)),
    FOREIGN KEY (enterprise, account_type, account_id)
        REFERENCES accounts (enterprise, type, id)
) ;
CREATE INDEX devices_of_account ON devices (enterprise, account_type, account_id);
CREATE UNIQUE INDEX devices_tokens ON devices (enterprise, name)
    WHERE token_suite IS NOT NULL AND status <> 3;
CREATE INDEX devices_revoked_tokens ON devices (enterprise, name)
    WHERE token_suite IS NOT NULL AND status = 3;

CREATE TABLE credentials (
    device BYTEA NOT NULL REFERENCES devices (id),
    kind BIGINT NOT NULL,
    id BYTEA NOT NULL,
    generation BIGINT NOT NULL CHECK (generation >= 0),
    counter BIGINT NOT NULL CHECK (counter >= 0),
    status BIGINT NOT NULL,
    confirmed_epoch BIGINT NOT NULL,
    seed BYTEA NOT NULL,
    copy_detected BIGINT NOT NULL,
    counting_device BYTEA,
    consecutive_failures BIGINT NOT NULL,
    consecutive_locks BIGINT NOT NULL,
    locked_until BIGINT,
    blocked BIGINT NOT NULL,
    failure_times BYTEA NOT NULL,
    tag BYTEA,
    failures_tag BYTEA,
    PRIMARY KEY (device, kind)
) ;
CREATE INDEX credentials_counted_with ON credentials (counting_device)
    WHERE counting_device IS NOT NULL;
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
    tag BYTEA,
    source BIGINT CHECK (source = 1),
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
    evidence BYTEA,
    tag BYTEA,
    source BIGINT CHECK (source = 1)
) ;
CREATE INDEX archived_transactions_of_account
    ON archived_transactions (enterprise, account_type, account_id, created);

CREATE TABLE attempts (
    device BYTEA NOT NULL,
    id BYTEA NOT NULL,
    created BIGINT NOT NULL,
    fingerprint BYTEA NOT NULL,
    verdict TEXT NOT NULL,
    tag BYTEA,
    PRIMARY KEY (device, id)
) ;
CREATE INDEX attempts_made ON attempts (created);

CREATE TABLE logins (
    id TEXT PRIMARY KEY,
    enterprise TEXT NOT NULL,
    account_type TEXT NOT NULL,
    account_id TEXT NOT NULL,
    device BYTEA NOT NULL,
    type TEXT NOT NULL,
    data_digest BYTEA NOT NULL,
    granted BIGINT NOT NULL,
    redeemed BIGINT,
    tag BYTEA
) ;
CREATE INDEX logins_granted ON logins (granted);
CREATE TABLE bank_tokens (
    id BYTEA PRIMARY KEY,
    secret_digest BYTEA NOT NULL,
    name TEXT NOT NULL UNIQUE,
    enterprise TEXT REFERENCES enterprises (id),
    role TEXT NOT NULL,
    created BIGINT NOT NULL,
    expiry BIGINT NOT NULL,
    revoked BIGINT,
    tag BYTEA
) ;

CREATE TABLE bank_calls (
    enterprise TEXT NOT NULL,
    idempotency_key TEXT NOT NULL,
    created BIGINT NOT NULL,
    fingerprint BYTEA NOT NULL,
    outcome TEXT NOT NULL,
    tag BYTEA,
    PRIMARY KEY (enterprise, idempotency_key)
) ;
CREATE INDEX bank_calls_made ON bank_calls (created);

CREATE TABLE requested_calls (
    id BYTEA PRIMARY KEY,
    enterprise TEXT NOT NULL,
    token BYTEA NOT NULL,
    idempotency_key TEXT,
    fingerprint BYTEA NOT NULL,
    epoch BIGINT NOT NULL,
    created BIGINT NOT NULL,
    confirmed BIGINT,
    tag BYTEA
) ;
CREATE INDEX requested_calls_of_token ON requested_calls (token, created);
CREATE INDEX requested_calls_created ON requested_calls (created);

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

CREATE TABLE outbox (
    sequence BIGINT NOT NULL,
    target BIGINT NOT NULL,
    device BYTEA NOT NULL DEFAULT '',
    enterprise TEXT NOT NULL,
    account_type TEXT NOT NULL,
    account_id TEXT NOT NULL,
    subject TEXT NOT NULL,
    tries BIGINT NOT NULL,
    started BIGINT NOT NULL,
    due BIGINT,
    state BIGINT NOT NULL,
    PRIMARY KEY (sequence, target, device)
) ;
CREATE INDEX outbox_due ON outbox (target, due) WHERE state = 0 AND due IS NOT NULL;
CREATE INDEX outbox_delivered ON outbox (due) WHERE state = 1;
CREATE INDEX outbox_of_account
    ON outbox (enterprise, account_type, account_id, target, sequence)
    WHERE state = 0;
CREATE INDEX outbox_dead ON outbox (enterprise, sequence) WHERE state = 2;
