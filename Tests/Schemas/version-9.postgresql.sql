ALTER TABLE devices ADD COLUMN waits BIGINT CHECK (waits IN (0, 1));
ALTER TABLE devices ADD COLUMN waiting_amounts BYTEA;
UPDATE activations SET claim_digest = NULL, claim_offer = NULL
    WHERE claim_digest IS NOT NULL OR claim_offer IS NOT NULL;
ALTER TABLE verifier ADD COLUMN restore_id BYTEA;
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
DROP INDEX audit_account_changes;
CREATE INDEX audit_account_changes
    ON audit (enterprise, account_type, account_id, sequence) WHERE (kind = 'account.linked' OR kind = 'account.replaced'
    OR kind = 'activation.issued' OR kind = 'device.activated'
    OR kind = 'device.token-added' OR kind = 'device.revoked'
    OR kind = 'credential.rekeyed' OR kind = 'credential.locked'
    OR kind = 'credential.blocked');
DROP INDEX audit_merged_accounts;
CREATE INDEX audit_merged_accounts
    ON audit (enterprise, subject, sequence) WHERE (kind = 'account.linked' OR kind = 'account.replaced');
