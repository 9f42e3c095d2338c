import Testing

@testable import ThreeDSProtocol

@Suite struct `Timers of the protocol` {
    @Test func `repeat a result at once, and then every ten seconds`() {
        #expect((0...4).map(ResultDelivery.delay).map(\.components.seconds) == [0, 0, 10, 10, 10])
    }

    @Test func `allow one preparation an hour`() {
        var limit = PreparationLimit()
        #expect(limit.refusal(at: .seconds(5)) == nil)
        #expect(limit.refusal(at: .seconds(3604)) == .messageLimitExceeded)
        #expect(limit.refusal(at: .seconds(3605)) == nil)
        #expect(limit.refusal(at: .seconds(3606)) == .messageLimitExceeded)
    }

    @Test func `give an SDK ten seconds for a response, and one more connection`() throws {
        var clock = try #require(SDKChallengeClock(at: .zero, minutes: 5))
        clock.requestSent(at: .seconds(1))
        #expect(clock.clock(at: .seconds(10)) == .none)
        #expect(clock.connectionFailed(at: .seconds(2)) == .retry)
        #expect(clock.connectionFailed(at: .seconds(3)) == .fail)
        #expect(clock.clock(at: .seconds(11)) == .timeOut)
        clock.requestSent(at: .seconds(4))
        #expect(clock.connectionFailed(at: .seconds(5)) == .retry)
        clock.responseReceived()
        #expect(clock.connectionFailed(at: .seconds(6)) == .fail)
        #expect(clock.clock(at: .seconds(299)) == .none)
        #expect(clock.clock(at: .seconds(300)) == .timeOut)
        #expect(clock.connectionFailed(at: .seconds(300)) == .timeOut)
    }

    @Test func `give an SDK at least five minutes`() {
        #expect(SDKChallengeClock(at: .zero, minutes: 4) == nil)
        #expect(SDKChallengeClock(at: .zero, minutes: 0) == nil)
        let long = SDKChallengeClock(at: .zero, minutes: .max)
        #expect(long?.clock(at: .seconds(99 * 60)) == .timeOut)
    }
}
