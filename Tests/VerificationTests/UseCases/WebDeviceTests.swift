import OneTimePassword
import Storage
import Testing
import TransactionApproval
import Verification
import VerifierWorld

@Suite(.onAnyStore) struct `A web browser as a device` {
    @Test func `SEC-113: is activated only if the call and the policy allow it`() async throws {
        let bank = try await Bank()
        let before = try await bank.contents()
        guard case .refused(.webDevicesForbidden) = try await bank.issueForBrowser() else {
            throw Bank.Unexpected()
        }
        #expect(try await bank.contents() == before)
        try await bank.setPolicy(Bank.webPolicy())
        // The policy alone does not make a web device.
        let app = try await bank.activate()
        #expect(try await !bank.credential(of: app).device.isWeb)
        #expect(try await bank.verifier.status(of: app.id)?.policy.device == .app)
        let web = try await bank.activateBrowser()
        #expect(try await bank.credential(of: web).device.isWeb)
        #expect(try await bank.verifier.status(of: web.id)?.policy.device == .webWithPRF)
    }

    @Test func `SEC-113: has the kind of its activation after a restart, on all accounts`()
        async throws
    {
        var bank = try await Bank(policy: Bank.webPolicy(requiresPRF: false))
        _ = try await bank.addLinkedAccount("4712")
        let phones = try [bank.phone(), bank.phone()]
        let issued = try await bank.issueForBrowser().issued()
        let submitted = try phones[0].claim(issued.id, issued.code)
        guard case .offered(let offer, _) = try await bank.verifier.claim(submitted) else {
            throw Bank.Unexpected()
        }
        #expect(DevicePolicy(offer.policy)?.device == .web)
        try await bank.restart()
        let commit = try await bank.offered(submitted, to: phones, issued.code)
        try await bank.restart()
        try await bank.complete(commit)
        try await bank.restart()
        for phone in phones {
            #expect(try await bank.credential(of: phone).device.isWeb)
            #expect(try await bank.verifier.status(of: phone.id)?.policy.device == .web)
        }
        let events = try await bank.events()
        #expect(events.first { $0.kind == .activationIssued }?.detail == "web")
        let activated = events.filter { $0.kind == .deviceActivated }.map(\.detail)
        #expect(activated == ["\(issued.id) web", "\(issued.id) web"])
    }

    @Test func `SEC-113: stays one if another account replaces its account`() async throws {
        let bank = try await Bank(policy: Bank.webPolicy())
        let web = try await bank.activateBrowser()
        let new = Bank.account("4719")
        _ = try await bank.addAccount("4719")
        #expect(try await bank.verifier.replace(Bank.account, by: new.key, by: Bank.core) == .done)
        #expect(try await bank.credential(of: web).device.isWeb)
    }

    @Test func `SEC-113: is not enrolled if the policy forbids it before a step`() async throws {
        let bank = try await Bank(policy: Bank.webPolicy())
        let (first, second) = (try bank.phone(), try bank.phone())
        let issued = try await bank.issueForBrowser().issued()
        let submitted = try first.claim(issued.id, issued.code)
        let commit = try await bank.offered(submitted, to: [first], issued.code)
        try await bank.setPolicy("{}")
        let refused = try await bank.verifier.commit(commit)
        #expect(refused == .refused(.activation(.superseded)))
        let later = try await bank.verifier.claim(second.claim(issued.id, issued.code))
        #expect(later == .refused(.codeInvalid))
        #expect(try await bank.count(of: .deviceActivated) == 0)
        // The person can use the same code after the policy allows it.
        try await bank.setPolicy(Bank.webPolicy())
        try await bank.complete(try await bank.offered(submitted, to: [first], issued.code))
        #expect(try await bank.count(of: .deviceActivated) == 1)
    }

    @Test(arguments: [nil, Array("limit 5000".utf8)])
    func `SEC-113: its typed codes are refused and charge nothing, and those of an app are not`(
        _ data: [UInt8]?
    ) async throws {
        let bank = try await Bank(policy: Bank.webPolicy())
        let (app, web) = (try await bank.activate(), try await bank.activateBrowser())
        let before = try await bank.contents()
        for code in [try await web.typedCode(over: data, in: bank), "00000000"] {
            let result = try await web.type(code, over: data, in: bank)
            #expect(result == .refused(.typeNotAllowed))
        }
        let pair = (
            try await web.typedCode(in: bank), try await web.typedCode(ahead: 1, in: bank)
        )
        let result = try await web.resynchronise(pair.0, then: pair.1, in: bank)
        #expect(result == .refused(.typeNotAllowed))
        #expect(try await bank.contents() == before)
        let code = try await app.typedCode(over: data, in: bank)
        #expect(try await app.type(code, over: data, in: bank) == .accepted(nil))
    }

    @Test(arguments: [AuthenticationType.userPIN, .consent])
    func `SEC-113: approves nothing above the ceiling, whatever the type and the PIN`(
        _ type: AuthenticationType
    ) async throws {
        var bank = try await Bank(policy: Bank.webPolicy(ceiling: 30_00))
        let (app, web) = (try await bank.activate(), try await bank.activateBrowser())
        let types: AuthenticationTypes = [.userPIN, .consent]
        let (small, large) = (
            try await bank.pay(30_00, by: types), try await bank.pay(30_01, by: types)
        )
        try await bank.restart()
        let before = try await bank.contents()
        for pin in Phone.PIN.allCases {
            let result = try await web.decide(on: large, by: type, with: pin, in: bank)
            #expect(result == .refused(.amountAboveCeiling))
        }
        #expect(try await bank.contents() == before)
        #expect(try await web.decide(on: small, by: type, in: bank) == .accepted(nil))
        #expect(try await app.decide(on: large, by: type, in: bank) == .accepted(nil))
    }

    @Test func `SEC-113: approves many small payments, and can reject and log in`() async throws {
        let bank = try await Bank(policy: Bank.webPolicy(ceiling: 30_00))
        let web = try await bank.activateBrowser()
        for _ in 0..<2 {
            let result = try await web.decide(on: try await bank.pay(30_00), in: bank)
            #expect(result == .accepted(nil))
        }
        let large = try await bank.pay(30_01)
        #expect(try await web.decide(.reject(.notMe), on: large, in: bank) == .accepted(nil))
        let action = try await bank.request(.action)
        let refused = try await web.decide(on: action, in: bank)
        #expect(refused == .refused(.amountAboveCeiling))
        let login = try await bank.request(.login)
        #expect(try await web.decide(on: login, in: bank) == .accepted(nil))
        #expect(try await web.logIn(in: bank).isAccepted)
        #expect(try await web.changePIN(in: bank).isAccepted)
    }

    @Test func `SEC-113: a changed policy applies to the next approval`() async throws {
        let bank = try await Bank(policy: Bank.webPolicy())
        let web = try await bank.activateBrowser()
        let payment = try await bank.pay(30_01)
        try await bank.setPolicy(Bank.webPolicy(ceiling: 30_00))
        #expect(try await web.decide(on: payment, in: bank) == .refused(.amountAboveCeiling))
        try await bank.setPolicy("{}")
        #expect(try await web.decide(on: payment, in: bank) == .refused(.typeNotAllowed))
        #expect(try await web.logIn(in: bank) == .refused(.typeNotAllowed))
        let other = try await bank.pay()
        #expect(try await web.decide(.reject(.notMe), on: other, in: bank) == .accepted(nil))
        try await bank.setPolicy(Bank.webPolicy(ceiling: 30_01))
        #expect(try await web.decide(on: payment, in: bank) == .accepted(nil))
    }

    @Test func `SEC-113: approvals and a policy that forbids them have one order`() async throws {
        let bank = try await Bank(policy: Bank.webPolicy())
        let web = try await bank.activateBrowser()
        for _ in 0..<5 {
            let payment = try await bank.pay(30_01)
            let attempt = try await web.attempt(
                over: InBandQuestion.approval(of: payment),
                in: bank
            )
            async let change: Void = bank.setPolicy(Bank.webPolicy(ceiling: 30_00))
            async let result = web.send(on: payment, attempt, to: bank.verifier)
            try await change
            let verdict = try await result
            // The audit trail has the order: an approval after the change would break the ceiling.
            let kinds = try await bank.events().map(\.kind)
            let approval = kinds.lastIndex(of: .transactionApproved) ?? -1
            let changed = try #require(kinds.lastIndex(of: .policyChanged))
            switch verdict {
            case .accepted: #expect(approval < changed)
            case .refused(let refusal): #expect(refusal == .amountAboveCeiling)
            }
            try await bank.setPolicy(Bank.webPolicy())
            _ = try await bank.verifier.withdraw(payment.id, of: Bank.account, by: Bank.core)
            // The person gets few requests in ten minutes.
            bank.clock.advance(by: .seconds(700))
        }
    }

    @Test func `SEC-113: cannot add biometric authentication`() async throws {
        let policy = Bank.webPolicy(types: ["userPIN", "biometric"])
        let bank = try await Bank(policy: policy)
        let (app, web) = (try await bank.activate(), try await bank.activateBrowser())
        for (phone, expected) in [
            (web, AttemptResult.refused(.typeNotAllowed)), (app, .accepted(nil)),
        ] {
            let rekey = try await phone.rekey(.biometric, in: bank)
            #expect(try await phone.send(rekey, in: bank) == expected)
        }
    }
}
