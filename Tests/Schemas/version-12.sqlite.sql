CREATE TABLE verifier (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    store_id BLOB NOT NULL,
    epoch INTEGER NOT NULL CHECK (epoch >= 0),
    audit_sequence INTEGER NOT NULL CHECK (audit_sequence >= 0),
    audit_moment INTEGER NOT NULL CHECK (audit_moment >= 0),
    audit_hash BLOB NOT NULL,
    fingerprint_key BLOB,
    minimum_key_version INTEGER NOT NULL CHECK (minimum_key_version >= 0),
    is_backup INTEGER NOT NULL CHECK (is_backup IN (0, 1)),
    tag BLOB,
    restore_id BLOB
) STRICT;

CREATE TABLE audit (
    sequence INTEGER PRIMARY KEY,
    moment INTEGER NOT NULL,
    actor TEXT NOT NULL,
    kind TEXT NOT NULL,
    enterprise TEXT,
    account_type TEXT,
    account_id TEXT,
    subject TEXT NOT NULL,
    detail TEXT NOT NULL,
    traces BLOB NOT NULL,
    hash BLOB NOT NULL,
    tag BLOB
) STRICT;
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
    policy_version INTEGER NOT NULL,
    tag BLOB
) STRICT, WITHOUT ROWID;

CREATE TABLE accounts (
    enterprise TEXT NOT NULL REFERENCES enterprises (id),
    type TEXT NOT NULL,
    id TEXT NOT NULL,
    person BLOB,
    muted_until INTEGER,
    replaced_by_type TEXT,
    replaced_by_id TEXT,
    is_test INTEGER NOT NULL DEFAULT 0 CHECK (is_test IN (0, 1)),
    tag BLOB,
    consents BLOB,
    PRIMARY KEY (enterprise, type, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX accounts_of_person ON accounts (enterprise, person)
    WHERE person IS NOT NULL;

CREATE TABLE activations (
    id TEXT PRIMARY KEY,
    enterprise TEXT NOT NULL,
    account_type TEXT NOT NULL,
    account_id TEXT NOT NULL,
    issued INTEGER NOT NULL,
    deadline INTEGER NOT NULL,
    state INTEGER NOT NULL,
    closed INTEGER,
    code BLOB,
    claim_digest BLOB,
    claim_offer BLOB,
    failure_times BLOB NOT NULL,
    tag BLOB,
    is_web INTEGER CHECK (is_web = 1),
    FOREIGN KEY (enterprise, account_type, account_id)
        REFERENCES accounts (enterprise, type, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX activations_of_account ON activations (enterprise, account_type, account_id);
CREATE INDEX activations_open ON activations (deadline) WHERE closed IS NULL;
CREATE INDEX activations_closed ON activations (closed) WHERE closed IS NOT NULL;

CREATE TABLE devices (
    id BLOB PRIMARY KEY,
    enterprise TEXT NOT NULL,
    account_type TEXT NOT NULL,
    account_id TEXT NOT NULL,
    public_key BLOB,
    token_suite TEXT,
    name TEXT NOT NULL,
    status INTEGER NOT NULL,
    activated INTEGER NOT NULL,
    notifications TEXT NOT NULL,
    tag BLOB,
    notifications_tag BLOB,
    waits INTEGER CHECK (waits IN (0, 1)),
    waiting_amounts BLOB,
    is_web INTEGER CHECK (is_web = 1),
    CHECK ((public_key IS NULL) <> (token_suite IS NULL)),
    FOREIGN KEY (enterprise, account_type, account_id)
        REFERENCES accounts (enterprise, type, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX devices_of_account ON devices (enterprise, account_type, account_id);
CREATE UNIQUE INDEX devices_tokens ON devices (enterprise, name)
    WHERE token_suite IS NOT NULL AND status <> 3;
CREATE INDEX devices_revoked_tokens ON devices (enterprise, name)
    WHERE token_suite IS NOT NULL AND status = 3;

CREATE TABLE credentials (
    device BLOB NOT NULL REFERENCES devices (id),
    kind INTEGER NOT NULL,
    id BLOB NOT NULL,
    generation INTEGER NOT NULL CHECK (generation >= 0),
    counter INTEGER NOT NULL CHECK (counter >= 0),
    status INTEGER NOT NULL,
    confirmed_epoch INTEGER NOT NULL,
    seed BLOB NOT NULL,
    copy_detected INTEGER NOT NULL,
    counting_device BLOB,
    consecutive_failures INTEGER NOT NULL,
    consecutive_locks INTEGER NOT NULL,
    locked_until INTEGER,
    blocked INTEGER NOT NULL,
    failure_times BLOB NOT NULL,
    tag BLOB,
    failures_tag BLOB,
    PRIMARY KEY (device, kind)
) STRICT, WITHOUT ROWID;
CREATE INDEX credentials_counted_with ON credentials (counting_device)
    WHERE counting_device IS NOT NULL;
CREATE TABLE transactions (
    id TEXT PRIMARY KEY,
    enterprise TEXT NOT NULL,
    account_type TEXT NOT NULL,
    account_id TEXT NOT NULL,
    canonical_bytes BLOB NOT NULL,
    accepted_authentication INTEGER NOT NULL,
    created INTEGER NOT NULL,
    deadline INTEGER NOT NULL,
    number BLOB,
    state INTEGER NOT NULL,
    closed INTEGER,
    device BLOB,
    detail TEXT,
    evidence BLOB,
    tag BLOB,
    source INTEGER CHECK (source = 1),
    FOREIGN KEY (enterprise, account_type, account_id)
        REFERENCES accounts (enterprise, type, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX transactions_of_account
    ON transactions (enterprise, account_type, account_id, created);
CREATE INDEX transactions_pending ON transactions (deadline) WHERE closed IS NULL;
CREATE INDEX transactions_closed ON transactions (closed) WHERE closed IS NOT NULL;

CREATE TABLE archived_transactions (
    id TEXT PRIMARY KEY,
    enterprise TEXT NOT NULL,
    account_type TEXT NOT NULL,
    account_id TEXT NOT NULL,
    canonical_bytes BLOB NOT NULL,
    accepted_authentication INTEGER NOT NULL,
    created INTEGER NOT NULL,
    deadline INTEGER NOT NULL,
    state INTEGER NOT NULL,
    closed INTEGER NOT NULL,
    device BLOB,
    detail TEXT,
    evidence BLOB,
    tag BLOB,
    source INTEGER CHECK (source = 1)
) STRICT, WITHOUT ROWID;
CREATE INDEX archived_transactions_of_account
    ON archived_transactions (enterprise, account_type, account_id, created);

CREATE TABLE attempts (
    device BLOB NOT NULL,
    id BLOB NOT NULL,
    created INTEGER NOT NULL,
    fingerprint BLOB NOT NULL,
    verdict TEXT NOT NULL,
    tag BLOB,
    PRIMARY KEY (device, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX attempts_made ON attempts (created);

CREATE TABLE logins (
    id TEXT PRIMARY KEY,
    enterprise TEXT NOT NULL,
    account_type TEXT NOT NULL,
    account_id TEXT NOT NULL,
    device BLOB NOT NULL,
    type TEXT NOT NULL,
    data_digest BLOB NOT NULL,
    granted INTEGER NOT NULL,
    redeemed INTEGER,
    tag BLOB
) STRICT, WITHOUT ROWID;
CREATE INDEX logins_granted ON logins (granted);
CREATE TABLE bank_tokens (
    id BLOB PRIMARY KEY,
    secret_digest BLOB NOT NULL,
    name TEXT NOT NULL UNIQUE,
    enterprise TEXT REFERENCES enterprises (id),
    role TEXT NOT NULL,
    created INTEGER NOT NULL,
    expiry INTEGER NOT NULL,
    revoked INTEGER,
    tag BLOB
) STRICT, WITHOUT ROWID;

CREATE TABLE bank_calls (
    enterprise TEXT NOT NULL,
    idempotency_key TEXT NOT NULL,
    created INTEGER NOT NULL,
    fingerprint BLOB NOT NULL,
    outcome TEXT NOT NULL,
    tag BLOB,
    PRIMARY KEY (enterprise, idempotency_key)
) STRICT, WITHOUT ROWID;
CREATE INDEX bank_calls_made ON bank_calls (created);

CREATE TABLE requested_calls (
    id BLOB PRIMARY KEY,
    enterprise TEXT NOT NULL,
    token BLOB NOT NULL,
    idempotency_key TEXT,
    fingerprint BLOB NOT NULL,
    epoch INTEGER NOT NULL,
    created INTEGER NOT NULL,
    confirmed INTEGER,
    tag BLOB
) STRICT, WITHOUT ROWID;
CREATE INDEX requested_calls_of_token ON requested_calls (token, created);
CREATE INDEX requested_calls_created ON requested_calls (created);

CREATE TABLE imports (
    name TEXT PRIMARY KEY,
    line INTEGER NOT NULL,
    digest BLOB NOT NULL,
    accounts INTEGER NOT NULL,
    tokens INTEGER NOT NULL,
    rejected INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE rejected_rows (
    import TEXT NOT NULL REFERENCES imports (name),
    line INTEGER NOT NULL,
    reason TEXT NOT NULL,
    PRIMARY KEY (import, line)
) STRICT, WITHOUT ROWID;

CREATE TABLE outbox (
    sequence INTEGER NOT NULL,
    target INTEGER NOT NULL,
    device BLOB NOT NULL DEFAULT x'',
    enterprise TEXT NOT NULL,
    account_type TEXT NOT NULL,
    account_id TEXT NOT NULL,
    subject TEXT NOT NULL,
    tries INTEGER NOT NULL,
    started INTEGER NOT NULL,
    due INTEGER,
    state INTEGER NOT NULL,
    PRIMARY KEY (sequence, target, device)
) STRICT, WITHOUT ROWID;
CREATE INDEX outbox_due ON outbox (target, due) WHERE state = 0 AND due IS NOT NULL;
CREATE INDEX outbox_delivered ON outbox (due) WHERE state = 1;
CREATE INDEX outbox_of_account
    ON outbox (enterprise, account_type, account_id, target, sequence)
    WHERE state = 0;
CREATE INDEX outbox_dead ON outbox (enterprise, sequence) WHERE state = 2;
