import Testing

@testable import ThreeDSProtocol

@Suite struct `A result without a valid RRes` {
    private func decided(_ flow: Challenge.Flow) -> Challenge {
        var challenge =
            flow == .decoupled
            ? Challenge(decoupledFor: .seconds(1000), at: .zero) : Challenge(flow, at: .zero)
        if flow != .decoupled { _ = challenge.apply(.request(.show), at: .seconds(5)) }
        _ = challenge.apply(.verdict(.approved), at: .seconds(6))
        return challenge
    }

    @Test(arguments: [
        MessageErrorCode.transientFailure, .messageInvalid, .elementMissing, .elementInvalid,
    ])
    func `is an error for the app, and erases its keys`(_ code: MessageErrorCode) {
        var challenge = decided(.app)
        #expect(challenge.apply(.request(.show), at: .seconds(7)) == [.wait])
        #expect(challenge.apply(.resultUnacknowledged(code), at: .seconds(8)) == [.eraseKeys])
        #expect(challenge.state == .ended && challenge.due == nil)
        for request in [Challenge.Request.show, .cancel, .resend] {
            #expect(challenge.apply(.request(request), at: .seconds(9)) == [.sendError(code)])
        }
        // An operator can still send the result.
        #expect(challenge.apply(.resultAcknowledged, at: .seconds(10)) == [])
        #expect(challenge.apply(.request(.show), at: .seconds(11)) == [.sendError(code)])
    }

    @Test func `has its last page in a browser`() {
        var challenge = decided(.browser)
        let code = MessageErrorCode.transientFailure
        #expect(challenge.apply(.resultUnacknowledged(code), at: .seconds(8)) == [])
        #expect(challenge.apply(.request(.load), at: .seconds(9)) == [.finish(.authenticated)])
    }

    @Test func `ends a decoupled authentication`() {
        var challenge = decided(.decoupled)
        let code = MessageErrorCode.elementInvalid
        #expect(challenge.apply(.resultUnacknowledged(code), at: .seconds(8)) == [.eraseKeys])
        #expect(challenge.state == .ended && challenge.due == nil)
    }

    @Test func `does not change the error that the app has had`() {
        var challenge = decided(.app)
        #expect(challenge.apply(.clock, at: .seconds(605)) == [.eraseKeys])
        let late = Challenge.Event.resultUnacknowledged(.elementInvalid)
        #expect(challenge.apply(late, at: .seconds(606)) == [])
        let response = challenge.apply(.request(.show), at: .seconds(607))
        #expect(challenge.state == .ended && response == [.sendError(.transientFailure)])
    }

    @Test func `does not exist before the decision or after the RRes`() {
        let event = Challenge.Event.resultUnacknowledged(.transientFailure)
        var asked = Challenge(.app, at: .zero)
        _ = asked.apply(.request(.show), at: .seconds(5))
        #expect(asked.apply(event, at: .seconds(6)) == [] && asked.state == .asked)
        var reported = decided(.app)
        _ = reported.apply(.resultAcknowledged, at: .seconds(7))
        #expect(reported.apply(event, at: .seconds(8)) == [])
        let last = reported.apply(.request(.show), at: .seconds(9))
        #expect(last == [.finish(.authenticated), .eraseKeys])
    }
}
