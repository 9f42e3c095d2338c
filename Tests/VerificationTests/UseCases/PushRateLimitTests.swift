import Testing
import TransactionApproval

@testable import Verification

@Suite struct `The rate limit of pushes` {
    private let start = Timestamp.earliest + .seconds(1_800_000_000)

    @Test func `SEC-33: at most a minute's worth goes out, at once or evenly`() {
        let limit = PushRateLimit(perMinute: 60)
        for _ in 0..<60 { #expect(limit.take(1, at: start) == .accepted) }
        #expect(limit.take(1, at: start) == .refused(start + .seconds(1)))
        // The refused one did not count.
        #expect(limit.take(1, at: start) == .refused(start + .seconds(1)))
        #expect(limit.take(1, at: start + .milliseconds(999)) == .refused(start + .seconds(1)))
        #expect(limit.take(1, at: start + .seconds(1)) == .accepted)
        #expect(limit.take(1, at: start + .seconds(1)) == .refused(start + .seconds(2)))
    }

    @Test func `SEC-33: the limit is fully replenished after a minute, and never beyond`() {
        let limit = PushRateLimit(perMinute: 2)
        for moment in [start, start + .seconds(3600)] {
            for _ in 0..<2 { #expect(limit.take(1, at: moment) == .accepted) }
            #expect(limit.take(1, at: moment) == .refused(moment + .seconds(30)))
        }
    }

    @Test func `SEC-33: fractions of a millisecond count`() {
        let limit = PushRateLimit(perMinute: 1_000_000)
        for _ in 0..<1_000_000 { guard limit.take(1, at: start).isAccepted else { break } }
        #expect(!limit.take(1, at: start).isAccepted)
        #expect(limit.take(1, at: start + .milliseconds(1)) == .accepted)
    }

    @Test func `SEC-33: each device takes one, and all of a transaction or none`() {
        let limit = PushRateLimit(perMinute: 6)
        #expect(limit.take(4, at: start) == .accepted)
        #expect(limit.take(3, at: start) == .refused(start + .seconds(10)))
        #expect(limit.take(2, at: start) == .accepted)
        #expect(limit.take(1, at: start) == .refused(start + .seconds(10)))
    }

    @Test func `SEC-33: a transaction without a push takes nothing, even at the limit`() {
        let limit = PushRateLimit(perMinute: 1)
        for _ in 0..<3 { #expect(limit.take(0, at: start) == .accepted) }
        #expect(limit.take(1, at: start) == .accepted)
        #expect(limit.take(0, at: start) == .accepted)
    }

    @Test func `SEC-33: more devices than the limit take all of it`() {
        let limit = PushRateLimit(perMinute: 2)
        #expect(limit.take(5, at: start) == .accepted)
        #expect(limit.take(1, at: start) == .refused(start + .seconds(30)))
    }

    @Test func `SEC-33: a transaction takes its pushes once`() {
        let limit = PushRateLimit(perMinute: 3)
        let permit = limit.permit()
        for _ in 0..<2 { #expect(permit.take(2, at: start) == .accepted) }
        #expect(limit.take(1, at: start) == .accepted)
        let refused = limit.permit()
        #expect(refused.take(1, at: start) == .refused(start + .seconds(20)))
        // It took none.
        #expect(refused.take(1, at: start + .seconds(20)) == .accepted)
        #expect(limit.take(1, at: start + .seconds(20)) == .refused(start + .seconds(40)))
    }
}
