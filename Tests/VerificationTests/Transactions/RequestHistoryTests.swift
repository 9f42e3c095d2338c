import Testing
import TransactionApproval

@testable import Verification

private let start = Timestamp.latest - .seconds(1_000_000_000)
private let minute = Duration.seconds(60)
private let day = minute * 60 * 24

/// One time for each of `count` requests, `distance` apart.
private func moments(_ count: Int, every distance: Duration) -> [Timestamp] {
    (0..<count).map { start + distance * $0 }
}

extension RequestHistory {
    fileprivate init(_ moments: [Timestamp] = [], pending: Int = 0, mutedUntil: Timestamp? = nil) {
        let deadlines = (0..<pending).reversed().map { start + minute * ($0 + 1) }
        self.init(moments: moments, pending: deadlines, mutedUntil: mutedUntil)
    }
}

@Suite struct `Rate limits of approval requests` {
    @Test func `SEC-33: at most three transactions are pending at the same time`() {
        let two = RequestHistory(pending: 2)
        #expect(two.check(at: start, by: .default) == .accepted)
        let three = RequestHistory(pending: 3)
        #expect(
            three.check(at: start, by: .default) == .refused(.tooManyPending(until: start + minute))
        )
        let four = RequestHistory(pending: 4)
        #expect(
            four.check(at: start, by: .default)
                == .refused(.tooManyPending(until: start + minute * 2))
        )
    }

    @Test func `SEC-33: the sixth request within ten minutes is refused`() {
        let four = RequestHistory(moments(4, every: minute))
        #expect(four.check(at: start + minute * 5, by: .default) == .accepted)
        let five = RequestHistory(moments(5, every: minute))
        let end = start + minute * 10
        #expect(
            five.check(at: end - .milliseconds(1), by: .default)
                == .refused(.rateLimited(until: end))
        )
        #expect(five.check(at: end, by: .default) == .accepted)
    }

    @Test func `SEC-33: the 21st request within a day is refused`() {
        let end = start + day
        let late = end - .milliseconds(1)
        let most = RequestHistory(moments(19, every: minute * 11))
        #expect(most.check(at: late, by: .default) == .accepted)
        let all = RequestHistory(moments(20, every: minute * 11))
        #expect(all.check(at: late, by: .default) == .refused(.rateLimited(until: end)))
        #expect(all.check(at: end, by: .default) == .accepted)
    }

    @Test func `SEC-33: "not me" mutes notifications for 24 hours`() {
        let end = start + RequestHistory.muteDuration
        #expect(RequestHistory.muteDuration == day)
        let muted = RequestHistory(mutedUntil: end)
        #expect(muted.check(at: end - .milliseconds(1), by: .default) == .accepted)
        #expect(muted.isMuted(at: end - .milliseconds(1)))
        #expect(!muted.isMuted(at: end))
    }

    @Test func `the limits can be stricter, never laxer`() throws {
        let strict = try #require(PushPolicy(pending: 1, inTenMinutes: 1, inADay: 2))
        #expect(
            RequestHistory(pending: 1).check(at: start, by: strict)
                == .refused(.tooManyPending(until: start + minute))
        )
        let one = RequestHistory(moments(1, every: minute))
        #expect(
            one.check(at: start, by: strict) == .refused(.rateLimited(until: start + minute * 10))
        )
        #expect(PushPolicy() == .default)
        #expect(PushPolicy(pending: 4) == nil)
        #expect(PushPolicy(inTenMinutes: 6) == nil)
        #expect(PushPolicy(inADay: 21) == nil)
        #expect(PushPolicy(pending: 0) == nil)
    }
}
