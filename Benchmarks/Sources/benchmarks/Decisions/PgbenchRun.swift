import Cryptography
import FoundationEssentials
import TransactionApproval
import Verification

/// Sends PostgreSQL through pgbench what a verifier sends it for its decisions.
///
/// They are the same statements, committed in groups of the same size; no rule is run, and no code
/// or hash computed.
struct PgbenchRun {
    let address: String
    let folder: String
    let clients: Int
    let groupSize: Int

    private var script: String { folder + "/decisions.sql" }

    /// What each decision takes, in microseconds.
    func cost(of decisions: [DecisionStore.Decision], counter: Int) throws -> Double {
        let groups = decisions.count / groupSize / clients * clients
        guard groups > 0 else { throw DecisionStore.Failure() }
        try text.write(toFile: script, atomically: true, encoding: .utf8)
        try layOut(decisions.prefix(groups * groupSize), counter)
        let options = ["-n", "-M", "prepared", "-c", "\(clients)", "-j", "\(clients)"]
        let said = try Program.ofPostgres(
            "pgbench",
            options + ["-t", "\(groups / clients)", "-f", script, address]
        )
        // "tps = 123.456789 (without initial connection time)"
        guard
            said.contains("number of failed transactions: 0 "),
            let line = said.split(separator: "\n").first(where: { $0.hasPrefix("tps = ") }),
            let rate = Double(line.dropFirst("tps = ".count).prefix { $0 != " " })
        else { throw DecisionStore.Failure() }
        return 1e6 / (rate * Double(groupSize))
    }

    /// Puts what each group is about into a row: pgbench cannot make up identifiers.
    private func layOut(_ decisions: ArraySlice<DecisionStore.Decision>, _ counter: Int) throws {
        var statements = """
            DROP TABLE IF EXISTS work; DROP SEQUENCE IF EXISTS groups;
            CREATE SEQUENCE groups CACHE 1;
            INSERT INTO countersign_commits (writer, place, number)
            SELECT client::text, 1000 + client, 0 FROM generate_series(0, \(clients - 1)) AS client
            ON CONFLICT (writer) DO NOTHING;
            CREATE TABLE work (number BIGINT PRIMARY KEY, counter BIGINT, evidence BYTEA,
            \(columns));

            """
        let all = Array(decisions)
        let evidence = TextEncoding.hexadecimal.encode(all[0].evidence.stored.span)
        for (number, start) in stride(from: 0, to: all.count, by: groupSize).enumerated() {
            let values = all[start..<start + groupSize].map { decision in
                let device = TextEncoding.hexadecimal.encode(decision.attempt.device.bytes.span)
                let attempt = decision.attempt.code.attempt
                let account = DecisionStore.account(decision.account).key.id.text
                return "'\\x\(device)', '\\x\(attempt)', '\(decision.transaction)', '\(account)'"
            }
            statements += "INSERT INTO work VALUES (\(number + 1), \(counter), '\\x\(evidence)', "
            statements += values.joined(separator: ", ") + ");\n"
        }
        let file = folder + "/work.sql"
        try statements.write(toFile: file, atomically: true, encoding: .utf8)
        let options = ["-X", "-q", "-v", "ON_ERROR_STOP=1"]
        try Program.ofPostgres("psql", options + ["-d", address, "-f", file])
    }

    private var columns: String {
        let names = ["device", "attempt", "transaction", "account"]
        return places.flatMap { place in names.map { "\($0)\(place) TEXT" } }.joined(
            separator: ", "
        )
    }

    private var places: Range<Int> { 0..<groupSize }

    private var text: String {
        let readings = places.map { place in
            """
            BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY;
            SELECT version FROM countersign_store WHERE id = 1;
            \(Self.secrets(place))
            ROLLBACK;

            """
        }
        return """
            SELECT * FROM work WHERE number = (SELECT nextval('groups')) \\gset
            \(readings.joined())
            BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE;
            SELECT version FROM countersign_store WHERE id = 1 FOR UPDATE;
            SELECT number FROM countersign_commits WHERE writer = :client_id::text;
            \(places.map(Self.decision).joined(separator: "\n"))
            UPDATE countersign_commits SET number = number + 1 WHERE writer = :client_id::text;
            COMMIT;

            """
    }

    private static func secrets(_ place: Int) -> String {
        """
        SELECT enterprise, account_type, account_id, public_key, token, name, standing, activated
            FROM devices WHERE id = :device\(place);
        SELECT id, generation, counter, standing, confirmed_in, seed, copy_noticed, counted_with,
            failures_in_a_row, locks_in_a_row, locked_until, blocked, failures
            FROM credentials WHERE device = :device\(place) AND kind = 1;
        SELECT enterprise, account_type, account_id, canonical_bytes, accepted_authentication,
            created, deadline, number, state, closed, device, detail, evidence
            FROM transactions WHERE id = :transaction\(place);
        """
    }

    private static func decision(_ place: Int) -> String {
        """
        SELECT made, fingerprint, verdict FROM attempts
            WHERE device = :device\(place) AND id = :attempt\(place);
        SELECT store, epoch, audit_sequence, audit_moment, audit_hash, least_key_version, is_copy
            FROM verifier WHERE id = 1 \\gset
        SELECT policy_version FROM enterprises WHERE id = 'bank';
        \(secrets(place))
        UPDATE transactions SET state = 1, closed = 1800000000000, device = :device\(place),
            detail = 'userPIN', evidence = :evidence,
            number = NULL WHERE id = :transaction\(place) AND state = 0;
        UPDATE credentials SET generation = 0, counter = :counter, standing = 1,
            confirmed_in = 0, seed = decode('\(String(repeating: "00", count: 65))', 'hex'),
            copy_noticed = 0 WHERE device = :device\(place) AND kind = 1 AND counter <= :counter;
        INSERT INTO audit (sequence, moment, actor, kind, enterprise, account_type, account_id,
            subject, detail, traces, hash) VALUES (:audit_sequence + 1, 1800000000000,
            'device:00000000000000000000000000000000', 'transaction.approved', 'bank', 'main',
            :account\(place), :transaction\(place), 'userPIN',
            decode('\(String(repeating: "00", count: 308))', 'hex'), :audit_hash);
        INSERT INTO outbox (sequence, target, enterprise, account_type, account_id, subject, due,
            tries, state) VALUES (:audit_sequence + 1, 1, 'bank', 'main', :account\(place),
            :transaction\(place), 1800000000000, 0, 0);
        UPDATE verifier SET audit_sequence = :audit_sequence + 1, audit_moment = 1800000000000,
            audit_hash = :audit_hash WHERE id = 1 AND audit_sequence < :audit_sequence + 1;
        INSERT INTO attempts (device, id, made, fingerprint, verdict)
            VALUES (:device\(place), :attempt\(place), 1800000000000, :audit_hash, 'accepted');
        """
    }
}
