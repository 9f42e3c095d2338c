CREATE INDEX audit_notifications ON audit (subject, sequence) WHERE kind = 'transaction.notified';
