import OneTimePassword
import Testing
import TransactionApproval
import Verification
import VerifierWorld

private let data = Array("limit 5000".utf8)

@Suite(.onAnyStore) struct `Typed codes` {
    @Test(arguments: [nil, data])
    func `a code counts once, in the same or another call`(_ data: [UInt8]?) async throws {
        var bank = try await Bank()
        let phone = try await bank.activate()
        let code = try await phone.typedCode(over: data, in: bank)
        #expect(try await phone.type(code, over: data, call: "one", in: bank) == .accepted(nil))
        try await bank.restart()
        #expect(try await phone.type(code, over: data, call: "one", in: bank) == .accepted(nil))
        for call in ["two", "two", "three"] {
            let result = try await phone.type(code, over: data, call: call, in: bank)
            #expect(result == .refused(.codeUsed))
        }
        #expect(try await bank.count(of: .codeAccepted) == 1)
        #expect(try await bank.count(of: .codeRefused) == 0)
    }

    @Test(
        arguments: [nil, data],
        [(-1, false), (0, true), (1, true), (10, true), (11, false)] as [(Int64, Bool)]
    )
    func `SEC-05: a code is found up to ten ahead, and never behind`(
        _ data: [UInt8]?,
        _ row: (ahead: Int64, isAccepted: Bool)
    ) async throws {
        let bank = try await Bank()
        let phone = try await bank.activate()
        for _ in 0..<3 { try await phone.checkPIN(in: bank) }
        let code = try await phone.typedCode(over: data, ahead: row.ahead, in: bank)
        let result = try await phone.type(code, over: data, in: bank)
        let refused = row.ahead < 0 ? AttemptResult.refused(.codeUsed) : .wrong(left: 4)
        #expect(result == (row.isAccepted ? .accepted(nil) : refused))
        let next = row.isAccepted ? Counter(UInt64(3 + row.ahead) + 1) : Counter(3)
        #expect(try await bank.credential(of: phone).credential.counter == next)
    }

    @Test func `SEC-05: the policy sets the look-ahead`() async throws {
        let bank = try await Bank(policy: #"{"lookAhead": 2}"#)
        let phone = try await bank.activate()
        let (near, far) = (
            try await phone.typedCode(ahead: 2, in: bank),
            try await phone.typedCode(ahead: 3, in: bank)
        )
        #expect(try await phone.type(far, in: bank) == .wrong(left: 4))
        #expect(try await phone.type(near, in: bank) == .accepted(nil))
    }

    @Test(
        arguments: [
            "", " 1234567", "1234567 ", "123456", "123456789", "+1234567", "0x123456",
            "１２３４５６７８", "1234567\n", "1234567\0", "1234567\u{661}", "12 34567",
        ]
    )
    func `SEC-03, SEC-15: a text that is not a code is charged like a wrong code`(_ text: String)
        async throws
    {
        let bank = try await Bank()
        let phone = try await bank.activate()
        #expect(try await phone.type(text, in: bank) == .wrong(left: 4))
        let more = try await phone.resynchronise(text, then: text, in: bank)
        #expect(more == .wrong(left: 3))
    }

    @Test func `SEC-15: a code with an extra space is wrong`() async throws {
        let bank = try await Bank()
        let phone = try await bank.activate()
        let code = try await phone.typedCode(in: bank)
        for text in [" " + code, code + " ", code + "\n", code + "\0"] {
            guard case .refused(.wrongCode) = try await phone.type(text, in: bank) else {
                Issue.record("accepted")
                return
            }
        }
        #expect(try await phone.type(code, in: bank) == .accepted(nil))
    }

    @Test(arguments: [nil, data])
    func `SEC-55, SEC-111: a used code adds an event and costs no attempt`(
        _ data: [UInt8]?
    ) async throws {
        let bank = try await Bank()
        let phone = try await bank.activate()
        let old = try await phone.typedCode(over: data, in: bank)
        for _ in 0..<11 { try await phone.checkPIN(in: bank) }
        #expect(try await phone.type("00000000", over: data, in: bank) == .wrong(left: 4))
        #expect(try await bank.count(of: .codeReused) == 0)
        #expect(try await phone.type(old, over: data, in: bank) == .refused(.codeUsed))
        #expect(try await bank.count(of: .codeReused) == 1)
        #expect(try await bank.count(of: .codeRefused) == 1)
        #expect(try await phone.type("00000000", over: data, in: bank) == .wrong(left: 3))
    }

    @Test func `2.15: a code is bound to its purpose, data, device and account`() async throws {
        let bank = try await Bank()
        let phone = try await bank.activate()
        let other = try await bank.activate()
        let overData = try await phone.typedCode(over: data, in: bank)
        let plain = try await phone.typedCode(in: bank)
        #expect(try await phone.type(overData, in: bank) == .wrong(left: 4))
        #expect(try await phone.type(plain, over: data, in: bank) == .wrong(left: 3))
        #expect(try await phone.type(overData, over: data + [0], in: bank) == .wrong(left: 2))
        #expect(try await other.type(plain, in: bank) == .wrong(left: 4))
        let elsewhere = try await phone.type(plain, from: Bank.account("4712"), in: bank)
        #expect(elsewhere == .refused(.typeNotAllowed))
        #expect(try await phone.type(plain, in: bank) == .accepted(nil))
    }

    @Test func `2.15: after a restore a typed code is refused until one in-band code`()
        async throws
    {
        var bank = try await Bank()
        let phone = try await bank.activate()
        let used = try await phone.typedCode(in: bank)
        try await bank.raiseEpoch()
        try await bank.restart()
        for text in [used, "00000000", "no code"] {
            #expect(try await phone.type(text, in: bank) == .refused(.counterUnconfirmed))
            let pair = try await phone.resynchronise(text, then: text, in: bank)
            #expect(pair == .refused(.counterUnconfirmed))
        }
        _ = try await phone.checkPIN(with: .wrong, in: bank)
        #expect(try await phone.type(used, in: bank) == .refused(.counterUnconfirmed))
        #expect(try await phone.checkPIN(at: Counter(20), in: bank) == .accepted(nil))
        #expect(try await phone.type(used, in: bank) == .wrong(left: 4))
        let next = try await phone.typedCode(in: bank)
        #expect(try await phone.type(next, in: bank) == .accepted(nil))
    }

    @Test func `a call key that was used for another call is refused and costs nothing`()
        async throws
    {
        let bank = try await Bank()
        let phone = try await bank.activate()
        let code = try await phone.typedCode(in: bank)
        #expect(try await phone.type("00000000", call: "one", in: bank) == .wrong(left: 4))
        let before = try await bank.contents()
        #expect(try await phone.type(code, call: "one", in: bank) == .refused(.attemptReused))
        let data = try await phone.type("00000000", over: data, call: "one", in: bank)
        #expect(data == .refused(.attemptReused))
        #expect(try await bank.contents() == before)
    }
}
