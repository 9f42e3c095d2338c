import OneTimePassword
import Testing
import TransactionApproval
import Verification
import VerifierWorld

@Suite(.onAnyStore) struct `Resynchronisation` {
    @Test func `SEC-07: two codes in a row resynchronise, once`() async throws {
        var bank = try await Bank()
        let phone = try await bank.activate()
        let codes = try await phone.typedCodes([50, 51, 52], in: bank)
        #expect(try await phone.type(codes[0], in: bank) == .wrong(left: 4))
        #expect(
            try await phone.resynchronise(codes[0], then: codes[2], in: bank) == .wrong(left: 3)
        )
        #expect(
            try await phone.resynchronise(codes[1], then: codes[0], in: bank) == .wrong(left: 2)
        )
        #expect(try await phone.resynchronise(codes[0], then: codes[1], in: bank) == .accepted(nil))
        #expect(try await bank.credential(of: phone).credential.counter == Counter(52))
        try await bank.restart()
        #expect(
            try await phone.resynchronise(codes[0], then: codes[1], in: bank) == .wrong(left: 4)
        )
        #expect(try await phone.type(codes[2], in: bank) == .accepted(nil))
    }

    @Test(arguments: [(100, true), (101, false)] as [(Int64, Bool)])
    func `SEC-07: resynchronisation reaches a hundred ahead and no further`(
        _ row: (first: Int64, isAccepted: Bool)
    ) async throws {
        let bank = try await Bank()
        let phone = try await bank.activate()
        let codes = try await phone.typedCodes([row.first, row.first + 1], in: bank)
        let result = try await phone.resynchronise(codes[0], then: codes[1], in: bank)
        #expect(result == (row.isAccepted ? .accepted(nil) : .wrong(left: 4)))
    }

    @Test func `SEC-07: resynchronisation does not bypass a lock, and never goes back`()
        async throws
    {
        let bank = try await Bank()
        let phone = try await bank.activate()
        let used = try await phone.typedCodes([0, 1], in: bank)
        for _ in 0..<2 { try await phone.checkPIN(in: bank) }
        #expect(try await phone.resynchronise(used[0], then: used[1], in: bank) == .wrong(left: 4))
        let codes = try await phone.typedCodes([50, 51], in: bank)
        try await phone.failUntilLocked(in: bank)
        let end = bank.clock.now + .seconds(1800)
        let result = try await phone.resynchronise(codes[0], then: codes[1], in: bank)
        #expect(result == .refused(.locked(until: end)))
    }
}

extension Phone {
    fileprivate func typedCodes(_ ahead: [Int64], in bank: Bank) async throws -> [String] {
        var codes: [String] = []
        for distance in ahead { codes.append(try await typedCode(ahead: distance, in: bank)) }
        return codes
    }
}
