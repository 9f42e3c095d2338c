import Testing

@testable import ThreeDSProtocol

@Suite struct `A decoupled challenge` {
    private static let day = Duration.seconds(86_400)

    @Test func `has at most three transactions, and one result`() throws {
        var challenge = Challenge(decoupledFor: Self.day, at: .seconds(100))
        #expect(challenge.requests == [.seconds(100)])
        for end in [Duration.seconds(400), .seconds(2000)] {
            #expect(challenge.apply(.unanswered, at: end) == [])
            #expect(challenge.state == .asked)
            #expect(challenge.requests.last == end + .seconds(900))
            // It is restored as it was.
            challenge = try #require(Challenge(encoded: challenge.encoded))
        }
        #expect(challenge.requests.count == 3)
        #expect(challenge.apply(.unanswered, at: .seconds(4000)) == [.sendResult(.undecided)])
        for event in [Challenge.Event.unanswered, .verdict(.approved), .withdrawn] {
            #expect(challenge.apply(event, at: .seconds(4001)) == [])
        }
    }

    @Test func `has no other transaction after its time`() {
        var challenge = Challenge(decoupledFor: .seconds(1000), at: .zero)
        #expect(challenge.apply(.unanswered, at: .seconds(100)) == [.sendResult(.undecided)])
        var longer = Challenge(decoupledFor: .seconds(1001), at: .zero)
        #expect(longer.apply(.unanswered, at: .seconds(100)) == [])
        // Its time ends between two transactions, or while the second one waits.
        #expect(longer.apply(.clock, at: .seconds(1000)) == [])
        #expect(longer.apply(.clock, at: .seconds(1001)) == [.withdrawTransaction, .eraseKeys])
        #expect(longer.apply(.withdrawn, at: .seconds(1002)) == [.sendResult(.undecided)])
        #expect(longer.apply(.resultAcknowledged, at: .seconds(1003)) == [])
        #expect(longer.state == .ended)
    }

    @Test(arguments: [Challenge.Verdict.approved, .rejected, .suspected, .locked])
    func `keeps the decision about a later transaction`(_ verdict: Challenge.Verdict) {
        var challenge = Challenge(decoupledFor: Self.day, at: .zero)
        #expect(challenge.apply(.unanswered, at: .seconds(100)) == [])
        let actions = challenge.apply(.verdict(verdict), at: .seconds(1100))
        #expect(actions == [.sendResult(verdict.report)])
    }
}
