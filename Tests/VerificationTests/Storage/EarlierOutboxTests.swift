import Foundation
import Storage
import TestSupport
import Testing
import Verification
import VerifierWorld

extension EarlierStore {
    /// Up to version 2 one push was for all devices of an account.
    fileprivate static let withSharedPushes = all.filter { $0.version < 3 }
}

@Suite struct `The outbox of a store of an earlier version` {
    /// Some deliveries and pushes have arrived, and some were given up.
    ///
    /// Two of the three devices of one account want push messages. The device of the other account
    /// does not.
    private static let past = """
        UPDATE outbox SET tries = sequence, due = due - sequence;
        UPDATE outbox SET state = 1 WHERE sequence IN (5, 29);
        UPDATE outbox SET state = 2 WHERE sequence IN (9, 10);
        UPDATE devices SET notifications = 'off' WHERE account_id = '4712';
        UPDATE devices SET notifications = 'events'
        WHERE account_id = '4711' AND public_key IS NOT NULL;
        UPDATE devices SET notifications = 'fcm:token' WHERE id = (
            SELECT id FROM devices WHERE notifications = 'events' ORDER BY id LIMIT 1);
        INSERT INTO outbox (sequence, target, enterprise, account_type, account_id, subject, tries,
            due, state)
        SELECT sequence, 2, enterprise, account_type, account_id, subject, tries, due, state
        FROM outbox WHERE sequence = 17;
        """

    /// The deliveries whose record is on the trail, with the push setting of the device.
    private static let rows = """
        SELECT outbox.sequence, target, state, tries, due, outbox.account_id, notifications
        FROM outbox LEFT JOIN devices ON devices.id = device
            AND devices.enterprise = outbox.enterprise
            AND devices.account_type = outbox.account_type
            AND devices.account_id = outbox.account_id
        JOIN audit ON audit.sequence = outbox.sequence AND audit.subject = outbox.subject
            AND audit.enterprise = outbox.enterprise
            AND audit.account_type = outbox.account_type
            AND audit.account_id = outbox.account_id
        ORDER BY outbox.sequence, target, notifications
        """

    @Test(arguments: EarlierStore.withSharedPushes)
    func `is migrated row by row, with one push for each device that wants push messages`(
        _ store: EarlierStore
    ) async throws {
        let folder = try TemporaryFolder()
        let premises = try Premises(exportedAt: store.path, to: folder, on: store.kind)
        #expect(try premises.store.output(of: Self.past) == "")
        let opened = try premises.openStore()
        await opened.close()
        let rows = try premises.store.output(of: Self.rows)
        #expect(
            rows.trimmingCharacters(in: .newlines) == """
                5|1|1|5|1799999999995|4711|
                8|2|0|8|1799999999992|4711|events
                8|2|0|8|1799999999992|4711|fcm:token
                9|1|2|9|1799999999991|4711|
                10|2|2|10|1799999999990|4711|events
                10|2|2|10|1799999999990|4711|fcm:token
                11|1|0|11|1799999999989|4711|
                12|1|0|12||4711|
                17|1|0|17|1799999999983|4712|
                18|1|0|18||4711|
                22|1|0|22|1799999999978|4714|
                25|1|0|25|1799999999975|4715|
                29|2|1|29|1800691199971|4711|events
                29|2|1|29|1800691199971|4711|fcm:token
                """
        )
    }
}
