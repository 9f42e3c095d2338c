import TestSupport
import Testing

@testable import ThreeDSProtocol

@Suite struct `A challenge in an app` {
    private typealias Action = AppChallenge.Action

    /// A challenge that has shown its first page after five seconds.
    private func asked() -> AppChallenge {
        var challenge = AppChallenge(at: .zero)
        #expect(
            challenge.apply(.request(.show), at: .seconds(5))
                == [.createTransaction, .showPage(isRepeated: false)]
        )
        return challenge
    }

    @Test func `ends with the result that the device decided`() {
        var challenge = asked()
        #expect(
            challenge.apply(.verdict(.approved), at: .seconds(20)) == [.sendResult(.approved)]
        )
        #expect(challenge.state == .decided(.approved))
        #expect(challenge.apply(.resultAcknowledged, at: .seconds(21)) == [])
        #expect(
            challenge.apply(.request(.show), at: .seconds(22))
                == [.finish(.authenticated), .eraseKeys]
        )
        #expect(
            challenge.apply(.request(.show), at: .seconds(23))
                == [.sendError(.transactionDataInvalid)]
        )
    }

    @Test(arguments: AppChallenge.Verdict.allCases)
    func `reports each verdict once`(_ verdict: AppChallenge.Verdict) {
        var challenge = asked()
        let report = verdict.report
        #expect(challenge.apply(.verdict(verdict), at: .seconds(9)) == [.sendResult(report)])
        for later in AppChallenge.Verdict.allCases {
            #expect(challenge.apply(.verdict(later), at: .seconds(9)) == [])
        }
        #expect(challenge.state == .decided(report))
        #expect(
            report.finalStatus == (verdict == .approved ? .authenticated : .notAuthenticated)
        )
    }

    @Test func `shows the page again while nothing is decided`() {
        var challenge = asked()
        for second in [10, 500, 1000, 1500] {
            #expect(
                challenge.apply(.request(.show), at: .seconds(second))
                    == [.showPage(isRepeated: true)]
            )
        }
    }

    @Test func `notifies the device at most twice more, 30 seconds apart`() {
        var challenge = asked()
        let page = Action.showPage(isRepeated: true)
        #expect(challenge.apply(.request(.resend), at: .seconds(34)) == [page])
        #expect(challenge.apply(.request(.resend), at: .seconds(35)) == [.notifyAgain, page])
        #expect(challenge.apply(.request(.resend), at: .seconds(64)) == [page])
        #expect(challenge.apply(.request(.resend), at: .seconds(65)) == [.notifyAgain, page])
        #expect(challenge.apply(.request(.resend), at: .seconds(200)) == [page])
    }

    @Test func `times out without a first request`() {
        var challenge = AppChallenge(at: .seconds(100))
        #expect(challenge.apply(.clock, at: .seconds(129)) == [])
        #expect(challenge.apply(.clock, at: .seconds(130)) == [.sendResult(.notBegun), .eraseKeys])
        #expect(challenge.apply(.clock, at: .seconds(131)) == [])
        #expect(challenge.apply(.request(.show), at: .seconds(132)) == [.sendError(.timedOut)])
        #expect(challenge.apply(.resultAcknowledged, at: .seconds(133)) == [])
        #expect(challenge.state == .ended)
    }

    @Test func `refuses a late request even if the clock was not read`() {
        var challenge = asked()
        #expect(
            challenge.apply(.request(.show), at: .seconds(605))
                == [
                    .withdrawTransaction, .sendResult(.expired), .eraseKeys, .sendError(.timedOut),
                ]
        )
        #expect(challenge.apply(.verdict(.approved), at: .seconds(606)) == [])
        #expect(challenge.state == .decided(.expired))
    }

    @Test func `is cancelled by the shopper`() {
        var first = AppChallenge(at: .zero)
        #expect(first.apply(.request(.cancel), at: .seconds(1)) == [.sendResult(.cancelled)])
        var second = asked()
        #expect(
            second.apply(.request(.cancel), at: .seconds(6))
                == [.withdrawTransaction, .sendResult(.cancelled)]
        )
        #expect(
            second.apply(.resultAcknowledged, at: .seconds(7)) == [
                .finish(.notAuthenticated), .eraseKeys,
            ]
        )
    }

    @Test func `waits eight seconds for the acknowledgement of a result`() {
        var challenge = asked()
        _ = challenge.apply(.verdict(.rejected), at: .seconds(10))
        #expect(challenge.apply(.request(.show), at: .seconds(11)) == [])
        #expect(challenge.apply(.clock, at: .seconds(18)) == [])
        #expect(challenge.apply(.clock, at: .seconds(19)) == [.showPage(isRepeated: true)])
        #expect(challenge.apply(.clock, at: .seconds(30)) == [])
        #expect(challenge.apply(.request(.show), at: .seconds(31)) == [])
        #expect(
            challenge.apply(.resultAcknowledged, at: .seconds(32))
                == [.finish(.notAuthenticated), .eraseKeys]
        )
    }

    @Test func `ends with an error if a result is never acknowledged`() {
        var challenge = asked()
        _ = challenge.apply(.verdict(.approved), at: .seconds(10))
        #expect(challenge.apply(.clock, at: .seconds(604)) == [])
        #expect(challenge.apply(.clock, at: .seconds(605)) == [.eraseKeys])
        #expect(
            challenge.apply(.request(.show), at: .seconds(606)) == [.sendError(.transientFailure)]
        )
        // The result is still delivered.
        #expect(challenge.state == .decided(.approved))
        #expect(challenge.apply(.resultAcknowledged, at: .seconds(700)) == [])
        #expect(challenge.state == .ended)
    }

    @Test func `gives 600 seconds after each page, also after the decision`() {
        var challenge = asked()
        _ = challenge.apply(.verdict(.approved), at: .seconds(10))
        #expect(challenge.apply(.request(.show), at: .seconds(600)) == [])
        #expect(challenge.apply(.clock, at: .seconds(608)) == [.showPage(isRepeated: true)])
        #expect(challenge.apply(.clock, at: .seconds(1207)) == [])
        #expect(challenge.apply(.request(.show), at: .seconds(1207)) == [])
        // The clock was not read in time for another page.
        #expect(challenge.apply(.clock, at: .seconds(1806)) == [.showPage(isRepeated: true)])
        #expect(challenge.apply(.clock, at: .seconds(2405)) == [])
        #expect(challenge.apply(.clock, at: .seconds(2406)) == [.eraseKeys])
    }

    @Test func `sends an error for a request that waits until the end`() {
        var challenge = asked()
        _ = challenge.apply(.verdict(.approved), at: .seconds(10))
        #expect(challenge.apply(.request(.show), at: .seconds(604)) == [])
        #expect(
            challenge.apply(.clock, at: .seconds(1204))
                == [.sendError(.transientFailure), .eraseKeys]
        )
    }

    @Test(
        arguments: [
            (.timedOut, .timedOutAtSDK),
            (.decryptionFailed, .failed),
            (.elementInvalid, .failed),
        ] as [(ErrorCode, ResultReport)]
    )
    func `ends with the error of the SDK`(code: ErrorCode, report: ResultReport) {
        var challenge = asked()
        #expect(
            challenge.apply(.errorReceived(code), at: .seconds(6))
                == [.withdrawTransaction, .sendResult(report), .eraseKeys]
        )
        #expect(challenge.apply(.errorReceived(code), at: .seconds(7)) == [])
        #expect(challenge.apply(.resultAcknowledged, at: .seconds(8)) == [])
        #expect(challenge.state == .ended)
        var decided = asked()
        _ = decided.apply(.verdict(.approved), at: .seconds(6))
        #expect(decided.apply(.errorReceived(code), at: .seconds(7)) == [.eraseKeys])
    }

    @Test func `SEC-81: erases its keys even if the last response is never fetched`() {
        var challenge = asked()
        _ = challenge.apply(.verdict(.approved), at: .seconds(10))
        _ = challenge.apply(.resultAcknowledged, at: .seconds(11))
        #expect(challenge.apply(.clock, at: .seconds(610)) == [])
        #expect(challenge.apply(.clock, at: .seconds(611)) == [.eraseKeys])
        #expect(challenge.apply(.request(.show), at: .seconds(612)) == [.sendError(.timedOut)])
    }

    @Test func `sends one result, whatever happens in which order`() {
        var random = SeededGenerator(seed: 23)
        for _ in 0..<(Proof.isComplete ? 100_000 : 2000) {
            var challenge = AppChallenge(at: .zero)
            var now = Duration.zero
            var actions: [Action] = []
            for _ in 0..<20 {
                now += .seconds(Int.random(in: 0...200, using: &random))
                actions += challenge.apply(event(using: &random), at: now)
            }
            let results = actions.count { if case .sendResult = $0 { true } else { false } }
            let ends = actions.count { if case .finish = $0 { true } else { false } }
            #expect(results <= 1)
            #expect(ends <= 1)
            #expect(actions.count { $0 == .createTransaction } <= 1)
            #expect(actions.count { $0 == .withdrawTransaction } <= 1)
            #expect(actions.count { $0 == .eraseKeys } <= 1)
            #expect(actions.count { $0 == .notifyAgain } <= 2)
            if challenge.state == .ended { #expect(actions.contains(.eraseKeys)) }
            #expect(isErasedInTime(actions), "\(actions)")
            if actions.contains(.finish(.authenticated)) {
                #expect(actions.contains(.sendResult(.approved)))
            }
        }
    }

    /// Keys are not kept without an encrypted response to come.
    private func isErasedInTime(_ actions: [Action]) -> Bool {
        guard let erased = actions.firstIndex(of: .eraseKeys) else {
            return !actions.contains { if case .sendError = $0 { true } else { false } }
        }
        return !actions[erased...].contains { action in
            switch action {
            case .showPage, .finish: true
            default: false
            }
        }
    }

    private func event(using random: inout SeededGenerator) -> AppChallenge.Event {
        let events: [AppChallenge.Event] = [
            .request(.show), .request(.show), .request(.resend), .request(.cancel), .clock, .clock,
            .resultAcknowledged, .errorReceived(.timedOut), .verdict(.approved),
            .verdict(.rejected), .verdict(.locked),
        ]
        return events.randomElement(using: &random) ?? .clock
    }
}
