import Cryptography
import OneTimePassword
import StrictJSON
import TestSupport
import Testing
import TransactionApproval
import VerifierWorld

@testable import Sealing
@testable import Verification

private let tokensAllowed = #"{"minimumTokenDigits": 6, "authentication": ["consent", "userPIN"]}"#
private let suites = HMACAlgorithm.allCases.flatMap { algorithm in
    HOTP.Digits.allCases.map { TokenSuite(algorithm: algorithm, digits: $0) }
}

@Suite(.onEveryStore) struct `Imported tokens` {
    @Test(arguments: suites)
    func `SEC-04: each code is accepted once, in every suite`(_ suite: TokenSuite) async throws {
        let bank = try await Bank(policy: tokensAllowed)
        let hand = try await SimulatedToken(suite, from: 7, in: bank)
        let code = try hand.code(at: 8)
        #expect(code.count == suite.digits.rawValue)
        #expect(try await hand.type(code, in: bank) == .accepted(nil))
        #expect(try await hand.type(code, in: bank) == .refused(.codeUsed))
        #expect(try await hand.type(try hand.code(at: 7), in: bank) == .refused(.codeUsed))
        #expect(try await hand.type(try hand.code(at: 9), in: bank) == .accepted(nil))
    }

    @Test(arguments: [(-1, false), (0, true), (10, true), (11, false)] as [(Int64, Bool)])
    func `SEC-05: a code is searched up to ten ahead, and never behind`(
        _ row: (ahead: Int64, isAccepted: Bool)
    ) async throws {
        let bank = try await Bank(policy: tokensAllowed)
        let hand = try await SimulatedToken(from: 100, in: bank)
        let result = try await hand.type(try hand.code(at: UInt64(100 + row.ahead)), in: bank)
        let refused = row.ahead < 0 ? AttemptResult.refused(.codeUsed) : .wrong(left: 4)
        #expect(result == (row.isAccepted ? .accepted(nil) : refused))
    }

    @Test func `SEC-07: two codes in a row find a token far ahead`() async throws {
        let bank = try await Bank(policy: tokensAllowed)
        let hand = try await SimulatedToken(in: bank)
        #expect(try await hand.resynchronise(at: 101, in: bank) == .wrong(left: 4))
        #expect(try await hand.resynchronise(at: 100, in: bank) == .accepted(nil))
        #expect(try await bank.credential(of: hand).credential.counter == Counter(102))
    }

    @Test(arguments: ["", "12345", "1234567", "12345678", "123456 ", "+12345", "１２３４５６"])
    func `SEC-15: a text that is not a code of its length is charged`(_ text: String) async throws {
        let bank = try await Bank(policy: tokensAllowed)
        let hand = try await SimulatedToken(in: bank)
        #expect(try await hand.type(text, in: bank) == .wrong(left: 4))
    }

    @Test func `SEC-09, SEC-10: a token locks like every credential, at last for good`()
        async throws
    {
        let bank = try await Bank(policy: tokensAllowed)
        let hand = try await SimulatedToken(in: bank)
        let right = try hand.code(at: 0)
        for round in 1...3 {
            for _ in 1...4 { _ = try await hand.type("000000", in: bank) }
            let fifth = try await hand.type("000000", in: bank)
            guard round < 3 else {
                #expect(fifth == .refused(.wrongCode(.blocked)))
                break
            }
            guard case .refused(.wrongCode(.locked(let end))) = fifth else {
                throw Bank.Unexpected()
            }
            #expect(try await hand.type(right, in: bank) == .refused(.locked(until: end)))
            bank.clock.advance(by: .seconds(4 * 60 * 60))
        }
        #expect(try await hand.type(right, in: bank) == .refused(.blocked))
        #expect(try await bank.credential(of: hand).device.status == .blocked)
    }

    @Test func `requests that need a signing device are refused without a charge`() async throws {
        let bank = try await Bank(policy: tokensAllowed)
        let hand = try await SimulatedToken(in: bank)
        _ = try await bank.activate()
        let transaction = try await bank.pay(by: [.consent, .userPIN])
        let state = try await bank.credential(of: hand)
        let before = try await bank.contents()
        // The codes that a thief of the store could compute if the token had a seed.
        let codes = try InBandCodes(of: state.context, seed: try CredentialSeed.random())
        let code = try codes.code(for: .pinCheck, in: .first, at: Counter(0))
        let envelope = CodeEnvelope(
            attempt: try .random(),
            generation: .first,
            epoch: .first,
            counter: Counter(0),
            code: try #require(InBandCode(code)),
            blind: try .random()
        )
        let attempt = Attempt(device: hand.id, code: envelope)
        let (verifier, digest) = (bank.verifier, Phone.challenge)
        let signer = try Phone(agreeingWith: bank.agreementKey.publicKey)
        let results = [
            try await verifier.checkPIN(attempt),
            try await verifier.logIn(over: digest, by: .userPIN, attempt),
            try await verifier.logIn(over: digest, by: .consent, attempt),
            try await signer.send(on: transaction, by: .consent, attempt, to: verifier),
            try await signer.send(on: transaction, attempt, to: verifier),
            try await signer.send(.reject(.notMe), on: transaction, attempt, to: verifier),
        ]
        for result in results { #expect(result == .refused(.typeNotAllowed)) }
        #expect(try await bank.contents() == before)
    }

    @Test func `a code over data is refused without a charge`() async throws {
        let bank = try await Bank(policy: tokensAllowed)
        let hand = try await SimulatedToken(in: bank)
        let code = try hand.code(at: 0)
        _ = try await hand.type("000000", in: bank)
        let before = try await bank.contents()
        let result = try await hand.type(code, over: [1], in: bank)
        #expect(result == .refused(.typeNotAllowed))
        #expect(try await bank.contents() == before)
        #expect(try await hand.type(code, in: bank) == .accepted(nil))
    }

    @Test func `a token belongs to one account, so that no code counts twice`() async throws {
        let bank = try await Bank(policy: tokensAllowed)
        let hand = try await SimulatedToken(in: bank)
        let other = try await bank.addAccount("4712")
        #expect(try await bank.load(hand.token, of: other) == RowRefusal.token(.exists).text)
        let elsewhere = try await hand.type(try hand.code(at: 0), from: other, in: bank)
        #expect(elsewhere == .refused(.typeNotAllowed))
        let events = try await bank.events().filter { $0.kind == .tokenAdded }
        #expect(events.map(\.subject) == [hand.id.description])
        #expect(events.map(\.detail) == ["A-1"])
    }

    @Test func `an exported token is revoked here and has its secret and counter`() async throws {
        let bank = try await Bank(policy: tokensAllowed)
        let hand = try await SimulatedToken(from: 3, in: bank)
        #expect(try await hand.type(try hand.code(at: 8), in: bank) == .accepted(nil))
        // Activated devices and tokens of another account type are not exported.
        _ = try await bank.activate()
        let type = Bank.account.key.type
        func leaving(_ type: AccountType) async throws -> [ExportedToken] {
            try await bank.verifier.exportTokens(
                of: type,
                in: Bank.account.enterprise,
                limit: 10,
                by: Bank.core
            )
        }
        #expect(try await leaving(AccountType(checked: "other")).isEmpty)
        let tokens = try await leaving(type)
        #expect(tokens.map(\.device) == [hand.id])
        #expect(tokens.map(\.counter) == [Counter(9)])
        let secret = try hand.token.secret.withBytes { try SecretBytes(copying: $0) }
        #expect(tokens.map(\.secret) == [secret])
        // It stays valid until it is revoked.
        #expect(try await hand.type(try hand.code(at: 9), in: bank) == .accepted(nil))
        // The other system would accept this code again.
        #expect(try await !bank.verifier.revokeTokens(tokens, by: Bank.core))
        let (first, second) = (try await leaving(type), try await leaving(type))
        #expect(first.map(\.counter) == [Counter(10)])
        #expect(try await bank.verifier.revokeTokens(first, by: Bank.core))
        // A second exporter gets an error, and revokes nothing.
        #expect(try await !bank.verifier.revokeTokens(second, by: Bank.core))
        #expect(
            try await hand.type(try hand.code(at: 10), in: bank) == .refused(.deviceRevoked)
        )
        #expect(try await leaving(type).isEmpty)
        let kinds = try await bank.events().filter { $0.subject == hand.id.description }
            .map(\.kind)
        #expect(kinds.suffix(3).contains(.tokenExported) && kinds.last == .deviceRevoked)
    }

    @Test func `SEC-04: a revoked token can be added to another account, after its used codes`()
        async throws
    {
        let bank = try await Bank(policy: tokensAllowed)
        let first = try await SimulatedToken(from: 3, in: bank)
        #expect(try await first.type(try first.code(at: 8), in: bank) == .accepted(nil))
        let other = try await bank.addAccount("4712")
        #expect(try await bank.load(first.token, of: other) == RowRefusal.token(.exists).text)
        let revoked = try await bank.verifier.revoke(first.id, of: Bank.account, by: Bank.core)
        #expect(revoked == .done)
        let second = try await SimulatedToken(adding: first.token, to: other, in: bank)
        #expect(
            try await second.type(try second.code(at: 8), from: other, in: bank)
                == .refused(.codeUsed)
        )
        #expect(
            try await second.type(try second.code(at: 9), from: other, in: bank) == .accepted(nil)
        )
        #expect(
            try await first.type(try first.code(at: 10), in: bank) == .refused(.deviceRevoked)
        )
        // It belongs to one account again.
        #expect(try await bank.load(first.token) == RowRefusal.token(.exists).text)
    }

    @Test func `a token that is added again with a larger counter starts there`() async throws {
        let bank = try await Bank(policy: tokensAllowed)
        let first = try await SimulatedToken(in: bank)
        _ = try await bank.verifier.revoke(first.id, of: Bank.account, by: Bank.core)
        let second = try await SimulatedToken(from: 50, in: bank)
        #expect(try await bank.credential(of: second).credential.counter == Counter(50))
    }

    @Test func `a token counts as a device of its account`() async throws {
        let bank = try await Bank(policy: #"{"minimumTokenDigits": 6, "devicesPerAccount": 1}"#)
        _ = try await SimulatedToken(in: bank)
        let second = try await bank.load(try .sample(serial: "A-2"))
        #expect(second == RowRefusal.token(.tooManyDevices).text)
    }

    @Test func `a token moves with its account`() async throws {
        let bank = try await Bank(policy: tokensAllowed)
        let hand = try await SimulatedToken(in: bank)
        let new = Bank.account("4712")
        #expect(
            try await bank.verifier.replace(Bank.account, by: new.key, by: Bank.core) == .done
        )
        let code = try hand.code(at: 0)
        #expect(try await hand.type(code, in: bank) == .refused(.typeNotAllowed))
        #expect(try await hand.type(code, from: new, in: bank) == .accepted(nil))
        let more = try await bank.load(try .sample(serial: "A-2"))
        #expect(more == RowRefusal.token(.accountReplaced).text)
    }
}

@Suite(.onEveryStore) struct `Token policies` {
    @Test func `SEC-06: tokens are refused by default, and with too short codes`() async throws {
        let bank = try await Bank()
        for (policy, digits, isTaken) in [
            ("{}", .eight, false), (#"{"minimumTokenDigits": 7}"#, .six, false),
            (#"{"minimumTokenDigits": 7}"#, .seven, true),
            (#"{"minimumTokenDigits": 7}"#, .eight, true),
        ] as [(String, HOTP.Digits, Bool)] {
            try await bank.verifier.setPolicy(policy, of: Bank.enterprise, by: Bank.core)
            let token = try Token.sample(
                TokenSuite(digits: digits),
                serial: "\(digits) \(isTaken)"
            )
            let reason = try await bank.load(token)
            #expect(reason == (isTaken ? nil : RowRefusal.token(.policy).text))
        }
    }

    @Test func `SEC-06: a stricter policy refuses existing tokens without a charge`() async throws {
        let bank = try await Bank(policy: tokensAllowed)
        let hand = try await SimulatedToken(in: bank)
        #expect(try await hand.type("000000", in: bank) == .wrong(left: 4))
        for policy in ["{}", #"{"minimumTokenDigits": 7}"#] {
            try await bank.verifier.setPolicy(policy, of: Bank.enterprise, by: Bank.core)
            let before = try await bank.contents()
            let result = try await hand.type(try hand.code(at: 0), in: bank)
            #expect(result == .refused(.typeNotAllowed))
            let pair = try await hand.resynchronise(at: 0, in: bank)
            #expect(pair == .refused(.typeNotAllowed))
            #expect(try await bank.contents() == before)
        }
        try await bank.verifier.setPolicy(tokensAllowed, of: Bank.enterprise, by: Bank.core)
        #expect(try await hand.type(try hand.code(at: 0), in: bank) == .accepted(nil))
    }

    @Test(arguments: [(6, 19, true), (6, 20, false), (7, 100, true), (8, 100, true)])
    func `SEC-06: the look-ahead is limited by the shortest codes`(
        _ row: (digits: Int, lookAhead: Int, isTaken: Bool)
    ) {
        let document = #"{"minimumTokenDigits": \#(row.digits), "lookAhead": \#(row.lookAhead)}"#
        let policy = Result { () throws(EnterprisePolicy.Failure) in
            try EnterprisePolicy(document: document)
        }
        switch policy {
        case .success: #expect(row.isTaken)
        case .failure(let failure):
            guard case .guessing = failure else {
                Issue.record("\(failure)")
                return
            }
            #expect(!row.isTaken)
        }
    }

    @Test(arguments: [5, 9, 10, 0])
    func `SEC-03: codes have six to eight digits`(_ digits: Int) {
        let violation = Violation(
            "/minimumTokenDigits",
            .notAllowed,
            value: "\(digits)",
            "Must be one of: 6, 7, 8."
        )
        #expect(throws: EnterprisePolicy.Failure.violations([violation])) {
            try EnterprisePolicy(document: #"{"minimumTokenDigits": \#(digits)}"#)
        }
    }
}
