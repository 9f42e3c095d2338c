import Testing

@testable import ThreeDSProtocol

@Suite struct `A challenge that the directory refuses` {
    private let refusal = Challenge.Event.refusedByDirectory

    @Test(arguments: [Challenge.Flow.app, .browser])
    func `ends without a result before its first request`(_ flow: Challenge.Flow) {
        var challenge = Challenge(flow, at: .zero)
        #expect(challenge.apply(refusal, at: .seconds(29)) == [.eraseKeys])
        #expect(challenge.state == .ended && challenge.due == nil)
        #expect(challenge.apply(.clock, at: .seconds(30)) == [])
        let error = [Challenge.Action.sendError(.transactionDataInvalid)]
        #expect(challenge.apply(.request(.show), at: .seconds(31)) == error)
        #expect(challenge.apply(refusal, at: .seconds(32)) == [])
    }

    @Test func `has its result after 30 seconds`() {
        var challenge = Challenge(.app, at: .zero)
        let actions = challenge.apply(refusal, at: .seconds(30))
        #expect(actions == [.sendResult(.notBegun), .eraseKeys])
        #expect(challenge.state == .decided(.notBegun))
    }

    @Test(arguments: [Challenge.Flow.app, .browser])
    func `goes on after its first request`(_ flow: Challenge.Flow) {
        var challenge = Challenge(flow, at: .zero)
        _ = challenge.apply(.request(.show), at: .seconds(5))
        #expect(challenge.apply(refusal, at: .seconds(6)) == [] && challenge.state == .asked)
        _ = challenge.apply(.unanswered, at: .seconds(7))
        #expect(challenge.apply(refusal, at: .seconds(8)) == [])
        #expect(challenge.state == .unanswered(isShown: false))
        _ = challenge.apply(.request(.cancel), at: .seconds(9))
        #expect(challenge.apply(refusal, at: .seconds(10)) == [])
        #expect(challenge.state == .decided(.cancelled))
    }

    @Test func `has its transaction withdrawn if it is decoupled`() {
        var challenge = Challenge(decoupledFor: .seconds(1000), at: .zero)
        #expect(challenge.apply(refusal, at: .seconds(5)) == [.withdrawTransaction, .eraseKeys])
        #expect(challenge.state == .ended && challenge.due == nil)
        for event in [Challenge.Event.withdrawn, .verdict(.approved), .unanswered, .clock] {
            #expect(challenge.apply(event, at: .seconds(2000)) == [])
        }
    }

    @Test func `has no result if a decoupled one is being withdrawn`() {
        var challenge = Challenge(decoupledFor: .seconds(1000), at: .zero)
        _ = challenge.apply(.unapprovable(.locked), at: .seconds(5))
        #expect(challenge.apply(refusal, at: .seconds(6)).contains(.withdrawTransaction))
        #expect(challenge.apply(.withdrawn, at: .seconds(7)) == [])
        var decided = Challenge(decoupledFor: .seconds(1000), at: .zero)
        _ = decided.apply(.verdict(.approved), at: .seconds(5))
        #expect(decided.apply(refusal, at: .seconds(6)) == [])
        #expect(decided.state == .decided(.approved))
    }
}
