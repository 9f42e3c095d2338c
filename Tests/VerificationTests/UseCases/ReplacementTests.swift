import OneTimePassword
import Sealing
import Storage
import Testing
import TransactionApproval
import Verification
import VerifierWorld

@Suite(.onAnyStore) struct `Account replacement` {
    private let new = Bank.account("4712")

    @Test func `devices move to the new account unchanged`() async throws {
        var bank = try await Bank()
        let phone = try await bank.activate()
        let biometric = try await phone.rekey(.biometric, in: bank)
        _ = try await phone.send(biometric, in: bank)
        try await phone.checkPIN(with: .wrong, in: bank)
        let before = try await bank.credential(of: phone)
        #expect(try await bank.replace(by: new) == .done)
        try await bank.restart()
        let after = try await bank.credential(of: phone)
        #expect(after.failures == before.failures)
        #expect(after.credential.counter == before.credential.counter)
        #expect(after.credential.seed != before.credential.seed)
        let payment = try await bank.pay(from: new)
        #expect(try await phone.decide(on: payment, in: bank) == .accepted(nil))
        let rekey = try await phone.rekey(in: bank)
        #expect(try await phone.send(rekey, in: bank) == .accepted(nil))
        let code = try await phone.typedCode(in: bank)
        #expect(try await phone.type(code, in: bank) == .refused(.typeNotAllowed))
        #expect(try await phone.type(code, from: new, in: bank) == .accepted(nil))
        #expect(try await bank.verifier.status(of: phone.id)?.account == new)
    }

    @Test func `the old account's open requests end, and it gets no new ones`() async throws {
        let bank = try await Bank()
        let phone = try await bank.activate()
        let payment = try await bank.pay()
        _ = try await bank.issue()
        _ = try await bank.replace(by: new)
        #expect(try await bank.state(of: payment) == .closed(.withdrawn, at: bank.clock.now))
        #expect(try await phone.decide(on: payment, in: bank) == .refused(.unknownTransaction))
        #expect(try await bank.count(of: .activationRevoked) == 1)
        await #expect(throws: Bank.Unexpected.self) { _ = try await bank.issue() }
        #expect(try await bank.replace(by: Bank.account("4713")) == .unchanged)
        let request = TransactionRequest(account: Bank.account, content: try .payment(of: 1))
        #expect(try await bank.verifier.request(request, by: Bank.core) == .accountReplaced)
    }

    @Test func `SEC-33: the limits of requests go on`() async throws {
        var bank = try await Bank()
        let phone = try await bank.activate()
        for number in 0..<5 {
            let payment = try await bank.pay(from: number == 0 ? Bank.account : new)
            try await phone.decide(.reject(.wrongDetails), on: payment, in: bank)
            if number == 0 { #expect(try await bank.replace(by: new) == .done) }
        }
        try await bank.restart()
        guard case .rateLimited = try await bank.request(new) else { throw Bank.Unexpected() }
    }

    @Test(arguments: [false, true])
    func `SEC-33: "not me" stays, also if the new account is of another person`(
        _ isOfOther: Bool
    ) async throws {
        let bank = try await Bank()
        let phone = try await bank.activate()
        if isOfOther {
            for name in ["4712", "4713", "4714"] { _ = try await bank.addAccount(name) }
            let linked = [(Bank.account, "4714"), (new, "4713")]
            for (account, other) in linked {
                let other = Bank.account(other).key
                #expect(try await bank.verifier.link(account, to: other, by: Bank.core) == .done)
            }
        }
        try await phone.decide(.reject(.notMe), on: try await bank.pay(), in: bank)
        let before = try await bank.verifier.overview(of: Bank.account)?.mutedUntil
        #expect(before != nil)
        #expect(try await bank.replace(by: new) == .done)
        #expect(try await bank.verifier.overview(of: new)?.mutedUntil == before)
    }

    @Test func `a login of the old account cannot be redeemed`() async throws {
        let bank = try await Bank()
        let phone = try await bank.activate()
        let login = try await phone.grant(in: bank)
        #expect(try await bank.replace(by: new) == .done)
        #expect(try await bank.redeem(login) == .unknown)
        #expect(try await bank.redeem(login, of: new) == .unknown)
        #expect(try await bank.count(of: .loginRedeemed) == 0)
    }

    @Test func `SEC-101: no login is redeemed while the row of a replaced account is hidden`()
        async throws
    {
        // In PostgreSQL, a foreign key refers to the row.
        let premises = try Premises(on: .sqlite)
        let bank = try await premises.begin()
        let phone = try await bank.activate()
        let login = try await phone.grant(in: bank)
        #expect(try await bank.replace(by: new) == .done)
        try premises.tamper("UPDATE accounts SET id = 'hidden' WHERE id = '4711'")
        await #expect(throws: Verifier.Failure.self) { try await bank.redeem(login) }
        try premises.tamper("UPDATE accounts SET id = '4711' WHERE id = 'hidden'")
        #expect(try await bank.redeem(login) == .unknown)
    }

    /// An attacker gives rows another account during the replacement, and then puts them back.
    private func replaceHiding(
        _ tables: [String],
        in premises: Premises,
        _ bank: Bank
    ) async throws {
        _ = try await bank.addAccount("hidden")
        func move(from old: String, to new: String) throws {
            for table in tables {
                try premises.tamper(
                    "UPDATE \(table) SET account_id = '\(new)' WHERE account_id = '\(old)'"
                )
            }
        }
        try move(from: "4711", to: "hidden")
        #expect(try await bank.replace(by: new) == .done)
        try move(from: "hidden", to: "4711")
    }

    @Test(arguments: [
        (["transactions"], Refusal.unknownTransaction),
        (["transactions", "devices"], .typeNotAllowed),
    ])
    func `SEC-101: a request that was hidden meanwhile cannot be approved`(
        _ tables: [String],
        _ refusal: Refusal
    ) async throws {
        let premises = try Premises()
        let bank = try await premises.begin()
        let phone = try await bank.activate()
        let payment = try await bank.pay()
        try await replaceHiding(tables, in: premises, bank)
        #expect(try await phone.decide(on: payment, in: bank) == .refused(refusal))
        #expect(try await bank.state(of: payment) == .pending)
        let login = try await phone.logIn(in: bank)
        #expect((login == .refused(.typeNotAllowed)) == (refusal == .typeNotAllowed))
        let request = TransactionRequest(account: Bank.account, content: try .payment(of: 1))
        #expect(try await bank.verifier.request(request, by: Bank.core) == .accountReplaced)
        await bank.database.close()
    }

    /// The activation would also enrol a device for the linked accounts.
    @Test func `SEC-101: an activation that was hidden meanwhile enrols no device`() async throws {
        let premises = try Premises()
        let bank = try await premises.begin()
        _ = try await bank.addLinkedAccount("4713")
        let issued = try await bank.issue()
        let phones = [try bank.phone(), try bank.phone()]
        let submitted = try phones[0].claim(issued.id, issued.code)
        let commit = try await bank.offered(submitted, to: phones, issued.code)
        try await replaceHiding(["activations"], in: premises, bank)
        let refused = CommitResult.refused(.activation(.codeInvalid))
        #expect(try await bank.verifier.commit(commit) == refused)
        let other = try bank.phone().claim(issued.id, issued.code)
        #expect(try await bank.verifier.claim(other) == .refused(.codeInvalid))
        #expect(try await bank.count(of: .deviceActivated) == 0)
        await bank.database.close()
    }

    @Test func `both accounts must exist and be different`() async throws {
        let bank = try await Bank()
        #expect(try await bank.replace(by: Bank.account) == .unknownAccount)
        #expect(try await bank.replace(Bank.account("none"), by: new) == .unknownAccount)
        #expect(try await bank.replace(by: new) == .done)
        #expect(try await bank.replace(new, by: Bank.account) == .successorReplaced)
        #expect(try await bank.count(of: .accountReplaced) == 1)
    }

    @Test func `a seed that changes meanwhile is moved in its current version`() async throws {
        let bank = try await Bank()
        let phone = try await bank.activate()
        let verifier = bank.verifier(interleaving: {
            guard try await bank.count(of: .credentialRekeyed) == 0 else { return }
            let rekey = try await phone.rekey(in: bank)
            _ = try await phone.send(rekey, in: bank)
        })
        let result = try await verifier.replace(Bank.account, by: new.key, by: Bank.core)
        #expect(result == .done)
        #expect(try await phone.checkPIN(in: bank) == .accepted(nil))
        #expect(try await bank.credential(of: phone).credential.generation == Generation(1))
    }

    @Test func `a rekey during a replacement leaves no seed that is sealed for the old account`()
        async throws
    {
        let bank = try await Bank()
        let phone = try await bank.activate()
        let rekey = try await phone.rekey(in: bank)
        let attempt = try await phone.attempt(over: try rekey.request.question(), in: bank)
        let new = new
        let verifier = bank.verifier(interleaving: { _ = try await bank.replace(by: new) })
        let result = try await verifier.rekey(rekey.request, attempt)
        #expect(result == .refused(.generationMismatch))
        #expect(try await bank.verifier.rekey(rekey.request, attempt) == .accepted(nil))
    }

    @Test func `a typed code for the old account is refused after the replacement`() async throws {
        let bank = try await Bank()
        let phone = try await bank.activate()
        let code = try await phone.typedCode(in: bank)
        let new = new
        // The first code opens the secrets; the second one is then written at once.
        let verifier = bank.verifier(interleaving: {
            guard try await bank.count(of: .codeRefused) == 1 else { return }
            _ = try await bank.replace(by: new)
        })
        let results = [
            try await verifier.verify(
                typed: "00000000",
                .of(["00000000"], call: "one", on: phone.id, to: verifier),
                by: Bank.core
            ).result,
            try await verifier.verify(
                typed: code,
                .of([code], call: "two", on: phone.id, to: verifier),
                by: Bank.core
            ).result,
        ]
        #expect(results == [.wrong(left: 4), .refused(.typeNotAllowed)])
        #expect(try await bank.count(of: .codeAccepted) == 0)
        #expect(try await phone.type(code, from: new, in: bank) == .accepted(nil))
    }

    @Test func `a repeated typed code gets its old result, and no new code is accepted`()
        async throws
    {
        var bank = try await Bank()
        let phone = try await bank.activate()
        let code = try await phone.typedCode(in: bank)
        #expect(try await phone.type("00000000", call: "one", in: bank) == .wrong(left: 4))
        #expect(try await phone.type(code, call: "two", in: bank) == .accepted(nil))
        let next = try await phone.typedCode(in: bank)
        #expect(try await bank.replace(by: new) == .done)
        try await bank.restart()
        let before = try await bank.contents()
        #expect(try await phone.type("00000000", call: "one", in: bank) == .wrong(left: 4))
        #expect(try await phone.type(code, call: "two", in: bank) == .accepted(nil))
        let another = try await phone.type(next, call: "three", in: bank)
        #expect(another == .refused(.typeNotAllowed))
        #expect(try await bank.contents() == before)
    }

    @Test func `a replaced account is skipped in a linked activation that was on its way`()
        async throws
    {
        let bank = try await Bank()
        let linked = try await bank.addLinkedAccount("4713")
        let issued = try await bank.issue(for: linked)
        let phones = [try bank.phone(), try bank.phone()]
        let submitted = try phones[0].claim(issued.id, issued.code)
        let commit = try await bank.offered(submitted, to: phones, issued.code)
        _ = try await bank.replace(by: new)
        guard case .committed(let outcomes, _) = try await bank.verifier.commit(commit) else {
            throw Bank.Unexpected()
        }
        #expect(outcomes == [.enrolled, .accountReplaced])
        #expect(try await phones[0].checkPIN(in: bank) == .accepted(nil))
        #expect(try await bank.verifier.status(of: phones[1].id) == nil)
    }

    @Test func `a replacement that exceeds the device limit is refused`() async throws {
        let bank = try await Bank(policy: #"{"devicesPerAccount": 2}"#)
        let phone = try await bank.activate()
        _ = try await bank.addAccount("4712")
        let others = [try await bank.activate(new), try await bank.activate(new)]
        let before = try await bank.contents()
        #expect(try await bank.replace(by: new) == .tooManyDevices)
        #expect(try await bank.contents() == before)
        try await bank.revoke(others[0])
        #expect(try await bank.replace(by: new) == .done)
        #expect(try await bank.verifier.status(of: phone.id)?.account == new)
    }

    @Test func `an account without devices can take over all devices`() async throws {
        let bank = try await Bank(policy: #"{"devicesPerAccount": 2}"#)
        for _ in 0..<2 { _ = try await bank.activate() }
        let stricter = #"{"devicesPerAccount": 1}"#
        try await bank.verifier.setPolicy(stricter, of: Bank.enterprise, by: .operatorCommand)
        #expect(try await bank.replace(by: new) == .done)
    }

    @Test func `a replaced account is not offered in a linked activation`() async throws {
        let bank = try await Bank()
        let linked = try await bank.addLinkedAccount("4713")
        let issued = try await bank.issue(for: linked)
        let submitted = try bank.phone().claim(issued.id, issued.code)
        _ = try await bank.replace(by: new)
        guard case .offered(let offer, _) = try await bank.verifier.claim(submitted) else {
            throw Bank.Unexpected()
        }
        #expect(offer.enrolments.map(\.account) == [linked.key, new.key])
    }
}

extension Bank {
    func replace(
        _ old: AccountReference = account,
        by new: AccountReference
    ) async throws -> Verifier.AccountResult {
        try await verifier.replace(old, by: new.key, by: Self.core)
    }
}
