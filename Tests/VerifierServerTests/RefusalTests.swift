import HTTPServer
import Testing
import TransactionApproval
import Verification
import VerifierWorld

@testable import VerifierServer

@Suite(.onAnyStore, .describedAsAWhole) struct `A refusal of the device API` {
    @Test(arguments: RefusalTrial.all)
    func `is signed, and writes nothing unless a code was wrong`(
        _ trial: RefusalTrial
    ) async throws {
        let server = try await ServedBank()
        let phone = try await server.bank.activate()
        let prepared = try await trial.prepare(server, phone)
        let before = try await server.bank.contents()
        let problem = try await prepared.call()
        #expect(problem == prepared.expected)
        let isUnchanged = try await server.bank.contents() == before
        #expect(isUnchanged == !prepared.isCharged)
    }

    @Test func `SEC-45: is the same for a wrong PIN, number or transaction`() async throws {
        let server = try await ServedBank(policy: #"{"numberMatchingDigits": 2}"#)
        var bodies: [[UInt8]] = []
        for mistake in 0..<3 {
            let (_, phone) = try await server.bank.activate("\(mistake)")
            let account = Bank.account("\(mistake)")
            let (payment, number) = try await server.bank.payShowingNumber(from: account)
            let decision = try await phone.decision(
                on: payment,
                with: mistake == 0 ? .wrong : .right,
                number: mistake == 1 ? nil : number,
                in: server.bank
            )
            let content = mistake == 2 ? try await phone.codeForOther(payment, server) : decision
            let request = try phone.request(
                DecisionExchange.self,
                content,
                at: server.bank.clock.now
            )
            let response = await server.api.respond(to: try Request(request))
            #expect(response.status == 403)
            bodies.append(response.bytes)
        }
        #expect(Set(bodies).count == 1)
    }

    @Test
    func `is serverUnavailable if a commit is uncertain, and a retry of the attempt succeeds`()
        async throws
    {
        let server = try await ServedBank()
        let phone = try await server.bank.activate()
        let payment = try await server.bank.pay()
        let decision = try await phone.decision(on: payment, in: server.bank)
        let silent = try await server.serving(SilentDatabase(store: server.bank.database))
        let unknown = try await phone.call(DecisionExchange.self, decision, of: server, by: silent)
        #expect(unknown == .refused(.serverUnavailable))
        let known = try await phone.call(DecisionExchange.self, decision, of: server)
        #expect(known == .done(NoContent()))
    }

    @Test func `of disabled biometrics leaves the device usable`()
        async throws
    {
        let policy = #"{"authentication": ["userPIN", "biometric"]}"#
        let server = try await ServedBank(policy: policy)
        let phone = try await server.bank.activate()
        let rekey = try await phone.rekey(.biometric, in: server.bank)
        #expect(try await phone.send(rekey, in: server.bank) == .accepted(nil))
        let login = try await phone.login(by: .biometric, in: server.bank)
        let removal = BiometricRemovalExchange.Request(attempt: try .random())
        #expect(
            try await phone.call(BiometricRemovalExchange.self, removal, of: server).problem == nil
        )
        let refused = try await phone.call(LoginExchange.self, login, of: server)
        #expect(refused == .refused(.authenticationTypeNotAllowed))
        let off = try await phone.status(of: .biometric, at: server)
        #expect(off.lock == nil)
        #expect(!off.isEnabled)
        let again = try await phone.rekey(.biometric, in: server.bank)
        #expect(try await phone.send(again, in: server.bank) == .accepted(nil))
        #expect(try await phone.status(of: .biometric, at: server).isEnabled)
        let later = try await phone.login(by: .biometric, in: server.bank)
        #expect(try await phone.call(LoginExchange.self, later, of: server).problem == nil)
    }

    @Test func `has an entry in the table for every case`() {
        #expect(Problem(.alreadyDecided(.void)) == .transactionAlreadyDecided(.void))
        #expect(Problem(.alreadyDecided(.expired)) == .transactionExpired)
        #expect(Problem(.wrongCode(.counted(attemptsLeft: 300)))?.attemptsLeft == 255)
        #expect(Problem(Refusal.counterUnconfirmed) == nil)
    }
}

@Suite(.onAnyStore, .describedAsAWhole) struct `A refusal of an activation` {
    @Test func `SEC-52, SEC-53: is the same for a wrong code and an unknown or closed activation`()
        async throws
    {
        let server = try await ServedBank()
        let issued = try await server.bank.issue()
        let phone = try server.bank.phone()
        let other = try await server.bank.issue(for: server.bank.addAccount("4712"))
        let claims = [
            try phone.claim(issued.id, other.code), try phone.claim(.random(), issued.code),
        ]
        for claim in claims {
            let outcome = try await phone.call(ActivationClaimExchange.self, claim, of: server)
            #expect(outcome == .refused(.activationCodeInvalid))
        }
        let right = try phone.claim(issued.id, issued.code)
        #expect(
            try await phone.call(ActivationClaimExchange.self, right, of: server).problem == nil
        )
    }

    @Test func `names expiry if the code is correct`() async throws {
        let server = try await ServedBank()
        let issued = try await server.bank.issue()
        let phone = try server.bank.phone()
        let right = try phone.claim(issued.id, issued.code)
        let activation = try #require(
            try await server.bank.verifier.activation(issued.id, of: Bank.account)
        )
        server.bank.clock.advance(by: activation.deadline.elapsed(since: server.bank.clock.now))
        let expired = try await phone.call(ActivationClaimExchange.self, right, of: server)
        #expect(expired == .refused(.activationCodeExpired))
    }

    @Test func `names a device that was superseded`() async throws {
        let server = try await ServedBank()
        let issued = try await server.bank.issue()
        let (first, second) = (try server.bank.phone(), try server.bank.phone())
        let claim = try first.claim(issued.id, issued.code)
        let commit = try await server.bank.offered(claim, to: [first], issued.code)
        let later = try second.claim(issued.id, issued.code)
        #expect(
            try await second.call(ActivationClaimExchange.self, later, of: server).problem == nil
        )
        let superseded = try await first.call(ActivationCommitExchange.self, commit, of: server)
        #expect(superseded == .refused(.activationCodeInvalid))
    }

    @Test func `covers seeds that were sealed for another offer`() async throws {
        let server = try await ServedBank()
        let issued = try await server.bank.issue()
        let phone = try server.bank.phone()
        let claim = try phone.claim(issued.id, issued.code)
        let commit = try await server.bank.offered(claim, to: [phone], issued.code)
        _ = try await server.bank.verifier.claim(server.bank.phone().claim(issued.id, issued.code))
        _ = try await server.bank.offered(claim, to: [phone], issued.code)
        let outcome = try await phone.call(ActivationCommitExchange.self, commit, of: server)
        #expect(outcome == .refused(.invalidArgument))
    }

    @Test func `covers an account with the maximum number of devices`()
        async throws
    {
        let server = try await ServedBank(policy: #"{"devicesPerAccount": 1}"#)
        let old = try await server.bank.activate()
        let issued = try await server.bank.issue()
        let phone = try server.bank.phone()
        let claim = try phone.claim(issued.id, issued.code)
        let commit = try await server.bank.offered(claim, to: [phone], issued.code)
        let full = try await phone.call(ActivationCommitExchange.self, commit, of: server)
        #expect(full == .refused(.accountAlreadyActivated))
        let deletion = DeletionExchange.Request(attempt: try .random())
        #expect(try await old.call(DeletionExchange.self, deletion, of: server).problem == nil)
        let done = try await phone.call(ActivationCommitExchange.self, commit, of: server)
        #expect(done.response?.outcomes == [.enrolled])
    }
}

extension Problem {
    fileprivate var attemptsLeft: UInt8? {
        if case .authenticationFailed(let left) = self { left } else { nil }
    }
}

extension Phone {
    fileprivate func status(
        of kind: CredentialKind,
        at server: ServedBank
    ) async throws -> CredentialStatus {
        let response = try await call(StatusExchange.self, .init(), of: server).response
        return try response.unwrapped().credentials.first { $0.kind == kind }.unwrapped()
    }

    /// Evidence of this transaction, with a code for another one.
    fileprivate func codeForOther(
        _ payment: Transaction,
        _ server: ServedBank
    ) async throws -> DecisionExchange.Request {
        let envelope = try await attempt(over: .pinCheck, in: server.bank).code
        return try decision(on: payment, envelope)
    }
}
