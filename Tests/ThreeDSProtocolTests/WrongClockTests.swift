import Testing

@testable import ThreeDSProtocol

@Suite struct `A challenge whose clock was ahead` {
    private static let ahead = Duration.seconds(10_000)

    private func challenge(
        _ flow: Challenge.Flow = .app,
        _ events: Challenge.Event...
    ) -> Challenge {
        var challenge = Challenge(flow, at: Self.ahead)
        for event in events { _ = challenge.apply(event, at: Self.ahead) }
        return challenge
    }

    /// When the clock must be read next, after it was read at `now`.
    private func due(_ challenge: Challenge, at now: Duration) -> Duration? {
        var challenge = challenge
        _ = challenge.apply(.clock, at: now)
        return challenge.due
    }

    private static let now = Duration.seconds(100)

    @Test(arguments: [Challenge.Flow.app, .browser])
    func `begins its present time again`(_ flow: Challenge.Flow) {
        let now = Self.now
        #expect(due(challenge(flow), at: now) == now + .seconds(30))
        #expect(due(challenge(flow, .request(.show)), at: now) == now + .seconds(600))
        let unanswered = challenge(flow, .request(.show), .unanswered)
        #expect(due(unanswered, at: now) == now + .seconds(600))
        let withdrawing = challenge(flow, .request(.show), .unapprovable(.locked))
        #expect(due(withdrawing, at: now) == now + .seconds(25))
    }

    @Test func `keeps its time if the clock was little ahead`() {
        let now = Self.ahead + .seconds(30) - Challenge.longestLead
        #expect(due(challenge(), at: now) == Self.ahead + .seconds(30))
        let earlier = now - .milliseconds(1)
        #expect(due(challenge(), at: earlier) == earlier + .seconds(30))
    }

    @Test func `keeps its end, but no order, if it is decoupled`() {
        let week = Duration.seconds(7 * 86_400)
        var challenge = Challenge(decoupledFor: week, at: Self.ahead)
        _ = challenge.apply(.unanswered, at: Self.ahead)
        #expect(challenge.requests.last == Self.ahead + .seconds(900))
        _ = challenge.apply(.clock, at: Self.ahead)
        #expect(challenge.requests.last == Self.ahead + .seconds(900))
        _ = challenge.apply(.clock, at: Self.now)
        #expect(challenge.requests == [Self.ahead, Self.now])
        #expect(challenge.due == Self.ahead + week)
    }
}
