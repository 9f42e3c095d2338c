import Glibc
import OneTimePassword
import PrivateFiles
import TestSupport
import Testing

@testable import AuthenticationHandler
@testable import Cryptography
@testable import TransactionApproval

@Suite struct `A PIN change` {
    let home: Home
    let server: ScriptedServer
    let activation: ScriptedActivation

    init() throws {
        home = try Home()
        server = try ScriptedServer()
        activation = try ScriptedActivation(of: ["4711", "4712"], at: server)
    }

    private func change(_ handler: AuthenticationHandler) async throws -> [PINChange] {
        try await handler.changePIN(from: .typed("271905"), to: .typed("538091"))
    }

    private func generations() throws -> [UInt64] {
        try home.vault().accounts().map(\.record.user.ingredients.generation.value)
    }

    private func userSeed(_ pin: String, in other: Home? = nil) async throws -> [UInt8] {
        let account = try (other ?? home).vault().accounts()[0]
        return try await account.userSeed(PIN.typed(pin)).withBytes { $0.array }
    }

    /// Opens the new seed as a verifier does, and returns it.
    private func acceptRekey(_ seeds: SeedBox, authority: [UInt8]) {
        let agreementKey = server.agreementKey
        server.then(RekeyExchange.self) { request in
            let proposal = request.rekey.proposal
            let session = try RekeySession(
                proposal,
                server: agreementKey,
                authority: CredentialSeed(SecureBytes(copying: authority.span)).unwrapped()
            )
            let seed = try session.open(request.rekey.seed).unwrapped()
            seeds.keep(seed.withBytes { $0.array })
            return .done(NoContent())
        }
    }

    @Test func `sends the seed of the new PIN`() async throws {
        let handler = try home.handler(server)
        let activation = try ScriptedActivation(at: server)
        _ = try await activation.activate(handler, "271905")
        let box = SeedBox()
        try server.thenTellStatuses(in: home)
        acceptRekey(box, authority: try await userSeed("271905"))
        let changes = try await change(handler)
        #expect(changes.map(\.outcome) == [.changed])
        #expect(try generations() == [1])
        #expect(box.seed == (try await userSeed("538091")))
    }

    @Test func `rejects a PIN that the policy does not allow`() async throws {
        let handler = try home.handler(server)
        _ = try await activation.activate(handler, "271905")
        let before = try home.contents()
        try server.thenTellStatuses(in: home)
        let error = await #expect(throws: AuthenticationError.self) {
            try await handler.changePIN(from: .typed("271905"), to: .typed("123456"))
        }
        #expect(error?.brokenRule == .sequence)
        let requestCount = server.requests.count
        await #expect(throws: AuthenticationError(.pinPolicy)) {
            try await handler.checkNewPIN(.typed("123456"))
        }
        try await handler.checkNewPIN(.typed("840275"))
        #expect(server.requests.count == requestCount)
        #expect(
            try home.contents().filter { $0.value.count > 0 }
                == before.filter { $0.value.count > 0 }
        )
    }

    @Test func `keeps the old PIN if the verifier refuses`() async throws {
        let handler = try home.handler(server)
        _ = try await activation.activate(handler, "271905")
        let seed = try await userSeed("271905")
        try server.thenTellStatuses(in: home)
        server.then(RekeyExchange.self, .refused(.authenticationFailed(attemptsLeft: 4)))
        let error = await #expect(throws: AuthenticationError.self) { try await change(handler) }
        #expect(error?.attemptsLeft == 4)
        #expect(try home.vault().accounts().allSatisfy { $0.record.user.proposed == nil })
        #expect(try await userSeed("271905") == seed)
        // The result is known, so this needs no network.
        _ = try await handler.oneTimeCode(pin: .typed("271905"))
    }

    @Test func `reports the remaining accounts if it stops, and a repeat finishes it`()
        async throws
    {
        let handler = try home.handler(server)
        _ = try await activation.activate(handler, "271905")
        try server.thenTellStatuses(in: home)
        server.then(RekeyExchange.self, .done(NoContent()))
        for _ in 0..<2 { server.then(RekeyExchange.self, .refused(.serverUnavailable)) }
        let changes = try await change(handler)
        let unavailable = AuthenticationError(.serverUnavailable)
        #expect(changes.map(\.outcome) == [.changed, .unknown(unavailable)])
        #expect(try generations() == [1, 0])
        for _ in 1...2 { server.then(StatusExchange.self, try status(0, at: 1)) }
        try acceptNewPIN()
        server.then(RekeyExchange.self, .done(NoContent()))
        #expect(try await change(handler).map(\.account.id) == ["4712"])
        #expect(try generations() == [1, 1])
        #expect(try home.vault().accounts().allSatisfy { !$0.record.awaitsPINChange })
    }

    @Test(arguments: [
        (Problem.credentialLocked(.never), PINChange.Outcome.failed(.init(.credentialLocked))),
        (.serverUnavailable, .unknown(.init(.serverUnavailable))),
    ])
    func `distinguishes refused, unknown and later accounts`(
        _ problem: Problem,
        _ outcome: PINChange.Outcome
    ) async throws {
        let activation = try ScriptedActivation(of: ["4711", "4712", "4713", "4714"], at: server)
        let handler = try home.handler(server)
        _ = try await activation.activate(handler, "271905")
        try server.thenTellStatuses(in: home)
        server.then(RekeyExchange.self, .done(NoContent()))
        for _ in 0..<2 { server.then(RekeyExchange.self, .refused(problem)) }
        let changes = try await change(handler)
        #expect(changes.map(\.account.id) == ["4711", "4712", "4713", "4714"])
        #expect(changes.map(\.outcome) == [.changed, outcome, .notTried, .notTried])
        #expect(try generations() == [1, 0, 0, 0])
    }

    @Test func `has an unknown result if the vault fails after the verifier's response`()
        async throws
    {
        _ = try await activation.activate(home.handler(server), "271905")
        let isBroken = LockedValue(false)
        let handler = try home.handler(server) { _ throws(FileFailure) in
            if isBroken.withLock({ $0 }) { throw .errorNumber(EIO) }
        }
        try server.thenTellStatuses(in: home)
        server.then(RekeyExchange.self, .done(NoContent()))
        server.then(RekeyExchange.self) { _ in
            isBroken.withLock { $0 = true }
            return .done(NoContent())
        }
        let unavailable = AuthenticationError(.vaultUnavailable)
        #expect(try await change(handler).map(\.outcome) == [.changed, .unknown(unavailable)])
    }

    // MARK: Lost responses

    private func status(
        _ generation: UInt64,
        at place: Int = 0,
        in other: Home? = nil
    ) throws -> Outcome<StatusExchange.Response> {
        let record = try (other ?? home).vault().accounts()[place].record
        let credential = CredentialStatus(
            id: record.user.id,
            kind: .user,
            position: CredentialPosition(
                generation: Generation(generation),
                epoch: .first,
                minimumCounter: Counter(0)
            ),
            isEnabled: true
        )
        return .done(
            StatusExchange.Response(
                account: record.account,
                credentials: [credential],
                policy: record.policy
            )
        )
    }

    /// The first account, which has changed, checks the new PIN.
    private func acceptNewPIN() throws {
        server.then(StatusExchange.self, try status(1))
        server.then(PINCheckExchange.self, .done(NoContent()))
    }

    @Test(arguments: [0, 1] as [UInt64])
    func `requests its result if the response was lost, and uses no code`(
        _ generation: UInt64
    ) async throws {
        let handler = try home.handler(server)
        let activation = try ScriptedActivation(at: server)
        _ = try await activation.activate(handler, "271905")
        try server.thenTellStatuses(in: home)
        for _ in 0..<2 { server.thenLoseTheResponse() }
        let error = await #expect(throws: AuthenticationError.self) { try await change(handler) }
        #expect(error?.code == .responseMissing)
        #expect(try home.vault().accounts()[0].record.user.proposed != nil)

        server.then(StatusExchange.self, try status(generation))
        try await home.handler(server).recover()
        #expect(try generations() == [generation])
        #expect(try home.vault().accounts()[0].record.user.proposed == nil)
    }

    /// The old PIN would cost an attempt.
    @Test func `is not sent again if it turns out to be finished`() async throws {
        let handler = try home.handler(server)
        let activation = try ScriptedActivation(at: server)
        _ = try await activation.activate(handler, "271905")
        try server.thenTellStatuses(in: home)
        for _ in 0..<2 { server.thenLoseTheResponse() }
        await #expect(throws: AuthenticationError.self) { try await change(handler) }

        server.then(StatusExchange.self, try status(1))
        let count = server.requests.count
        await #expect(throws: AuthenticationError(.pinChangedBefore)) { try await change(handler) }
        #expect(server.requests.count == count + 1)
        #expect(try generations() == [1])

        server.then(StatusExchange.self, try status(1))
        server.then(RekeyExchange.self, .done(NoContent()))
        #expect(try await change(handler).map(\.outcome) == [.changed])
        #expect(try generations() == [2])
    }

    @Test func `is sent again if it turns out to have failed`() async throws {
        let handler = try home.handler(server)
        let activation = try ScriptedActivation(at: server)
        _ = try await activation.activate(handler, "271905")
        try server.thenTellStatuses(in: home)
        for _ in 0..<2 { server.thenLoseTheResponse() }
        await #expect(throws: AuthenticationError.self) { try await change(handler) }

        for _ in 1...2 { server.then(StatusExchange.self, try status(0)) }
        server.then(RekeyExchange.self, .done(NoContent()))
        #expect(try await change(handler).map(\.outcome) == [.changed])
        #expect(try generations() == [1])
    }

    @Test func `continues with the second account if the first turns out to be changed`()
        async throws
    {
        let handler = try home.handler(server)
        _ = try await activation.activate(handler, "271905")
        try server.thenTellStatuses(in: home)
        for _ in 0..<2 { server.thenLoseTheResponse() }
        await #expect(throws: AuthenticationError.self) { try await change(handler) }

        server.then(StatusExchange.self, try status(1))
        server.then(StatusExchange.self, try status(0, at: 1))
        try acceptNewPIN()
        server.then(RekeyExchange.self, .done(NoContent()))
        #expect(try await change(handler).map(\.account.id) == ["4712"])
        #expect(try generations() == [1, 1])
    }

    /// The same as a kill at this point: afterwards one known PIN is valid.
    @Test func `leaves the verifier's PIN after a crash at any point`() async throws {
        for point in 0..<40 {
            let home = try Home()
            let activation = try ScriptedActivation(at: server)
            _ = try await activation.activate(home.handler(server), "271905")
            let steps = StepLimit(point)
            let box = SeedBox()
            try server.thenTellStatuses(in: home)
            acceptRekey(box, authority: try await userSeed("271905", in: home))
            // Every point of failure is allowed: `try?`.
            _ = try? await change(home.handler(server, witness: steps.witness))
            server.forget()

            let taken: UInt64 = box.seed.isEmpty ? 0 : 1
            server.then(StatusExchange.self, try status(taken, in: home))
            try await home.handler(server).recover()
            server.forget()
            let user = try home.vault().accounts()[0].record.user
            #expect(user.ingredients.generation == Generation(taken), "step \(point)")
            #expect(user.proposed == nil)
            let right = taken == 0 ? "271905" : "538091"
            if taken == 1 { #expect(try await userSeed(right, in: home) == box.seed) }
            guard steps.isPassed else {
                #expect(point > 10)
                return
            }
        }
        Issue.record("it never came to its end")
    }

    @Test func `runs once at a time`() async throws {
        let handler = try home.handler(server)
        _ = try await activation.activate(handler, "271905")
        let change = try await home.vault().change()
        let busy = try home.vault().changeAtOnce() == nil
        #expect(busy)
        change.end()
        let free = try home.vault().changeAtOnce() != nil
        #expect(free)
    }
}

/// The secrets that a server received.
///
/// `@unchecked`: written before the response that a test waits for, and read after it.
final class SeedBox: @unchecked Sendable {
    private(set) var seed: [UInt8] = []

    func keep(_ seed: [UInt8]) {
        self.seed = seed
    }
}
