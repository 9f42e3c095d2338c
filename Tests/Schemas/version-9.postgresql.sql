ALTER TABLE devices ADD COLUMN waits BIGINT CHECK (waits IN (0, 1));
ALTER TABLE devices ADD COLUMN waiting_amounts BYTEA;
