import Cryptography
import HTTPServer
import OneTimePassword
import Testing
import TransactionApproval
import VerifierWorld

@testable import VerifierServer

@Suite struct `The rate limit` {
    private let start = Timestamp.earliest + .seconds(1_800_000_000)

    /// The number of allowed requests.
    private func allowed(
        _ count: Int,
        _ device: DeviceID,
        by limit: RequestLimit,
        at now: Timestamp
    ) -> Int {
        var allowed = 0
        for _ in 0..<count where limit.allows(device, at: now) { allowed += 1 }
        return allowed
    }

    @Test func `is a burst of 60, and then two per second`() throws {
        let (limit, device) = (RequestLimit(capacity: 8), try DeviceID.random())
        #expect(allowed(100, device, by: limit, at: start) == 60)
        for (milliseconds, count) in [(499, 0), (500, 1), (999, 0), (1000, 1), (5000, 8)] {
            let now = start + .milliseconds(milliseconds)
            #expect(allowed(100, device, by: limit, at: now) == count, "\(milliseconds)")
        }
        #expect(allowed(100, device, by: limit, at: start + .seconds(35)) == 60)
    }

    @Test func `is never above 180 per minute`() throws {
        let (limit, device) = (RequestLimit(capacity: 8), try DeviceID.random())
        var count = 0
        for moment in stride(from: 0, to: 60_000, by: 50) {
            count += allowed(1, device, by: limit, at: start + .milliseconds(moment))
        }
        #expect(count == 179)
    }

    @Test func `is per device, for a limited number of devices`() throws {
        let limit = RequestLimit(capacity: 4)
        let devices = try (0..<9).map { _ in try DeviceID.random() }
        for device in devices { #expect(allowed(60, device, by: limit, at: start) == 60) }
        for device in devices.suffix(5) {
            #expect(allowed(1, device, by: limit, at: start) == 0)
        }
        #expect(allowed(1, devices[0], by: limit, at: start) == 1)
    }
}

@Suite struct `A device above its rate limit` {
    private let server: ServedBank
    private let phone: Phone

    init() async throws {
        server = try await ServedBank()
        phone = try await server.bank.activate()
    }

    private func askOften() async throws {
        for _ in 0..<60 {
            #expect(try await phone.call(StatusExchange.self, .init(), of: server).problem == nil)
        }
    }

    @Test func `gets a signed refusal, and nothing is written or charged`()
        async throws
    {
        try await askOften()
        let check = try await phone.pinCheck(with: .wrong, in: server.bank)
        let push = PushExchange.Request(attempt: try .random(), setting: .events)
        let before = try await server.bank.contents()
        let wait = Problem.rateLimited(retryAfterSeconds: 1)
        let problems = [
            try await phone.call(PINCheckExchange.self, check, of: server).problem,
            try await phone.call(PushExchange.self, push, of: server).problem,
        ]
        #expect(problems == [wait, wait])
        #expect(try await server.bank.contents() == before)
        let other = try await server.bank.activate()
        #expect(try await other.call(StatusExchange.self, .init(), of: server).problem == nil)
        server.bank.clock.advance(by: .seconds(1))
        let counted = try await phone.call(PINCheckExchange.self, check, of: server).problem
        #expect(counted == .authenticationFailed(attemptsLeft: 4))
    }

    @Test func `2.6: cannot be caused by requests of strangers`()
        async throws
    {
        let stranger = try P256.PrivateKey()
        let commit = SentCommit(
            activation: try .random(),
            claim: try HashAlgorithm.sha256.digest(of: [1].span),
            deviceKey: stranger.publicKey
        )
        let request = try phone.request(
            StatusExchange.self,
            .init(),
            at: server.bank.clock.now
        )
        #expect(await server.api.respond(to: try Request(request)).status == 200)
        for _ in 0..<100 {
            let signed = try phone.request(
                StatusExchange.self,
                .init(.commit(commit)),
                at: server.bank.clock.now,
                signingWith: stranger
            )
            #expect(await server.api.respond(to: try Request(signed)).status == 401)
            let forged = try phone.request(
                StatusExchange.self,
                .init(),
                at: server.bank.clock.now,
                signingWith: stranger
            )
            #expect(await server.api.respond(to: try Request(forged)).status == 401)
            #expect(await server.api.respond(to: try Request(request)).status == 401)
        }
        #expect(try await phone.call(StatusExchange.self, .init(), of: server).problem == nil)
    }
}
