import Cryptography
import HTTPServer
import OneTimePassword
import Storage
import StrictJSON
import TestSupport
import Testing
import TransactionApproval
import Verification
import VerifierServer
import VerifierWorld

@Suite struct `A request without a valid signature` {
    private let server: ServedBank
    private let phone: Phone
    private let payment: Transaction
    /// The one response to all of them.
    private let toStrangers: Response

    init() async throws {
        server = try await ServedBank(policy: #"{"minimumTokenDigits": 6}"#)
        phone = try await server.bank.activate()
        payment = try await server.bank.pay()
        toStrangers = Response(
            status: 401,
            fields: [Field("content-type", Problem.contentType)],
            body: .bytes(try Problem.noAccountActivated.written)
        )
    }

    private func decision() async throws -> Request {
        let decision = try await phone.decision(on: payment, in: server.bank)
        return try Request(
            phone.request(DecisionExchange.self, decision, at: server.bank.clock.now)
        )
    }

    /// Expects this response to each request, and no writes.
    private func expectStrangers(
        _ requests: [Request],
        _ location: SourceLocation = #_sourceLocation
    ) async throws {
        let before = try await server.bank.contents()
        for (index, request) in requests.enumerated() {
            let response = await server.api.respond(to: request)
            #expect(response == toStrangers, "\(index)", sourceLocation: location)
        }
        #expect(try await server.bank.contents() == before, sourceLocation: location)
    }

    @Test func `SEC-52: gets one response for known and unknown devices, tokens and foreign keys`()
        async throws
    {
        let hand = try await SimulatedToken(in: server.bank)
        let decision = try await phone.decision(on: payment, in: server.bank)
        let (now, other) = (server.bank.clock.now, try P256.PrivateKey())
        let theirs = try await server.bank.activate("4712").1
        let requests = try [phone.id, .random(), hand.id].map {
            try phone.request(
                DecisionExchange.self,
                decision,
                at: now,
                naming: $0,
                signingWith: other
            )
        }
        let asAnother = [
            try phone.request(DecisionExchange.self, decision, at: now, naming: theirs.id),
            try phone.request(DecisionExchange.self, decision, at: now, naming: hand.id),
            try theirs.request(DecisionExchange.self, decision, at: now, naming: phone.id),
        ]
        try await expectStrangers(try (requests + asAnother).map { try Request($0) })
        let own = try Request(phone.request(DecisionExchange.self, decision, at: now))
        #expect(await server.api.respond(to: own).status == 200)
    }

    @Test func `SEC-52: costs the same work for known and unknown devices`()
        async throws
    {
        let (hand, other) = (try await SimulatedToken(in: server.bank), try P256.PrivateKey())
        let database = WatchedDatabase(server.bank.database)
        let api = try await server.serving(database)
        var statements: [[String]] = []
        var work: [SignatureWork] = []
        for device in [phone.id, try .random(), hand.id] {
            let request = try phone.request(
                StatusExchange.self,
                .init(),
                at: server.bank.clock.now,
                naming: device,
                signingWith: other
            )
            let seen = database.statements.count
            let sent = try Request(request)
            work.append(await signatureWork { _ = await api.respond(to: sent) })
            statements.append(Array(database.statements.dropFirst(seen)))
        }
        #expect(work == Array(repeating: SignatureWork(imports: 1, checks: 1), count: 3))
        #expect(statements == Array(repeating: ["read", "SELECT"], count: 3))
    }

    @Test func `SEC-52, SEC-112: reveals no device through an unknown commit, and writes nothing`()
        async throws
    {
        let issued = try await server.bank.issue()
        let claim = try phone.claim(issued.id, issued.code)
        let claimed = try await phone.call(ActivationClaimExchange.self, claim, of: server)
        #expect(claimed.response != nil)
        let stranger = try P256.PrivateKey()
        let commit = SentCommit(
            activation: issued.id,
            claim: try HashAlgorithm.sha256.digest(of: [1].span),
            deviceKey: stranger.publicKey
        )
        let database = WatchedDatabase(server.bank.database)
        let api = try await server.serving(database)
        let before = try await server.bank.contents()
        var statements: [[String]] = []
        for device in [phone.id, try .random()] {
            let request = try phone.request(
                StatusExchange.self,
                .init(.commit(commit)),
                at: server.bank.clock.now,
                naming: device,
                signingWith: stranger
            )
            let seen = database.statements.count
            let response = await api.respond(to: try Request(request))
            let message = try response.authentic(to: request, from: server.trusted)?.message
            let outcome = message.flatMap { StatusExchange.outcome(of: $0) }
            #expect(outcome == .refused(.noAccountActivated))
            statements.append(Array(database.statements.dropFirst(seen)))
        }
        #expect(statements == Array(repeating: ["read", "SELECT", "SELECT", "SELECT"], count: 2))
        #expect(try await server.bank.contents() == before)
    }

    @Test func `is one with any changed bit`() async throws {
        let request = try await decision()
        let fields = request.fields.withOneChanged { field in
            field.value.withOneBitFlipped.map { Field(field.name, $0) }
        }.map { request.with(fields: $0) }
        // One bit of every byte: the digest treats all bits alike.
        let bodies = request.body.indices.map { index in
            var body = request.body
            body[index] ^= 1 << UInt8(index % 8)
            return request.with(body: body)
        }
        try await expectStrangers(fields + bodies)
        #expect(await server.api.respond(to: request).status == 200)
    }

    @Test func `is one with a missing, repeated or changed field`()
        async throws
    {
        let request = try await decision()
        let missing = request.fields.indices.map { index in
            var fields = request.fields
            fields.remove(at: index)
            return request.with(fields: fields)
        }
        let twice = request.fields.map { request.with(fields: request.fields + [$0]) }
        let elsewhere = [
            request.with(target: DeviceRoute.login.path),
            request.with(fields: []), request.with(body: []),
        ]
        try await expectStrangers(missing + twice + elsewhere)
    }

    @Test(arguments: [
        "https://evil.example", "http://approve.bank.example", "https://approve.bank.example:8443",
    ])
    func `SEC-42: is one that was signed for another origin`(
        _ origin: String
    ) async throws {
        let message = RequestMessage(
            method: DeviceRoute.method,
            targetURI: origin + DeviceRoute.status.path,
            contentType: DeviceRoute.contentType,
            body: try NoContent().written
        )
        let signed = try phone.signed(message, at: server.bank.clock.now)
        let request = Request(
            method: DeviceRoute.method,
            target: DeviceRoute.status.path,
            fields: signed.fields.map { Field($0.name, $0.value) },
            body: message.body
        )
        try await expectStrangers([request])
    }

    @Test func `is one with a body above the limit`() async throws {
        let size = NoContent.limits.byteCount
        for count in [size, size + 1] {
            let body = Array("{}".utf8) + Array(repeating: UInt8(ascii: " "), count: count - 2)
            let request = try phone.signed(.status(body), at: server.bank.clock.now)
            let response = await server.api.respond(to: try Request(request))
            #expect(response.status == (count == size ? 200 : 401))
        }
    }

    @Test
    func `SEC-30: is valid for two minutes, and otherwise gets the server time if it is signed`()
        async throws
    {
        let limit = Duration.seconds(120)
        for (distance, isAboutNow) in [
            (limit, true), (.zero - limit, true), (limit + .seconds(1), false),
            (.zero - limit - .seconds(1), false), (.seconds(86_400), false),
        ] {
            let now = server.bank.clock.now
            let check = try await phone.pinCheck(with: .wrong, in: server.bank)
            let request = try phone.request(PINCheckExchange.self, check, at: now + distance)
            let before = try await server.bank.contents()
            let response = await server.api.respond(to: try Request(request))
            let authentic = try #require(try response.authentic(to: request, from: server.trusted))
            let problem = PINCheckExchange.outcome(of: authentic.message)?.problem
            #expect((problem == .clockSkew(serverTime: now)) == !isAboutNow)
            #expect(try await (server.bank.contents() == before) == !isAboutNow)
        }
    }

    @Test func `SEC-52: does not get the server time`() async throws {
        let request = try phone.request(
            StatusExchange.self,
            .init(),
            at: server.bank.clock.now - .seconds(86_400),
            signingWith: P256.PrivateKey()
        )
        try await expectStrangers([try Request(request)])
    }

    @Test func `is a replay, which changes nothing at another node`()
        async throws
    {
        let request = try await decision()
        let first = await server.api.respond(to: request)
        #expect(first.status == 200)
        try await expectStrangers([request, request])
        let before = try await server.bank.contents()
        let elsewhere = await (try server.anotherNode()).api.respond(to: request)
        #expect(elsewhere.status == 200)
        #expect(elsewhere.bytes == first.bytes)
        #expect(try await server.bank.contents() == before)
    }

    @Test func `does not succeed later at another node`()
        async throws
    {
        let push = { (setting: PushSetting) throws in
            try Request(
                phone.request(
                    PushExchange.self,
                    PushExchange.Request(attempt: .random(), setting: setting),
                    at: server.bank.clock.now
                )
            )
        }
        let off = try push(.off)
        #expect(await server.api.respond(to: off).status == 200)
        #expect(await server.api.respond(to: try push(.events)).status == 200)
        let before = try await server.bank.contents()
        #expect(await (try server.anotherNode()).api.respond(to: off).status == 200)
        #expect(try await server.bank.contents() == before)
        #expect(try await server.bank.verifier.pushSetting(of: phone.id) == .events)
    }

    @Test func `is all but one of 64 concurrent requests with one nonce`() async throws {
        let request = try await decision()
        let statuses = await withTaskGroup { group in
            for _ in 0..<64 {
                group.addTask { [server] in await server.api.respond(to: request).status }
            }
            return await group.reduce(into: [Int: Int]()) { $0[$1, default: 0] += 1 }
        }
        #expect(statuses == [200: 1, 401: 63])
    }

    @Test func `does not include one with the nonce of another device`() async throws {
        let (nonce, theirs) = (try RequestNonce.random(), try await server.bank.activate("4712").1)
        for device in [phone, theirs] {
            let request = try device.request(
                StatusExchange.self,
                .init(),
                at: server.bank.clock.now,
                nonce: nonce
            )
            #expect(await server.api.respond(to: try Request(request)).status == 200)
        }
    }

    @Test func `gets 404 for unknown paths`() async throws {
        let request = try await decision()
        for target in ["/", "", "/device/v1/status/", "/device/v1/status?a", "/DEVICE/V1/STATUS"] {
            #expect(await server.api.respond(to: request.with(target: target)).status == 404)
        }
        let response = await server.api.respond(to: request.with(method: "GET"))
        #expect(response.status == 405)
        #expect(response.fields == [Field("allow", "POST")])
    }

    @Test func `reveals no device while the store is unavailable`() async throws {
        await server.bank.database.close()
        let now = server.bank.clock.now
        var responses: [Response] = []
        for device in [phone.id, try .random()] {
            let request = try phone.request(
                StatusExchange.self,
                .init(),
                at: now,
                naming: device
            )
            responses.append(await server.api.respond(to: try Request(request)))
        }
        #expect(responses.map(\.status) == [503, 503])
        #expect(responses[0] == responses[1])
    }

    @Test func `is a claim that names another device or key`()
        async throws
    {
        let issued = try await server.bank.issue()
        let new = try server.bank.phone()
        let claim = try new.claim(issued.id, issued.code)
        let now = server.bank.clock.now
        let requests = [
            try new.request(ActivationClaimExchange.self, claim, at: now, naming: phone.id),
            try phone.request(ActivationClaimExchange.self, claim, at: now, naming: new.id),
            try phone.request(ActivationClaimExchange.self, claim, at: now),
        ]
        try await expectStrangers(try requests.map { try Request($0) })
        #expect(try await new.call(ActivationClaimExchange.self, claim, of: server).problem == nil)
    }
}

extension RequestMessage {
    static func status(
        _ body: [UInt8],
        contentType: String = DeviceRoute.contentType
    ) throws -> RequestMessage {
        RequestMessage(
            method: DeviceRoute.method,
            targetURI: try ServedBank.origin.unwrapped().text + DeviceRoute.status.path,
            contentType: contentType,
            body: body
        )
    }
}
