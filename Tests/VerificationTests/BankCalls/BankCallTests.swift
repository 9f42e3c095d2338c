import Cryptography
import OneTimePassword
import Sealing
import Testing
import TransactionApproval
import Verification
import VerifierWorld

/// A call that the bank repeats with the same idempotency key has no second effect.
@Suite(.onEveryStore) struct `Idempotent bank calls` {
    @Test func `a repeated activation call returns the same activation and code`() async throws {
        var bank = try await Bank()
        let call = try await bank.call("one")
        let issued = try await bank.issue(under: call).issued()
        let code = try issued.code.text().withBytes { $0.array }
        try await bank.restart()
        let again = try await bank.issue(under: call)
        guard case .repeated(let id) = consume again else { throw Bank.Unexpected() }
        #expect(id == issued.id)
        let read = try await bank.verifier.readCode(of: id, of: Bank.account, by: Bank.core)
        let kept = try read.unwrapped()
        #expect(try kept.text().withBytes { $0.array } == code)
        #expect(try await bank.count(of: .activationIssued) == 1)
        let other = try await bank.issue(under: try await bank.call("two")).issued()
        #expect(other.id != issued.id)
        #expect(try await bank.count(of: .activationRevoked) == 1)
    }

    @Test func `a repeated transaction call returns the same transaction and number`()
        async throws
    {
        var bank = try await Bank(policy: #"{"numberMatchingDigits": 6}"#)
        let phone = try await bank.activate()
        let call = try await bank.call("one")
        guard
            case .created(let transaction, let number?) = try await bank.request(under: call)
        else { throw Bank.Unexpected() }
        try await bank.restart()
        #expect(try await bank.request(under: call) == .repeated(transaction.id))
        #expect(try await bank.number(for: transaction) == number)
        #expect(try await bank.number(for: transaction, of: Bank.account("4712")) == nil)
        try await phone.decide(on: transaction, number: number, in: bank)
        #expect(try await bank.request(under: call) == .repeated(transaction.id))
        #expect(try await bank.number(for: transaction) == nil)
        #expect(try await bank.count(of: .transactionNumberRead) == 1)
        #expect(try await bank.count(of: .transactionCreated) == 1)
    }

    @Test func `a repeated login call redeems the login once and succeeds again`() async throws {
        let bank = try await Bank()
        let phone = try await bank.activate()
        guard case .accepted(let id?) = try await phone.logIn(in: bank) else {
            throw Bank.Unexpected()
        }
        let first = try await bank.redeem(id, under: try await bank.call("one"))
        guard case .redeemed(let grant) = first else { throw Bank.Unexpected() }
        #expect(grant.device == phone.id)
        #expect(try await bank.redeem(id, under: try await bank.call("one")) == .repeated(grant))
        let other = try await bank.redeem(id, under: try await bank.call("two"))
        #expect(other == .refused(.redeemedBefore))
        #expect(try await bank.count(of: .loginRedeemed) == 1)
    }

    @Test func `a key that was used for another call is refused and changes nothing`() async throws
    {
        let bank = try await Bank()
        let phone = try await bank.activate()
        _ = try await bank.issue(under: try await bank.call("one", for: "this"))
        guard case .accepted(let login?) = try await phone.logIn(in: bank) else {
            throw Bank.Unexpected()
        }
        let before = try await bank.contents()
        let other = try await bank.call("one", for: "that")
        guard case .refused(.keyReused) = try await bank.issue(under: other) else {
            throw Bank.Unexpected()
        }
        // The same bytes with other boundaries are a different call.
        let same = try await bank.call("one", for: "this")
        for call in [same, other] {
            #expect(try await bank.request(under: call) == .keyReused)
            #expect(try await bank.redeem(login, under: call) == .keyReused)
            let typed = try await bank.verifier.verify(
                typed: "00000000",
                TypedSubmission(call: call, device: phone.id, account: Bank.account),
                by: Bank.core
            )
            #expect(typed.result == .refused(.attemptReused))
            #expect(!typed.isRepeated)
        }
        #expect(try await bank.contents() == before)
    }

    @Test func `keys belong to one enterprise`() async throws {
        let bank = try await Bank()
        let enterprise = EnterpriseID(checked: "other")
        try await bank.verifier.addEnterprise(enterprise, policy: "{}", by: .operatorCommand)
        let account = AccountReference(enterprise: enterprise, key: Bank.account.key)
        _ = try await bank.verifier.addAccount(account, by: .operatorCommand)
        let first = try await bank.issue(under: try await bank.call("one", for: "this")).issued()
        let call = try await bank.call("one", for: "that", in: enterprise)
        let second = try await bank.verifier.issueActivation(
            for: account,
            call: call,
            by: Bank.core
        )
        .issued()
        #expect(first.id != second.id)
    }

    @Test func `SEC-105: keys belong to one token, and to the operator`() async throws {
        let bank = try await Bank()
        let phone = try await bank.activate()
        let callers: [BankTokenID?] = [try .random(), try .random(), nil]
        var activations: Set<ActivationID> = []
        var transactions: Set<TransactionID> = []
        for caller in callers {
            let call = try await bank.call("one", of: caller)
            activations.insert(try await bank.issue(under: call).issued().id)
            let request = try await bank.call("two", of: caller)
            guard case .created(let transaction, _) = try await bank.request(under: request)
            else { throw Bank.Unexpected() }
            transactions.insert(transaction.id)
        }
        #expect(activations.count == callers.count)
        #expect(transactions.count == callers.count)
        // A login is redeemed once, whatever the token; a wrong code costs an attempt of each token.
        guard case .accepted(let login?) = try await phone.logIn(in: bank) else {
            throw Bank.Unexpected()
        }
        let redeemed = try await bank.redeem(login, under: try await bank.call("three"))
        let stolen = try await bank.redeem(
            login,
            under: try await bank.call("three", of: callers[0])
        )
        guard case .redeemed = redeemed else { throw Bank.Unexpected() }
        #expect(stolen == .refused(.redeemedBefore))
        for (index, caller) in callers.enumerated() {
            let call = try await bank.call("four", of: caller)
            let typed = try await bank.verifier.verify(
                typed: "00000000",
                TypedSubmission(call: call, device: phone.id, account: Bank.account),
                by: Bank.core
            )
            #expect(typed.result == .refused(.wrongCode(.counted(attemptsLeft: 4 - index))))
            #expect(!typed.isRepeated)
        }
    }

    @Test func `a call that created nothing is checked again`() async throws {
        let bank = try await Bank()
        let call = try await bank.call("one")
        #expect(try await bank.request(under: call) == .noActiveDevice)
        _ = try await bank.activate()
        guard case .created = try await bank.request(under: call) else {
            throw Bank.Unexpected()
        }
    }

    @Test func `a call with a code is stored as a MAC, which cannot test a code`() async throws {
        let bank = try await Bank()
        let call = try await bank.call("one", for: "12345678")
        let again = try await bank.call("one", for: "12345678")
        let elsewhere = try await Bank().call("one", for: "12345678")
        #expect(call == again)
        #expect(call != elsewhere)
    }
}

extension Bank {
    fileprivate func issue(under call: BankCall) async throws -> IssueResult {
        try await verifier.issueActivation(for: Self.account, call: call, by: Self.core)
    }

    fileprivate func request(under call: BankCall) async throws -> TransactionResult {
        let request = TransactionRequest(account: Self.account, content: try .payment(of: 47_11))
        return try await verifier.request(request, call: call, by: Self.core)
    }

    fileprivate func number(
        for transaction: Transaction,
        of account: AccountReference = account
    ) async throws -> TypedNumber? {
        try await verifier.readNumber(for: transaction.id, of: account, by: Self.core)
    }

    fileprivate func redeem(
        _ id: TransactionID,
        under call: BankCall
    ) async throws -> RedemptionResult {
        try await verifier.redeemLogin(
            id,
            of: Self.account,
            over: Phone.challenge,
            call: call,
            by: Self.core
        )
    }
}
