ALTER TABLE accounts ADD COLUMN consents BYTEA;
