CREATE INDEX audit_account_changes
    ON audit (enterprise, account_type, account_id, sequence) WHERE kind IN ('account.linked', 'account.replaced', 'activation.issued', 'device.activated', 'device.token-added', 'device.revoked', 'credential.rekeyed', 'credential.locked', 'credential.blocked');
CREATE INDEX audit_merged_accounts
    ON audit (enterprise, subject, sequence) WHERE kind IN ('account.linked', 'account.replaced');
