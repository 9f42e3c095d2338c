CREATE TABLE verifier (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    store BLOB NOT NULL,
    epoch INTEGER NOT NULL CHECK (epoch >= 0),
    audit_sequence INTEGER NOT NULL CHECK (audit_sequence >= 0),
    audit_moment INTEGER NOT NULL CHECK (audit_moment >= 0),
    audit_hash BLOB NOT NULL,
    fingerprint_key BLOB,
    least_key_version INTEGER NOT NULL CHECK (least_key_version >= 0),
    is_copy INTEGER NOT NULL CHECK (is_copy IN (0, 1))
) STRICT;

CREATE TABLE enterprises (
    id TEXT PRIMARY KEY,
    policy TEXT NOT NULL,
    policy_version INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE accounts (
    enterprise TEXT NOT NULL REFERENCES enterprises (id),
    type TEXT NOT NULL,
    id TEXT NOT NULL,
    person BLOB,
    muted_until INTEGER,
    replaced_by_type TEXT,
    replaced_by_id TEXT,
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
    failures BLOB NOT NULL,
    FOREIGN KEY (enterprise, account_type, account_id)
        REFERENCES accounts (enterprise, type, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX activations_of_account
    ON activations (enterprise, account_type, account_id);
CREATE INDEX activations_open ON activations (deadline) WHERE closed IS NULL;
CREATE INDEX activations_closed ON activations (closed) WHERE closed IS NOT NULL;

CREATE TABLE devices (
    id BLOB PRIMARY KEY,
    enterprise TEXT NOT NULL,
    account_type TEXT NOT NULL,
    account_id TEXT NOT NULL,
    public_key BLOB,
    token TEXT,
    name TEXT NOT NULL,
    standing INTEGER NOT NULL,
    activated INTEGER NOT NULL,
    notifications TEXT NOT NULL,
    CHECK ((public_key IS NULL) <> (token IS NULL)),
    FOREIGN KEY (enterprise, account_type, account_id)
        REFERENCES accounts (enterprise, type, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX devices_of_account ON devices (enterprise, account_type, account_id);
CREATE UNIQUE INDEX devices_tokens ON devices (enterprise, name)
    WHERE token IS NOT NULL AND standing <> 3;
CREATE INDEX devices_revoked_tokens ON devices (enterprise, name)
    WHERE token IS NOT NULL AND standing = 3;

CREATE TABLE credentials (
    device BLOB NOT NULL REFERENCES devices (id),
    kind INTEGER NOT NULL,
    id BLOB NOT NULL,
    generation INTEGER NOT NULL CHECK (generation >= 0),
    counter INTEGER NOT NULL CHECK (counter >= 0),
    standing INTEGER NOT NULL,
    confirmed_in INTEGER NOT NULL,
    seed BLOB NOT NULL,
    copy_noticed INTEGER NOT NULL,
    counted_with BLOB,
    failures_in_a_row INTEGER NOT NULL,
    locks_in_a_row INTEGER NOT NULL,
    locked_until INTEGER,
    blocked INTEGER NOT NULL,
    failures BLOB NOT NULL,
    PRIMARY KEY (device, kind)
) STRICT, WITHOUT ROWID;
CREATE INDEX credentials_counted_with ON credentials (counted_with)
    WHERE counted_with IS NOT NULL;

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
    evidence BLOB
) STRICT, WITHOUT ROWID;

CREATE TABLE attempts (
    device BLOB NOT NULL,
    id BLOB NOT NULL,
    made INTEGER NOT NULL,
    fingerprint BLOB NOT NULL,
    verdict TEXT NOT NULL,
    PRIMARY KEY (device, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX attempts_made ON attempts (made);

CREATE TABLE logins (
    id TEXT PRIMARY KEY,
    enterprise TEXT NOT NULL,
    account_type TEXT NOT NULL,
    account_id TEXT NOT NULL,
    device BLOB NOT NULL,
    type TEXT NOT NULL,
    data_digest BLOB NOT NULL,
    granted INTEGER NOT NULL,
    redeemed INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX logins_granted ON logins (granted);

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
    hash BLOB NOT NULL
) STRICT;

CREATE TABLE outbox (
    sequence INTEGER NOT NULL,
    target INTEGER NOT NULL,
    enterprise TEXT NOT NULL,
    account_type TEXT NOT NULL,
    account_id TEXT NOT NULL,
    subject TEXT NOT NULL,
    tries INTEGER NOT NULL,
    due INTEGER NOT NULL,
    state INTEGER NOT NULL,
    PRIMARY KEY (sequence, target)
) STRICT, WITHOUT ROWID;
CREATE INDEX outbox_due ON outbox (due) WHERE state = 0;
CREATE INDEX outbox_delivered ON outbox (due) WHERE state = 1;
CREATE INDEX outbox_of_account
    ON outbox (enterprise, account_type, account_id, sequence) WHERE state = 0;
