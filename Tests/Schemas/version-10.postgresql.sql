ALTER TABLE activations ADD COLUMN is_web BIGINT CHECK (is_web = 1);
ALTER TABLE devices ADD COLUMN is_web BIGINT CHECK (is_web = 1);
