import Cryptography
import Storage
import TransactionApproval
import Verification

/// The storage work of whole approvals, without a verifier: a loop in C on SQLite, or pgbench on
/// PostgreSQL.
///
/// The statements of a verifier on one store are recorded, and run on an equal store. No rule runs, and
/// no code and no hash is computed.
final class ApprovalStorage {
    enum Engine {
        case sqlite
        /// The server that `Benchmarks/with-postgres` has started.
        case postgres(server: String)
    }

    private struct Stores {
        let recorded: DecisionStore
        let replica: DecisionStore
        let verifier: Verifier
        let token: BankToken
        let tokenText: [UInt8]
        let jobs: RecordedJobs
    }

    private typealias Part = (
        jobs: (reading: [RecordedJob], writing: [RecordedJob]), groupSize: Int
    )

    private let deviceCount: Int
    private let count: Int
    fileprivate let engine: () throws -> Engine
    private var opened: Stores?
    private var round: UInt64 = 0

    /// For `count` approvals in a sample.
    init(_ deviceCount: Int, count: Int, on engine: @autoclosure @escaping () throws -> Engine) {
        (self.deviceCount, self.count) = (deviceCount, count)
        self.engine = engine
    }

    /// The processor time of one approval, in microseconds; on PostgreSQL, that of the server.
    func cost() async throws -> Double {
        let stores = try await stores()
        let (jobs, groupSize) = (stores.jobs, Counted(stores.recorded))
        let requests = try await requests(stores)
        let bank = (jobs.take(), groupSize.take(count))
        try await decide(requests, stores)
        let devices = (jobs.take(), groupSize.take(count))
        round += 1
        switch try engine() {
        case .sqlite: return try loop(over: [bank, devices], on: stores.replica)
        case .postgres(let server):
            return try sets(of: [bank, devices], on: stores.replica, of: server)
        }
    }

    private func loop(over parts: [Part], on replica: DecisionStore) throws -> Double {
        let replays = parts.map { (CReplay(of: $0.jobs), $0.groupSize) }
        let start = processorTime()
        for (replay, groupSize) in replays {
            _ = try replay.run(on: replica.path, groupSize: groupSize)
        }
        return (processorTime() - start) / 1000 / Double(count)
    }

    private func sets(
        of parts: [Part],
        on replica: DecisionStore,
        of server: String
    ) throws -> Double {
        let replay = Self.sets(on: replica, of: server)
        let processes = PostgresProcesses(address: server)
        return try parts.reduce(0) { sum, part in
            let script = try replay.prepare(part.jobs, groupSize: part.groupSize)
            let time = try processes.time(ofConnectionsIn: script.run)
            return sum + time / 1000 / Double(script.jobCount)
        }
    }

    private static func sets(on replica: DecisionStore, of server: String) -> SetReplay {
        SetReplay(address: address("replica", server), folder: replica.folder.path)
    }

    fileprivate static func address(_ name: String, _ server: String) -> String {
        "\(server) dbname=approvals_\(name)"
    }

    /// The bank's requests for a payment of each decider.
    private func requests(_ stores: Stores) async throws -> [Transaction] {
        let (round, verifier) = (round, stores.verifier)
        let (token, tokenText) = (stores.token, stores.tokenText)
        return try await concurrently(stores.recorded.deciders) { account, place in
            guard try await verifier.token(shown: tokenText) != nil else {
                throw BenchmarkFailure("the token is not valid")
            }
            let call = try await verifier.call(
                IdempotencyKey(checked: "payment-\(round)-\(place)"),
                of: .token(token.id),
                in: DecisionStore.enterprise,
                for: DecisionStore.bytes(0, place)
            )
            let result = try await verifier.request(
                TransactionRequest(
                    account: DecisionStore.account(account),
                    content: try DecisionStore.content()
                ),
                call: call,
                by: token.author
            )
            guard case .created(let transaction, nil) = result else {
                throw BenchmarkFailure("a request: \(result)")
            }
            return transaction
        }
    }

    /// Each device fetches its transaction and approves it.
    private func decide(_ transactions: [Transaction], _ stores: Stores) async throws {
        let (round, verifier) = (round, stores.verifier)
        let (accounts, deviceKey) = (stores.recorded.deciders, stores.recorded.deviceKey)
        _ = try await concurrently(transactions) { transaction, place in
            let account = accounts[place]
            let device = DecisionStore.deviceID(account)
            // The server reads the key for the signature of each request.
            _ = try await verifier.publicKey(of: device)
            guard case .found = try await verifier.transaction(transaction.id, for: device) else {
                throw BenchmarkFailure("the transaction is not pending")
            }
            let decision = try DecisionStore.decision(
                on: transaction,
                of: account,
                counter: round,
                by: deviceKey
            )
            _ = try await verifier.publicKey(of: device)
            let result = try await verifier.decide(
                decision.request,
                from: device,
                signedBy: deviceKey.publicKey
            )
            guard result == .accepted(nil) else { throw BenchmarkFailure("a decision: \(result)") }
        }
    }

    private func stores() async throws -> Stores {
        if let opened { return opened }
        let accountCount = max(deviceCount, count)
        let recorded = try await DecisionStore(
            on: try place("recorded"),
            accountCount: accountCount,
            deciderCount: count
        )
        let replica = try await DecisionStore(
            on: try place("replica"),
            accountCount: accountCount,
            deciderCount: count,
            as: recorded
        )
        let jobs = RecordedJobs()
        let verifier = try recorded.recordingNode(jobs)
        let made = try await verifier.makeToken(
            named: BankTokenName(checked: "load"),
            for: .issuer,
            reaching: .enterprise(DecisionStore.enterprise),
            lasting: .seconds(365 * 86_400),
            by: .operatorCommand
        )
        guard case .made(let text) = made else { throw BenchmarkFailure("no token") }
        let shown = try text.text().withBytes { $0.array }
        guard let token = try await verifier.token(shown: shown) else {
            throw BenchmarkFailure("the token is not valid")
        }
        // The replica needs the token, too.
        let creation = jobs.take()
        switch try engine() {
        case .sqlite: _ = try CReplay(of: creation).run(on: replica.path, groupSize: 1)
        case .postgres(let server):
            try Self.sets(on: replica, of: server).repeatOnce(creation.writing)
        }
        let new = Stores(
            recorded: recorded,
            replica: replica,
            verifier: verifier,
            token: token,
            tokenText: shown,
            jobs: jobs
        )
        opened = new
        return new
    }
}

extension ApprovalStorage {
    /// A new store.
    fileprivate func place(_ name: String) throws -> DecisionStore.Place {
        guard case .postgres(let server) = try engine() else { return .file }
        let statement = "CREATE DATABASE approvals_\(name)"
        try Program.run("psql", ["-Xq", "-d", server, "-c", statement])
        return .server(Self.address(name, server), nodeCount: 1)
    }
}

/// The mean number of jobs in a commit since the last call.
private final class Counted {
    private let commits: CommitTally
    private var groups: Int

    init(_ store: DecisionStore) {
        commits = store.nodes[0].commits
        groups = commits.groups
    }

    func take(_ count: Int) -> Int {
        defer { groups = commits.groups }
        return max(1, count / max(1, commits.groups - groups))
    }
}
