ALTER TABLE accounts ADD COLUMN consents BLOB;
