import Cryptography
import HTTPServer
import ServerOperation
import Testing
import TransactionApproval
import Verification
import VerifierWorld

@testable import VerifierServer

@Suite struct `The rate limit of strangers` {
    private let limit = StrangerLimit()
    private let start = Timestamp.earliest + .seconds(1_800_000_000)

    /// The number of allowed requests.
    private func allowed(_ count: Int, _ network: [UInt8]?, at now: Timestamp) -> Int {
        var allowed = 0
        for _ in 0..<count where limit.allows(network, at: now) { allowed += 1 }
        return allowed
    }

    @Test func `SEC-112: is a burst of 60 for each network, and then two per second`() {
        let networks: [[UInt8]] = [
            [192, 0, 2, 1], [192, 0, 2, 2], [0, 0, 0, 0, 192, 0, 2, 1], [0, 0, 0, 0, 0, 0, 0, 0],
        ]
        for network in networks { #expect(allowed(100, network, at: start) == 60) }
        let later = start + .seconds(1)
        for network in networks { #expect(allowed(100, network, at: later) == 2) }
        #expect(allowed(100, networks[0], at: start + .seconds(31)) == 60)
    }

    @Test func `SEC-112: is a burst of 1000 for all networks together, and then 100 per second`() {
        var count = 0
        for index in UInt8.min...99 { count += allowed(20, [10, 0, 0, index], at: start) }
        #expect(count == 1000)
        #expect(allowed(500, nil, at: start + .seconds(1)) == 100)
    }

    @Test func `of one network does not use up the limit of all`() {
        #expect(allowed(5000, [192, 0, 2, 1], at: start) == 60)
        #expect(allowed(2000, nil, at: start) == 940)
    }
}

/// Strangers and persons behind one address, such as those of an office.
@Suite(.onAnyStore) struct `A network above the limit of strangers` {
    private let server: ServedBank
    private let issued: ActivationID
    private let phone: Phone
    private let right: SubmittedClaim
    private let stranger: Phone
    private let wrong: SubmittedClaim
    private let office = Peer(address: "192.0.2.1", isSecured: true)
    private let invalid = Problem.activationCodeInvalid
    private let limited = Problem.rateLimited(retryAfterSeconds: 1)
    /// The bank's part of an activation after the claim.
    private let commit: ActivationCommit

    init() async throws {
        server = try await ServedBank()
        let issued = try await server.bank.issue()
        self.issued = issued.id
        phone = try server.bank.phone()
        right = try phone.claim(issued.id, issued.code)
        commit = try await server.bank.offered(right, to: [phone], issued.code)
        stranger = try server.bank.phone()
        wrong = try stranger.claim(issued.id, ActivationCode.random())
    }

    private func problem<Exchange: DeviceExchange>(
        _ exchange: Exchange.Type,
        _ content: Exchange.Request,
        of device: Phone,
        from peer: Peer
    ) async throws -> Problem? {
        let signed = try device.request(exchange, content, at: server.bank.clock.now)
        let request = try Request(signed)
        let response = await server.api.respond(
            to: Request(
                method: request.method,
                target: request.target,
                fields: request.fields,
                body: request.body,
                peer: peer
            )
        )
        let authentic = try response.authentic(to: signed, from: server.trusted).unwrapped()
        return exchange.outcome(of: authentic.message)?.problem
    }

    private func guess(from peer: Peer) async throws -> Problem? {
        try await problem(ActivationClaimExchange.self, wrong, of: stranger, from: peer)
    }

    private func exhaust(_ peer: Peer) async throws {
        for _ in 0..<60 { #expect(try await guess(from: peer) == invalid) }
        #expect(try await guess(from: peer) == limited)
    }

    @Test func `SEC-104: gets rateLimited for wrong codes, and the right code is accepted`()
        async throws
    {
        try await exhaust(office)
        let claim = ActivationClaimExchange.self
        #expect(try await problem(claim, right, of: phone, from: office) == nil)
        #expect(try await guess(from: office) == limited)
        let done = try await problem(
            ActivationCommitExchange.self,
            commit,
            of: phone,
            from: office
        )
        #expect(done == nil)
        #expect(try await server.bank.count(of: .deviceActivated) == 1)
    }

    @Test func `SEC-112: does not limit other networks, and writes nothing`() async throws {
        let before = try await server.bank.contents()
        let addresses = [
            ("192.0.2.1", "192.0.2.2"), ("2001:db8::1", "2001:db8:0:1::1"), ("::1:1", "0.0.0.1"),
        ]
        for (limitedAddress, other) in addresses {
            try await exhaust(Peer(address: limitedAddress, isSecured: true))
            let neighbour = Peer(address: other, isSecured: true)
            #expect(try await guess(from: neighbour) == invalid)
        }
        let sameNetwork = Peer(address: "2001:db8::ffff", isSecured: true)
        #expect(try await guess(from: sameNetwork) == limited)
        #expect(try await server.bank.contents() == before)
        server.bank.clock.advance(by: .seconds(1))
        #expect(try await guess(from: office) == invalid)
    }

    @Test func `SEC-52: gets the same refusal for known and unknown activations, in both steps`()
        async throws
    {
        try await exhaust(office)
        let unknown = try stranger.claim(.random(), ActivationCode.random())
        let claim = ActivationClaimExchange.self
        #expect(try await problem(claim, unknown, of: stranger, from: office) == limited)
        let proof = ActivationCommit(
            unknown,
            commit.enrolments.map { stranger.enrolment(like: $0) }
        )
        let problem = try await problem(
            ActivationCommitExchange.self,
            try proof.unwrapped(),
            of: stranger,
            from: office
        )
        #expect(problem == limited)
    }

    @Test func `is not a proxy, whose clients all have one address`() async throws {
        for _ in 0..<100 { #expect(try await guess(from: .loopback) == invalid) }
    }

    @Test func `SEC-112: gets rateLimited for unknown commits, but not for the own one`()
        async throws
    {
        let unknown = StatusExchange.Request(
            .commit(
                SentCommit(
                    activation: issued,
                    claim: try wrong.digest(),
                    deviceKey: stranger.key.publicKey
                )
            )
        )
        let own = StatusExchange.Request(
            .commit(
                SentCommit(
                    activation: issued,
                    claim: try right.digest(),
                    deviceKey: phone.key.publicKey
                )
            )
        )
        let status = StatusExchange.self
        for index in 0..<70 {
            let problem = try await problem(status, unknown, of: stranger, from: office)
            #expect(problem == (index < 60 ? .noAccountActivated : limited))
        }
        #expect(try await guess(from: office) == invalid, "Wrong codes have their own limit.")
        let done = try await problem(ActivationCommitExchange.self, commit, of: phone, from: office)
        #expect(done == nil)
        #expect(try await problem(status, own, of: phone, from: office) == nil)
        #expect(try await problem(status, .init(), of: phone, from: office) == nil)
    }

    @Test func `SEC-112: is counted in the metrics`() async throws {
        _ = try await guess(from: office)
        let unknown = try stranger.claim(.random(), ActivationCode.random())
        for _ in 0..<2 {
            let claim = ActivationClaimExchange.self
            _ = try await problem(claim, unknown, of: stranger, from: office)
        }
        let metrics = Metrics()
        let operation = OperationAPI(
            server.bank.verifier,
            metrics: metrics,
            reporter: Reporter(metrics: metrics, log: Log(to: -1, metrics: metrics))
        )
        let request = Request(method: "GET", target: "/metrics", fields: [], body: [])
        let text = String(decoding: await operation.respond(to: request).bytes, as: UTF8.self)
        let name = "countersign_wrong_activation_codes_total"
        #expect(text.contains("# TYPE \(name) counter\n"))
        #expect(text.contains("\(name){activation=\"open\"} 1\n"))
        #expect(text.contains("\(name){activation=\"unknown\"} 2\n"))
    }
}

extension Phone {
    /// Content of the right form for this device.
    fileprivate func enrolment(
        like other: ActivationCommit.Enrolment
    ) -> ActivationCommit.Enrolment {
        ActivationCommit.Enrolment(
            device: id,
            deviceKey: key.publicKey,
            userSeed: other.userSeed,
            deviceSeed: other.deviceSeed,
            possession: other.possession
        )
    }
}
