import TestSupport
import Testing

@testable import AuthenticationHandler
@testable import Cryptography
@testable import OneTimePassword
@testable import TransactionApproval

@Suite struct `Requests with a code` {
    let home: Home
    let server: ScriptedServer

    init() throws {
        home = try Home()
        server = try ScriptedServer()
    }

    private func logIn(_ pin: String = "271905") async throws -> String {
        try await home.handler(server).logIn(with: .pin(.typed(pin)), signing: [1, 2, 3])
    }

    private func expectLogin(_ outcome: Outcome<LoginExchange.Response>) {
        server.then(LoginExchange.self, outcome)
    }

    private let granted = Outcome.done(LoginExchange.Response(login: TransactionID(checked: "L")))

    private func envelopes() throws -> [CodeEnvelope] {
        try server.requests.map { try LoginExchange.Request(reading: $0.message.body).envelope }
    }

    private func position(_ counter: UInt64, generation: UInt64 = 0) -> CredentialPosition {
        CredentialPosition(
            generation: Generation(generation),
            epoch: Epoch(3),
            minimumCounter: Counter(counter)
        )
    }

    @Test func `contain the code of PIN, share and store secret`() async throws {
        let account = try await home.addAccount(of: server)
        expectLogin(granted)
        #expect(try await logIn() == "L")
        let envelope = try envelopes()[0]
        let ingredients = account.record.user.ingredients
        let context = account.record.context(.user, of: account.record.user)
        let seed = try await ingredients.userSeed(
            of: context,
            pin: secretBytes("271905"),
            account.secrets
        )
        let codes = try InBandCodes(of: context, seed: seed)
        let data: [UInt8] = [1, 2, 3]
        let question = InBandQuestion.login(try HashAlgorithm.sha256.digest(of: data.span))
        let code = try codes.code(for: question, in: Epoch(0), at: Counter(7))
        #expect(envelope.code.code == code)
        #expect(envelope.counter == Counter(7))
    }

    @Test func `leave the same vault for a right and a wrong PIN (SEC-24)`() async throws {
        let account = try await home.addAccount(of: server)
        for pin in ["271905", "982641"] {
            expectLogin(granted)
            _ = try await logIn(pin)
            var expected = account.record
            expected.user.counter = Counter(pin == "271905" ? 8 : 9)
            #expect(try home.vault().accounts()[0].record == expected)
        }
        let envelopes = try envelopes()
        #expect(envelopes[0].code != envelopes[1].code)
    }

    @Test func `report the attempts left`() async throws {
        try await _ = home.addAccount(of: server)
        expectLogin(.refused(.authenticationFailed(attemptsLeft: 3)))
        let error = await #expect(throws: AuthenticationError.self) { try await logIn() }
        #expect(error?.code == .authenticationFailed)
        #expect(error?.attemptsLeft == 3)
    }

    // MARK: Lost step

    @Test func `move to the verifier's counter and retry`() async throws {
        try await _ = home.addAccount(of: server)
        expectLogin(.refused(.counterOutOfStep(position(1000))))
        expectLogin(granted)
        #expect(try await logIn() == "L")
        let envelopes = try envelopes()
        #expect(envelopes.map(\.counter) == [Counter(7), Counter(1000)])
        #expect(envelopes[1].epoch == Epoch(3))
        #expect(envelopes[0].attempt != envelopes[1].attempt)
        #expect(try home.vault().accounts()[0].record.user.counter == Counter(1001))
    }

    @Test func `never move the counter back (SEC-04)`() async throws {
        try await _ = home.addAccount(of: server)
        expectLogin(.refused(.counterOutOfStep(position(2))))
        expectLogin(granted)
        _ = try await logIn()
        #expect(try envelopes().map(\.counter) == [Counter(7), Counter(8)])
    }

    @Test(arguments: [9 + CredentialPosition.reach, 1 << 40, .max])
    func `reject a signed counter beyond the bound, and keep their own (SEC-04)`(
        _ counter: UInt64
    ) async throws {
        let account = try await home.addAccount(of: server)
        expectLogin(.refused(.counterOutOfStep(position(counter))))
        let error = await #expect(throws: AuthenticationError.self) { try await logIn() }
        #expect(error?.code == .counterOutOfStep)
        #expect(server.requests.count == 1)
        var expected = account.record
        // The counter of the request that was sent.
        expected.user.counter = Counter(8)
        #expect(try home.vault().accounts()[0].record == expected)
    }

    @Test func `move to a counter at the bound (SEC-04)`() async throws {
        try await _ = home.addAccount(of: server)
        expectLogin(.refused(.counterOutOfStep(position(8 + CredentialPosition.reach))))
        expectLogin(granted)
        #expect(try await logIn() == "L")
        #expect(try envelopes()[1].counter == Counter(8 + CredentialPosition.reach))
    }

    @Test func `are not retried if the verifier's counter stays, or moves six times`() async throws
    {
        try await _ = home.addAccount(of: server)
        for counter in [100, 100] as [UInt64] {
            expectLogin(.refused(.counterOutOfStep(position(counter))))
        }
        await #expect(throws: AuthenticationError(.counterOutOfStep)) { try await logIn() }
        #expect(server.requests.count == 2)
        for counter in 11...16 as ClosedRange<UInt64> {
            expectLogin(.refused(.counterOutOfStep(position(counter * 100))))
        }
        await #expect(throws: AuthenticationError(.counterOutOfStep)) { try await logIn() }
        #expect(server.requests.count == 2 + 6)
    }

    @Test func `of a cancelled task use no counter`() async throws {
        let account = try await home.addAccount(of: server)
        let handler = try home.handler(server)
        let cancelled = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            _ = try await handler.logIn(with: .pin(.typed("271905")), signing: nil)
        }
        await #expect(throws: AuthenticationError(.networkUnavailable)) {
            try await cancelled.value
        }
        let offline = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            _ = try await handler.oneTimeCode(pin: .typed("271905"))
        }
        await #expect(throws: AuthenticationError(.vaultLocked)) { try await offline.value }
        #expect(server.requests.isEmpty)
        #expect(try home.vault().accounts()[0].record == account.record)
    }

    @Test func `are not retried for an unknown generation`() async throws {
        try await _ = home.addAccount(of: server)
        expectLogin(.refused(.counterOutOfStep(position(9, generation: 4))))
        let error = await #expect(throws: AuthenticationError.self) { try await logIn() }
        #expect(error?.code == .deviceSecretMissing)
    }

    @Test func `repeat the same code if the response is lost`() async throws {
        try await _ = home.addAccount(of: server)
        server.thenLoseTheResponse()
        expectLogin(granted)
        _ = try await logIn()
        let envelopes = try envelopes()
        #expect(envelopes[0] == envelopes[1])
        #expect(try home.vault().accounts()[0].record.user.counter == Counter(8))
    }
}
