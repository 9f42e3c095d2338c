import Testing

@testable import OneTimePassword

@Suite final class `Time-based codes` {
    let totp: TOTP

    init() throws {
        totp = try TOTP(
            secret: try Secret(copying: Array("12345678901234567890".utf8).span),
            digits: .eight
        )
    }

    @Test func `are valid once, in their period`() {
        let code = totp.code(secondsSince1970: 1000)
        let step = totp.step(secondsSince1970: 1000)
        let verdict = totp.verify(code, secondsSince1970: 1000, notBefore: Counter(0))
        #expect(verdict == .accepted(next: Counter(step.value + 1)))
        let again = totp.verify(
            code,
            secondsSince1970: 1001,
            notBefore: Counter(step.value + 1)
        )
        #expect(again == .rejected)
    }

    @Test(arguments: [
        (990, true), (1019, true), (1020, true), (1049, true), (1050, false), (989, false),
    ])
    func `may be one period late, but not early`(time: UInt64, isAccepted: Bool) {
        let verdict = totp.verify(
            totp.code(secondsSince1970: 1000),
            secondsSince1970: time,
            notBefore: Counter(0)
        )
        #expect(verdict == (isAccepted ? .accepted(next: Counter(34)) : .rejected))
    }

    @Test func `may be as early and as late as the drift allows`() {
        let code = totp.code(secondsSince1970: 30_000)
        let drift = TOTP.Drift(periodsBehind: 2, periodsAhead: 3)
        for (time, isAccepted) in [
            (29_910, true), (29_909, false), (30_089, true), (30_090, false),
        ] {
            let verdict = totp.verify(
                code,
                secondsSince1970: UInt64(time),
                notBefore: Counter(0),
                drift: drift
            )
            #expect(
                verdict == (isAccepted ? .accepted(next: Counter(1001)) : .rejected),
                "at \(time)"
            )
        }
    }

    @Test func `work in the first and in the last second`() {
        let first = totp.verify(
            totp.code(secondsSince1970: 0),
            secondsSince1970: 0,
            notBefore: Counter(0),
            drift: TOTP.Drift(periodsBehind: .max, periodsAhead: .max)
        )
        #expect(first == .accepted(next: Counter(1)))
        let last = totp.verify(
            totp.code(secondsSince1970: .max),
            secondsSince1970: .max,
            notBefore: Counter(0)
        )
        #expect(last == .accepted(next: Counter(UInt64.max / 30 + 1)))
    }

    @Test(arguments: [0, 4, 3601, -30])
    func `reject a period out of range`(seconds: Int) throws {
        let secret = try Secret.random()
        #expect(throws: TOTP.Failure.periodOutOfRange) {
            _ = try TOTP(secret: secret, periodSeconds: seconds)
        }
    }
}
