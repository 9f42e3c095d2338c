import Testing

@testable import OneTimePassword

@Suite final class `Code verification` {
    let hotp: HOTP

    init() throws {
        let secret = try Secret(copying: Array("12345678901234567890".utf8).span)
        hotp = try HOTP(secret: secret, digits: .eight)
    }

    @Test func `accepts the expected code and returns the next counter`() {
        let verdict = hotp.verify(hotp.code(at: Counter(5)), from: Counter(5), lookAhead: 0)
        #expect(verdict == .accepted(next: Counter(6)))
    }

    @Test(arguments: UInt64(0)...7)
    func `SEC-04 invalidates every counter up to the accepted one`(used: UInt64) {
        #expect(hotp.verify(hotp.code(at: Counter(used)), from: Counter(8)) == .rejected)
    }

    @Test(arguments: [(10, true), (11, false)])
    func `SEC-05 looks ahead exactly as far as configured`(distance: UInt64, isAccepted: Bool) {
        let verdict = hotp.verify(hotp.code(at: Counter(20 + distance)), from: Counter(20))
        #expect(verdict == (isAccepted ? .accepted(next: Counter(21 + distance)) : .rejected))
    }

    @Test func `SEC-05 never looks back`() {
        #expect(hotp.verify(hotp.code(at: Counter(19)), from: Counter(20)) == .rejected)
    }

    @Test func `a code of another length is rejected`() throws {
        let six = try HOTP(secret: try Secret(copying: Array("12345678901234567890".utf8).span))
        #expect(hotp.verify(six.code(at: Counter(5)), from: Counter(5)) == .rejected)
    }

    @Test func `the last counter ends the credential instead of wrapping to zero`() {
        let last = Counter(.max)
        #expect(last.next == nil)
        #expect(hotp.verify(hotp.code(at: last), from: last) == .counterExhausted)
        #expect(hotp.verify(hotp.code(at: Counter(0)), from: last) == .counterExhausted)
    }

    @Test func `a window that exceeds the last counter ends there`() {
        let nearEnd = Counter(.max - 2)
        let accepted = hotp.verify(hotp.code(at: Counter(.max - 1)), from: nearEnd)
        #expect(accepted == .accepted(next: Counter(.max)))
        #expect(hotp.verify(hotp.code(at: Counter(.max)), from: nearEnd) == .rejected)
        #expect(hotp.verify(hotp.code(at: Counter(0)), from: nearEnd) == .rejected)
    }
}

@Suite final class `SEC-14 verification computes` {
    let hotp: HOTP

    init() throws {
        hotp = try HOTP(secret: try Secret(copying: [UInt8](repeating: 9, count: 20).span))
    }

    @Test(arguments: [20, 25, 30, 31, 19] as [UInt64])
    func `every candidate, whichever counter matches`(counter: UInt64) {
        var computed: [UInt64] = []
        _ = CodeSearch(first: Counter(20), reach: 10).verdict(on: hotp.code(at: Counter(counter))) {
            computed.append($0.value)
            return hotp.code(at: $0)
        }
        #expect(computed == Array(20...30))
    }

    @Test(arguments: [20, 25, 30, 50] as [UInt64])
    func `every pair of candidates`(counter: UInt64) {
        var computed: [UInt64] = []
        _ = CodeSearch(first: Counter(20), reach: 10).verdict(
            on: hotp.code(at: Counter(counter)),
            then: hotp.code(at: Counter(counter + 1))
        ) {
            computed.append($0.value)
            return hotp.code(at: $0)
        }
        #expect(computed == Array(20...31))
    }

    @Test(arguments: [0, 970, 1000, 1030] as [UInt64])
    func `every period within the drift, used or not`(minimum: UInt64) {
        var computed: [UInt64] = []
        _ = CodeSearch(first: Counter(30), reach: 4).verdict(
            on: hotp.code(at: Counter(31)),
            notBefore: Counter(minimum)
        ) {
            computed.append($0.value)
            return hotp.code(at: $0)
        }
        #expect(computed == Array(30...34))
    }
}

@Suite final class `SEC-07 resynchronisation` {
    let hotp: HOTP

    init() throws {
        hotp = try HOTP(secret: try Secret(copying: Array("12345678901234567890".utf8).span))
    }

    @Test func `accepts two consecutive codes and uses up both`() {
        let verdict = resynchronise(50, 51)
        #expect(verdict == .accepted(next: Counter(52)))
    }

    @Test(arguments: [(50, 52), (51, 50), (50, 50), (101, 102)] as [(UInt64, UInt64)])
    func `rejects codes that are not consecutive or too far ahead`(first: UInt64, second: UInt64) {
        #expect(resynchronise(first, second) == .rejected)
    }

    @Test func `searches as far as configured`() {
        #expect(resynchronise(100, 101) == .accepted(next: Counter(102)))
    }

    @Test func `rejects both codes when they are repeated`() {
        #expect(resynchronise(50, 51, from: 52) == .rejected)
        #expect(hotp.verify(hotp.code(at: Counter(51)), from: Counter(52)) == .rejected)
    }

    @Test func `moves only forward`() {
        #expect(resynchronise(3, 4, from: 5) == .rejected)
    }

    @Test func `ends at the last counter`() {
        #expect(resynchronise(.max - 2, .max - 1, from: .max - 2) == .accepted(next: Counter(.max)))
        #expect(resynchronise(.max - 1, .max, from: .max - 1) == .counterExhausted)
        #expect(resynchronise(0, 1, from: .max) == .counterExhausted)
    }

    @Test(arguments: [-1, 1001])
    func `cannot search more than a thousand counters`(count: Int) {
        #expect(ResynchronisationReach(exactly: count) == nil)
        #expect(ResynchronisationReach(exactly: 1000) != nil)
        #expect(LookAhead(exactly: min(count, 101)) == nil)
        #expect(LookAhead(exactly: 100) != nil)
    }

    private func resynchronise(
        _ first: UInt64,
        _ second: UInt64,
        from counter: UInt64 = 0
    ) -> CodeVerdict {
        hotp.resynchronise(
            hotp.code(at: Counter(first)),
            then: hotp.code(at: Counter(second)),
            from: Counter(counter),
            within: 100
        )
    }
}
