ALTER TABLE transactions ADD COLUMN source INTEGER CHECK (source = 1);
ALTER TABLE archived_transactions ADD COLUMN source INTEGER CHECK (source = 1);
