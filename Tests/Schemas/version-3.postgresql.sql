ALTER TABLE outbox RENAME TO earlier_outbox;
CREATE TABLE outbox (
    sequence BIGINT NOT NULL,
    target BIGINT NOT NULL,
    device BYTEA NOT NULL DEFAULT '',
    enterprise TEXT NOT NULL,
    account_type TEXT NOT NULL,
    account_id TEXT NOT NULL,
    subject TEXT NOT NULL,
    tries BIGINT NOT NULL,
    since BIGINT NOT NULL,
    due BIGINT,
    state BIGINT NOT NULL,
    PRIMARY KEY (sequence, target, device)
) ;
INSERT INTO outbox (sequence, target, enterprise, account_type, account_id, subject,
    tries, since, due, state)
SELECT sequence, target, enterprise, account_type, account_id, subject, tries,
    (SELECT moment FROM audit WHERE audit.sequence = moved.sequence),
    CASE WHEN state = 0 AND EXISTS (
        SELECT 1 FROM earlier_outbox AS earlier
        WHERE earlier.enterprise = moved.enterprise
            AND earlier.account_type = moved.account_type
            AND earlier.account_id = moved.account_id
            AND earlier.sequence < moved.sequence
            AND earlier.target = 1 AND earlier.state = 0)
        THEN NULL ELSE due END,
    state
FROM earlier_outbox AS moved WHERE target = 1;
INSERT INTO outbox (sequence, target, device, enterprise, account_type, account_id,
    subject, tries, since, due, state)
SELECT moved.sequence, 2, devices.id, moved.enterprise, moved.account_type,
    moved.account_id, moved.subject, moved.tries,
    (SELECT moment FROM audit WHERE audit.sequence = moved.sequence),
    moved.due, moved.state
FROM earlier_outbox AS moved JOIN devices
    ON devices.enterprise = moved.enterprise
    AND devices.account_type = moved.account_type
    AND devices.account_id = moved.account_id
WHERE moved.target = 2 AND devices.notifications <> ''
    AND devices.notifications <> 'off';
DROP TABLE earlier_outbox;
CREATE INDEX outbox_due ON outbox (target, due) WHERE state = 0 AND due IS NOT NULL;
CREATE INDEX outbox_delivered ON outbox (due) WHERE state = 1;
CREATE INDEX outbox_of_account
    ON outbox (enterprise, account_type, account_id, target, sequence)
    WHERE state = 0;
CREATE INDEX outbox_dead ON outbox (enterprise, sequence) WHERE state = 2;
