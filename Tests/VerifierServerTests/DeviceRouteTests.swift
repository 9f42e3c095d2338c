import Cryptography
import HTTPServer
import OneTimePassword
import Sealing
import Testing
import TransactionApproval
import Verification
import VerifierServer
import VerifierWorld

@Suite(.onAnyStore, .describedAsAWhole) struct `The device API` {
    @Test func `SEC-49: activates in two steps, and returns the status for a signature`()
        async throws
    {
        let server = try await ServedBank()
        let linked = try await server.bank.addLinkedAccount("4712")
        let issued = try await server.bank.issue()
        let phones = [try server.bank.phone(), try server.bank.phone()]
        let phone = phones[0]
        let claim = try phone.claim(issued.id, issued.code)
        let offered = try await phone.call(ActivationClaimExchange.self, claim, of: server)
        let response = try #require(offered.response)
        #expect(response.offer.enrolments.map(\.account) == [Bank.account.key, linked.key])
        let commit = try phone.commit(
            claim,
            response.offer,
            mac: response.mac,
            issued.code,
            with: phones[1...]
        )
        #expect(try await phone.call(StatusExchange.self, .init(), of: server, isKnown: false))
        let committed = try await phone.call(ActivationCommitExchange.self, commit, of: server)
        let done = try #require(committed.response)
        #expect(done.outcomes == [.enrolled, .enrolled])
        let receipt = try phone.receipt(
            for: commit,
            done.outcomes,
            response.offer,
            mac: response.mac,
            issued.code
        )
        #expect(done.receipt == receipt)
        for phone in phones {
            let status = try await phone.call(StatusExchange.self, .init(), of: server)
            #expect(status.response?.credentials.map(\.kind) == [.user, .device])
        }
    }

    @Test func `returns credentials, policy and the next server key`()
        async throws
    {
        let server = try await ServedBank()
        let phone = try await server.bank.activate()
        try await phone.checkPIN(in: server.bank)
        try await phone.failUntilLocked(in: server.bank)
        let outcome = try await phone.call(StatusExchange.self, .init(), of: server)
        let status = try #require(outcome.response)
        let credential = try await server.bank.credential(of: phone).credential
        let user = CredentialStatus(
            id: credential.id,
            kind: .user,
            position: CredentialPosition(
                generation: .first,
                epoch: Epoch(0),
                minimumCounter: Counter(1)
            ),
            isEnabled: true,
            lock: .until(server.bank.clock.now + .seconds(1800))
        )
        #expect(status.credentials.first == user)
        #expect(status.credentials.last?.lock == nil)
        #expect(status.policy.authentication.contains(.userPIN))
        #expect(status.nextServerKey == server.nextResponseKey)
        try await server.bank.setEnabled(false, phone, .device)
        let later = try await phone.call(StatusExchange.self, .init(), of: server).response
        #expect(later?.credentials.map(\.isEnabled) == [true, false])
        server.bank.clock.advance(by: .seconds(1800))
        try await phone.guessUntilBlocked(in: server.bank)
        let last = try await phone.call(StatusExchange.self, .init(), of: server).response
        #expect(last?.credentials.map(\.lock) == [.never, .never])
    }

    /// So a device that never requests its status knows that there is a new key.
    @Test func `names the next keys in each signed response, and in no other`() async throws {
        let server = try await ServedBank()
        let phone = try await server.bank.activate()
        let stranger = try server.bank.phone()
        let next = [try ServerKeyID(of: server.nextResponseKey)]
        for (phone, names) in [(phone, next), (stranger, nil)] {
            let request = try phone.request(
                TransactionListExchange.self,
                NoContent(),
                at: server.bank.clock.now
            )
            let response = await server.api.respond(to: try Request(request))
            #expect(UnverifiedResponse(response).announcedKeys?.names == names)
        }
    }

    @Test func `SEC-35, SEC-40: lists pending transactions of the account, oldest first`()
        async throws
    {
        let server = try await ServedBank(policy: #"{"numberMatchingDigits": 6}"#)
        let phone = try await server.bank.activate()
        let (_, stranger) = try await server.bank.activate("4712")
        let first = try await server.bank.pay()
        server.bank.clock.advance(by: .milliseconds(1))
        let second = try await server.bank.pay()
        let list = try await phone.call(TransactionListExchange.self, NoContent(), of: server)
        #expect(list.response?.transactions == [first.id, second.id])
        let request = TransactionExchange.Request(transaction: second.id)
        let fetched = try await phone.call(TransactionExchange.self, request, of: server)
        #expect(
            fetched == .done(.init(canonicalBytes: second.canonicalBytes, typedDigits: .six))
        )
        let theirs = try await stranger.call(TransactionListExchange.self, NoContent(), of: server)
        #expect(theirs.response?.transactions == [])
        let foreign = try await stranger.call(TransactionExchange.self, request, of: server)
        #expect(foreign == .refused(.unknownTransaction))
    }

    @Test(
        arguments: [
            .approve(.userPIN), .approve(.consent), .reject(.notMe), .reject(.wrongDetails),
        ] as [DecisionExchange.Choice]
    )
    func `SEC-34: decides, and repeats the verdict for the same attempt`(
        _ choice: DecisionExchange.Choice
    ) async throws {
        let server = try await ServedBank(
            policy: """
                {"authentication": ["consent", "userPIN"],
                 "consentCeilings": [{"currency": "EUR", "minorUnits": 10000}]}
                """
        )
        let phone = try await server.bank.activate()
        let payment = try await server.bank.pay(by: [.userPIN, .consent])
        let decision = try await phone.decision(choice, on: payment, in: server.bank)
        #expect(try await phone.call(DecisionExchange.self, decision, of: server).problem == nil)
        let state = try await server.bank.state(of: payment)
        guard case .closed(let outcome, _) = state else { throw Bank.Unexpected() }
        switch choice {
        case .approve(let type): #expect(outcome == .approved(with: type, by: phone.id))
        case .reject(let reason): #expect(outcome == .rejected(reason, by: phone.id))
        }
        let before = try await server.bank.contents()
        let again = try await phone.call(DecisionExchange.self, decision, of: server)
        #expect(again == .done(NoContent()))
        #expect(try await server.bank.contents() == before)
    }

    @Test func `requires the number that the bank shows`() async throws {
        let server = try await ServedBank(policy: #"{"numberMatchingDigits": 6}"#)
        let phone = try await server.bank.activate()
        let (payment, number) = try await server.bank.payShowingNumber()
        let without = try await phone.decision(on: payment, in: server.bank)
        let refused = try await phone.call(DecisionExchange.self, without, of: server)
        #expect(refused == .refused(.authenticationFailed(attemptsLeft: 4)))
        let with = try await phone.decision(on: payment, number: number, in: server.bank)
        #expect(try await phone.call(DecisionExchange.self, with, of: server).problem == nil)
    }

    @Test func `logs in, and the bank redeems the login once`() async throws {
        let server = try await ServedBank()
        let phone = try await server.bank.activate()
        let login = try await phone.login(in: server.bank)
        let outcome = try await phone.call(LoginExchange.self, login, of: server)
        let id = try #require(outcome.response?.login)
        #expect(try await phone.call(LoginExchange.self, login, of: server) == outcome)
        let redeem = {
            try await server.bank.verifier.redeemLogin(
                id,
                of: Bank.account,
                over: Phone.challenge,
                by: Bank.core
            )
        }
        guard case .redeemed = try await redeem() else { throw Bank.Unexpected() }
        #expect(try await redeem() == .refused(.redeemedBefore))
    }

    @Test func `checks the PIN, and changes it once`() async throws {
        let server = try await ServedBank()
        let phone = try await server.bank.activate()
        let check = try await phone.pinCheck(in: server.bank)
        #expect(try await phone.call(PINCheckExchange.self, check, of: server).problem == nil)
        let old = try await phone.pinCheck(in: server.bank)
        let proposal = try await phone.rekey(in: server.bank)
        let rekey = try await phone.rekey(proposal, in: server.bank)
        #expect(try await phone.call(RekeyExchange.self, rekey, of: server).problem == nil)
        #expect(try await phone.call(RekeyExchange.self, rekey, of: server).problem == nil)
        phone.keep(proposal.seed, for: .user)
        let status = try await phone.call(StatusExchange.self, .init(), of: server).response
        #expect(status?.credentials.first?.position.generation == Generation(1))
        let gone = try await phone.call(PINCheckExchange.self, old, of: server).problem
        #expect(gone?.code == .counterOutOfStep)
        let new = try await phone.pinCheck(in: server.bank)
        #expect(try await phone.call(PINCheckExchange.self, new, of: server).problem == nil)
    }

    @Test func `sets pushes, and deletes the device`() async throws {
        let server = try await ServedBank()
        let phone = try await server.bank.activate()
        let push = PushExchange.Request(attempt: try .random(), setting: .events)
        #expect(try await phone.call(PushExchange.self, push, of: server).problem == nil)
        #expect(try await server.bank.verifier.pushSetting(of: phone.id) == .events)
        let deletion = DeletionExchange.Request(attempt: try .random())
        #expect(try await phone.call(DeletionExchange.self, deletion, of: server).problem == nil)
        #expect(try await phone.call(DeletionExchange.self, deletion, of: server).problem == nil)
        let status = try await phone.call(StatusExchange.self, .init(), of: server)
        #expect(status == .refused(.deviceRevoked))
    }
}

extension Phone {
    /// Expects that the server knows this device, or does not.
    fileprivate func call<Exchange: DeviceExchange>(
        _ exchange: Exchange.Type,
        _ content: Exchange.Request,
        of server: ServedBank,
        isKnown: Bool
    ) async throws -> Bool {
        let request = try request(exchange, content, at: server.bank.clock.now)
        let response = await server.api.respond(to: try Request(request))
        return (try response.authentic(to: request, from: server.trusted) != nil) == isKnown
    }
}
