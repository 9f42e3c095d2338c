import Cryptography
import OneTimePassword
import Sealing
import Storage
import TransactionApproval
import Verification

extension DecisionStore {
    /// One decision: all values that a device sends.
    struct Decision: Sendable {
        let account: Int
        let transaction: TransactionID
        let request: DecisionExchange.Request
        let evidence: SignedEvidence
        let attempt: Attempt
    }

    /// Pending transactions, and a correct code for each.
    struct Round: Sendable {
        let decisions: [Decision]
        fileprivate let records: [TransactionRecord]
    }

    /// Adds a pending transaction for each decider.
    ///
    /// Neighbours in the store are far apart in the result, because people decide in random order.
    /// Otherwise the rows of a group would share pages, and more for a sequential caller than for
    /// concurrent callers.
    func newRound() async throws -> Round {
        let new = try makeRound()
        try await add(new)
        return new
    }

    /// Adds the transactions of a round, which may come from an equal store.
    func add(_ round: Round) async throws {
        let records = round.records
        let keys = KeyRing(keys)
        try await nodes[0].database.write { connection throws(StoreFailure) in
            let ledger = Ledger(connection, keys)
            for record in records { try ledger.add(record) }
        }
    }

    private func makeRound() throws -> Round {
        defer { round += 1 }
        let round = round
        var decisions: [Decision] = []
        var records: [TransactionRecord] = []
        for (place, account) in deciders.enumerated() {
            let transaction = try Self.transaction(round, place, account)
            records.append(
                TransactionRecord(
                    id: transaction.id,
                    account: Self.account(account),
                    canonicalBytes: transaction.canonicalBytes,
                    acceptedAuthentication: .userPIN,
                    created: transaction.created,
                    deadline: transaction.deadline,
                    source: .bank,
                    number: nil,
                    state: .pending
                )
            )
            decisions.append(
                try Self.decision(on: transaction, of: account, counter: round, by: deviceKey)
            )
        }
        // The step is a prime, so that no decision is left out.
        let order = decisions.indices.map { $0 * 769 % decisions.count }
        return Round(decisions: order.map { decisions[$0] }, records: records)
    }

    private static func transaction(
        _ round: UInt64,
        _ place: Int,
        _ account: Int
    ) throws -> Transaction {
        // Like a verifier's identifiers: recent transactions are neighbours in the store.
        let id = Array(
            withUnsafeBytes(of: UInt64(round << 32 + UInt64(place)).bigEndian, Array.init)
                + bytes(5, place).prefix(8)
        )
        return try Transaction(
            enterprise: enterprise,
            id: TransactionID(checked: TextEncoding.hexadecimal.encode(id.span)),
            account: Self.account(account).key,
            content: content(),
            acceptedAuthentication: .userPIN,
            created: moment,
            deadline: moment + .seconds(120),
            epoch: 0,
            nonce: TransactionNonce(checked: id)
        )
    }

    /// The payment that every transaction is for.
    static func content() throws -> Transaction.Content {
        guard
            let euro = Currency("EUR"), let amount = Amount(minorUnits: 47_11, currency: euro),
            let payee = AccountNumber("DE89370400440532013000")
        else { throw BenchmarkFailure("invalid example data") }
        return try Transaction.Content(
            context: .payment,
            title: DisplayText("Transfer"),
            amounts: [amount],
            payees: [Transaction.Payee(name: DisplayText("Grocer"), recipient: .account(payee))]
        )
    }

    /// The approval of an account's device that has this key.
    static func decision(
        on transaction: Transaction,
        of account: Int,
        counter: UInt64,
        by deviceKey: P256.PrivateKey
    ) throws -> Decision {
        let bytes = Self.seed
        let secret = try SecureBytes(copying: bytes.span)
        guard let seed = CredentialSeed(secret) else {
            throw BenchmarkFailure("invalid example seed")
        }
        let codes = try InBandCodes(of: Self.context(.user, account), seed: seed)
        let hash = try TransactionHash(of: transaction)
        let question = InBandQuestion.decision(hash, .approve, nil)
        let code = try codes.code(for: question, in: Epoch(0), at: Counter(counter))
        guard let inBand = InBandCode(code) else { throw BenchmarkFailure("invalid code") }
        let envelope = CodeEnvelope(
            attempt: try .random(),
            generation: .first,
            epoch: Epoch(0),
            counter: Counter(counter),
            code: inBand,
            blind: try .random()
        )
        let device = Self.deviceID(account)
        let evidence = DecisionEvidence(of: .approve(.userPIN), on: hash, by: device, envelope)
        let signature = try evidence.signature(by: deviceKey)
        guard let signed = try evidence.signed(with: signature, by: deviceKey.publicKey)
        else { throw BenchmarkFailure("the device's own signature is invalid") }
        return Decision(
            account: account,
            transaction: transaction.id,
            request: DecisionExchange.Request(
                transaction: transaction.id,
                choice: .approve(.userPIN),
                evidence: signature,
                envelope: envelope
            ),
            evidence: signed,
            attempt: Attempt(device: device, code: envelope)
        )
    }

    /// Makes the decisions with `callers` concurrent callers, spread over the verifiers.
    ///
    /// Returns the cost of one decision and the mean number of decisions per commit.
    func decide(
        _ decisions: [Decision],
        callers: Int
    ) async throws -> (cost: Benchmark.Sample, groupSize: Int) {
        let groupsBefore = groupCount
        let start = ContinuousClock.now
        try await decideAll(decisions, callers: callers, on: nodes.map(\.verifier))
        let cost = Benchmark.Sample(since: start, for: decisions.count)
        return (cost, max(1, decisions.count / (groupCount - groupsBefore)))
    }

    /// Makes the decisions and returns the jobs that they ran.
    func record(
        _ decisions: [Decision],
        callers: Int
    ) async throws -> (reading: [RecordedJob], writing: [RecordedJob]) {
        let recorded = RecordedJobs()
        let store = try recordingNode(recorded)
        // The first jobs of a verifier also read the id of the store.
        _ = try await store.enterprises()
        _ = recorded.take()
        try await decideAll(decisions, callers: callers, on: [store])
        return recorded.take()
    }

    private var groupCount: Int { nodes.reduce(0) { $0 + $1.commits.groups } }

    private func decideAll(
        _ decisions: [Decision],
        callers: Int,
        on verifiers: [Verifier]
    ) async throws {
        try await withThrowingTaskGroup { group in
            for caller in 0..<callers {
                let verifier = verifiers[caller % verifiers.count]
                group.addTask {
                    for index in stride(from: caller, to: decisions.count, by: callers) {
                        let decision = decisions[index]
                        let result = try await verifier.decide(
                            decision.request,
                            from: decision.attempt.device,
                            signedBy: decision.evidence.key
                        )
                        guard result == .accepted(nil) else {
                            throw BenchmarkFailure("a decision: \(result)")
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
    }
}

extension Benchmark.Sample {
    /// The time of each of `count` operations, in microseconds.
    init(of duration: Duration, for count: Int) {
        self.init(cost: duration / .microseconds(1) / Double(count), result: [])
    }

    init(since start: ContinuousClock.Instant, for count: Int) {
        self.init(of: .now - start, for: count)
    }
}
