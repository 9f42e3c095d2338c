import Foundation
import OneTimePassword
import TestSupport
import Testing

@testable import AuthenticationHandler
@testable import Cryptography
@testable import TransactionApproval

@Suite struct `Activation of a device` {
    let home: Home
    let server: ScriptedServer
    let activation: ScriptedActivation

    init() throws {
        home = try Home()
        server = try ScriptedServer()
        activation = try ScriptedActivation(of: ["4711", "4712"], at: server)
    }

    private let first = Account(enterprise: "bank", type: "main", id: "4711")
    private let second = Account(enterprise: "bank", type: "main", id: "4712")

    @Test func `returns the accounts before it writes anything`() async throws {
        activation.respondToClaim()
        let verified = try await home.handler(server).verifyActivation(activation.inHand())
        #expect(verified.accounts == [first, second])
        #expect(verified.pinPolicy.digitCounts == 6...12)
        #expect(verified.existingAccount == nil)
        #expect(try home.contents() == [:])
    }

    @Test(arguments: [DevicePolicy.DeviceKind.web, .webWithPRF])
    func `SEC-113: refuses an offer for a web browser, and sends and stores nothing more`(
        _ kind: DevicePolicy.DeviceKind
    ) async throws {
        let policy = DevicePolicy(
            pin: .default,
            authentication: .userPIN,
            device: kind,
            returnAddresses: []
        )
        let activation = try ScriptedActivation(under: policy, at: server)
        activation.respondToClaim()
        let error = await #expect(throws: AuthenticationError.self) {
            try await home.handler(server).verifyActivation(activation.inHand())
        }
        #expect(error?.code == .activationForBrowser)
        #expect(server.requests.count == 1)
        #expect(try home.contents() == [:])
    }

    @Test func `sets up every account with its own device key`() async throws {
        let handler = try home.handler(server)
        let enrolled = try await activation.activate(handler, "271905")
        #expect(enrolled.map(\.account) == [first, second])
        #expect(enrolled.allSatisfy { $0.outcome == .enrolled })
        #expect(try await handler.accounts() == [first, second])
        let accounts = try home.vault().accounts()
        #expect(accounts.allSatisfy { $0.record.state == .active })
        #expect(accounts[0].secrets.key.publicKey != accounts[1].secrets.key.publicKey)
    }

    @Test func `removes an account that the verifier rejected`() async throws {
        let handler = try home.handler(server)
        let enrolled = try await activation.activate(
            handler,
            "271905",
            [.enrolled, .tooManyDevices]
        )
        #expect(enrolled.map(\.outcome) == [.enrolled, .tooManyDevices])
        #expect(try await handler.accounts() == [first])
        #expect(try home.contents().keys.filter { $0.hasPrefix("secrets/") }.count == 2)
    }

    @Test(arguments: ["12345", "123456", "abcdef", "1234567890123"])
    func `rejects a PIN that the policy does not allow, without a request (SEC-20)`(
        _ digits: String
    ) async throws {
        let handler = try home.handler(server)
        activation.respondToClaim()
        let verified = try await handler.verifyActivation(activation.inHand())
        let error = await #expect(throws: AuthenticationError.self) {
            try await handler.setPIN(.typed(digits), for: verified)
        }
        #expect(error?.code == .pinPolicy)
        #expect(error?.brokenRule != nil)
        #expect(try home.contents() == [:])
        #expect(server.requests.count == 1)
    }

    @Test func `detects a mistyped code without a request`() throws {
        var code = activation.code
        code[0] = code[0] == UInt8(ascii: "0") ? UInt8(ascii: "1") : UInt8(ascii: "0")
        let error = #expect(throws: AuthenticationError.self) {
            _ = try Activation(id: activation.id.text, code: code.span, at: server.trusted)
        }
        #expect(error?.code == .activationCodeInvalid)
    }

    @Test func `sends nothing to an untrusted server of a QR code (SEC-37)`()
        throws
    {
        let stranger = try P256.PrivateKey()
        let other = try ServerKeyID(of: stranger.publicKey)
        let trusted = try server.trusted
        let known = try ServerKeyID(of: trusted.agreementKey)
        let elsewhere = try #require(ServerOrigin("https://elsewhere.example"))
        for (origin, key) in [(elsewhere, known), (trusted.origin, other)] {
            let uri = ActivationURI(server: origin, serverKey: key, activation: activation.id)
            let text = try uri.text().withBytes { $0.array }
            let error = #expect(throws: AuthenticationError.self) {
                _ = try Activation(
                    scanned: text.span,
                    code: activation.code.span,
                    trusting: [trusted]
                )
            }
            #expect(error?.code == .serverUntrusted)
            #expect(error?.trustFailure == .activation)
        }
    }

    @Test func `rejects an offer that was not made with the code (SEC-49)`() async throws {
        let other = try ScriptedActivation(at: server)
        server.then(ActivationClaimExchange.self) { [other] _ in
            .done(ActivationClaimExchange.Response(offer: other.offer, mac: try noMAC()))
        }
        let handler = try home.handler(server)
        let error = await #expect(throws: AuthenticationError.self) {
            _ = try await handler.verifyActivation(activation.inHand())
        }
        #expect(error?.trustFailure == .response)
    }

    @Test func `rejects an outcome without a valid receipt, and waits for the result`() async throws
    {
        let handler = try home.handler(server)
        activation.respondToClaim()
        let verified = try await handler.verifyActivation(activation.inHand())
        server.then(ActivationCommitExchange.self) { [activation] commit in
            let response = try activation.response(to: commit)
            let forged = ActivationCommitExchange.Response(
                outcomes: response.outcomes,
                receipt: try noMAC()
            )
            return .done(forged)
        }
        let error = await #expect(throws: AuthenticationError.self) {
            try await handler.setPIN(.typed("271905"), for: verified)
        }
        #expect(error?.trustFailure == .response)
        #expect(try home.vault().accounts().allSatisfy(\.record.isPending))
        #expect(try await handler.accounts() == [])
    }

    // MARK: Crashes and lost responses

    /// Lets the commit arrive and its response be lost, twice, as if the process had ended.
    private func loseCommit(arrived: Bool) async throws {
        let handler = try home.handler(server)
        activation.respondToClaim()
        let verified = try await handler.verifyActivation(activation.inHand())
        for _ in 0..<2 {
            server.then { [activation] _, request in
                let commit = try ActivationCommit(reading: request.message.body)
                if arrived {
                    _ = try activation.response(to: commit)
                } else {
                    for enrolment in commit.enrolments {
                        activation.server.know(enrolment.device, enrolment.deviceKey)
                    }
                }
                throw HTTPTransportFailure.unreachable
            }
        }
        let error = await #expect(throws: AuthenticationError.self) {
            try await handler.setPIN(.typed("271905"), for: verified)
        }
        #expect(error?.code == .networkUnavailable)
        #expect(try home.vault().accounts().map(\.record.isPending) == [true, true])
    }

    @Test func `has an unknown result if a repeated commit is refused and no status arrives`()
        async throws
    {
        let handler = try home.handler(server)
        activation.respondToClaim()
        let verified = try await handler.verifyActivation(activation.inHand())
        server.then { [activation] _, request in
            _ = try activation.response(to: ActivationCommit(reading: request.message.body))
            throw HTTPTransportFailure.responseMissing
        }
        server.then(ActivationCommitExchange.self, .refused(.activationCodeInvalid))
        for _ in 1...4 { server.then { _, _ in throw HTTPTransportFailure.unreachable } }
        let error = await #expect(throws: AuthenticationError.self) {
            try await handler.setPIN(.typed("271905"), for: verified)
        }
        #expect(error?.code == .responseMissing)
        #expect(try home.vault().accounts().map(\.record.isPending) == [true, true])
        try respondToStatus()
        try await handler.recover()
        #expect(try await handler.accounts() == [first, second])
    }

    private func respondToStatus(_ problem: Problem? = nil) throws {
        for account in try home.vault().accounts() {
            let status = StatusExchange.Response(
                account: account.record.account,
                credentials: [],
                policy: account.record.policy
            )
            server.then(StatusExchange.self, problem.map { .refused($0) } ?? .done(status))
        }
    }

    @Test func `succeeds if only the response was lost`() async throws {
        try await loseCommit(arrived: true)
        let handler = try home.handler(server)
        try respondToStatus()
        try await handler.recover()
        #expect(try await handler.accounts() == [first, second])
    }

    @Test func `is undone if the request was lost`() async throws {
        try await loseCommit(arrived: false)
        let handler = try home.handler(server)
        try respondToStatus(.noAccountActivated)
        try await handler.recover()
        #expect(try await handler.accounts() == [])
        let locks = ["secrets/lock", "vault/change", "vault/lock"]
        #expect(try home.contents().keys.sorted() == locks)
    }

    @Test func `stays pending while the verifier is unreachable`() async throws {
        try await loseCommit(arrived: true)
        let handler = try home.handler(server)
        for _ in 0..<2 { try respondToStatus(.serverUnavailable) }
        try await handler.recover()
        #expect(try home.vault().accounts().map(\.record.isPending) == [true, true])
    }

    @Test func `leaves no account or a complete one after a crash at any point`() async throws {
        let activation = try ScriptedActivation(at: server)
        for point in 0..<60 {
            let home = try Home()
            let steps = StepLimit(point)
            let handler = try home.handler(server, witness: steps.witness)
            // Every point of failure is allowed: `try?`.
            _ = try? await activation.activate(handler, "271905")
            // A readable account has its secrets and a valid MAC.
            let accounts = try home.vault().accounts()
            if !steps.isPassed {
                #expect(accounts.map(\.record.state) == [.active])
                #expect(point >= 10)
                return
            }
            server.forget()
        }
        Issue.record("it never came to its end")
    }
}

private func noMAC() throws -> Digest {
    try Digest(sha256: [UInt8](repeating: 0, count: 32)).unwrapped()
}
