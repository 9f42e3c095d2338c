import Testing

@testable import ThreeDSProtocol

private typealias Action = Challenge.Action

private let page = Action.showPage(isRepeated: true)

@Suite struct `A challenge whose transaction expired` {
    /// Its first page came after five seconds, and its transaction expired after 125 seconds.
    private func unanswered(_ flow: Challenge.Flow = .app) -> Challenge {
        var challenge = Challenge(flow, at: .zero)
        _ = challenge.apply(.request(.show), at: .seconds(5))
        #expect(challenge.apply(.unanswered, at: .seconds(125)) == [])
        #expect(challenge.state == .unanswered(isShown: false))
        return challenge
    }

    @Test(arguments: [Challenge.Flow.app, .browser])
    func `has one more transaction if the shopper wants it, and one result`(
        _ flow: Challenge.Flow
    ) throws {
        var challenge = unanswered(flow)
        let first = challenge.requests
        let actions = challenge.apply(.request(.resend), at: .seconds(130))
        #expect(actions == [.createTransaction, page])
        #expect(challenge.state == .asked)
        #expect(challenge.requests == first + [.seconds(130)])
        challenge = try #require(Challenge(encoded: challenge.encoded))
        #expect(challenge.apply(.request(.resend), at: .seconds(131)) == [.notifyAgain, page])
        #expect(challenge.apply(.unanswered, at: .seconds(250)) == [.sendResult(.expired)])
        for event in [Challenge.Event.unanswered, .verdict(.approved), .withdrawn] {
            #expect(challenge.apply(event, at: .seconds(251)) == [])
        }
    }

    @Test func `has the result of its second transaction`() {
        var challenge = unanswered()
        _ = challenge.apply(.request(.resend), at: .seconds(130))
        let actions = challenge.apply(.verdict(.approved), at: .seconds(140))
        #expect(actions == [.sendResult(.approved)])
    }

    @Test(arguments: Challenge.Verdict.allCases)
    func `is not decided by its first transaction`(_ verdict: Challenge.Verdict) {
        var challenge = unanswered()
        #expect(challenge.apply(.verdict(verdict), at: .seconds(126)) == [])
        #expect(challenge.apply(.unanswered, at: .seconds(126)) == [])
        #expect(challenge.state == .unanswered(isShown: false))
    }

    @Test(arguments: [Challenge.Request.show, .load])
    func `shows its page, and creates nothing by itself`(_ request: Challenge.Request) throws {
        var challenge = unanswered()
        for second in [126, 400] {
            #expect(challenge.apply(.request(request), at: .seconds(second)) == [page])
            #expect(challenge.state == .unanswered(isShown: true))
            challenge = try #require(Challenge(encoded: challenge.encoded))
        }
        let actions = challenge.apply(.request(.resend), at: .seconds(401))
        #expect(actions == [.createTransaction, page])
    }

    @Test func `ends its offer at the same time, however many pages follow`() {
        var challenge = unanswered()
        #expect(challenge.due == .seconds(605))
        #expect(challenge.apply(.request(.show), at: .seconds(600)) == [page])
        #expect(challenge.due == .seconds(605))
        #expect(challenge.apply(.clock, at: .seconds(604)) == [])
        // The app still has the time for its next message.
        var late = challenge
        #expect(
            late.apply(.request(.resend), at: .seconds(605)) == [.sendResult(.expired), .wait]
        )
        #expect(challenge.apply(.clock, at: .seconds(605)) == [.sendResult(.expired)])
        _ = challenge.apply(.resultAcknowledged, at: .seconds(606))
        let last = challenge.apply(.request(.show), at: .seconds(607))
        #expect(last == [.finish(.notAuthenticated), .eraseKeys])
    }

    @Test func `ends for an app that sends no other message`() {
        var challenge = unanswered()
        let end = challenge.apply(.clock, at: .seconds(605))
        #expect(end == [.sendResult(.expired), .eraseKeys])
        #expect(challenge.apply(.request(.resend), at: .seconds(606)) == [.sendError(.timedOut)])
    }

    @Test func `returns a browser to the shop when the time is over`() {
        var challenge = unanswered(.browser)
        #expect(challenge.apply(.clock, at: .seconds(605)) == [.sendResult(.expired)])
        #expect(challenge.apply(.resultAcknowledged, at: .seconds(606)) == [])
        let last = challenge.apply(.request(.load), at: .seconds(607))
        #expect(last == [.finish(.notAuthenticated)])
    }

    @Test func `is cancelled without a withdrawal`() {
        var app = unanswered()
        let actions = app.apply(.request(.cancel), at: .seconds(126))
        #expect(actions == [.sendResult(.cancelled), .wait])
        var browser = unanswered(.browser)
        let others = browser.apply(.request(.cancel), at: .seconds(126))
        #expect(others == [.sendResult(.cancelled), page])
    }

    @Test func `ends with an error of the SDK`() {
        var challenge = unanswered()
        let actions = challenge.apply(.errorReceived, at: .seconds(126))
        #expect(actions == [.sendResult(.errorReceived), .eraseKeys])
    }

    @Test func `ends if its transaction expires when its own time does`() {
        for flow in [Challenge.Flow.app, .browser] {
            var challenge = Challenge(flow, at: .zero)
            _ = challenge.apply(.request(.show), at: .seconds(5))
            challenge.noteTransaction()
            let actions = challenge.apply(.unanswered, at: .seconds(605))
            #expect(actions.contains(.sendResult(.expired)))
            #expect(!actions.contains(.createTransaction))
        }
    }
}
