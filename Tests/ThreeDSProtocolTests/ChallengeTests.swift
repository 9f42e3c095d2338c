import TestSupport
import Testing

@testable import ThreeDSProtocol

private typealias Action = Challenge.Action

@Suite struct `A challenge in an app` {

    /// A challenge that has shown its first page after five seconds.
    private func asked() -> Challenge {
        var challenge = Challenge(.app, at: .zero)
        #expect(
            challenge.apply(.request(.show), at: .seconds(5))
                == [.createTransaction, .showPage(isRepeated: false)]
        )
        challenge.noteTransaction()
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

    @Test(arguments: Challenge.Verdict.allCases)
    func `reports each verdict once`(_ verdict: Challenge.Verdict) {
        var challenge = asked()
        let report = verdict.report
        #expect(challenge.apply(.verdict(verdict), at: .seconds(9)) == [.sendResult(report)])
        for later in Challenge.Verdict.allCases {
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

    @Test func `notifies the device again while nothing is decided, and goes on`() {
        var challenge = asked()
        let page = Action.showPage(isRepeated: true)
        #expect(challenge.apply(.request(.resend), at: .seconds(34)) == [.notifyAgain, page])
        // The time for the next request begins again.
        #expect(challenge.apply(.request(.resend), at: .seconds(600)) == [.notifyAgain, page])
        #expect(challenge.apply(.request(.show), at: .seconds(601)) == [page])
        _ = challenge.apply(.verdict(.approved), at: .seconds(602))
        #expect(challenge.apply(.request(.resend), at: .seconds(603)) == [.wait])
        _ = challenge.apply(.resultAcknowledged, at: .seconds(604))
        let end = challenge.apply(.request(.resend), at: .seconds(605))
        #expect(end == [.finish(.authenticated), .eraseKeys])
    }

    @Test func `begins with its transaction, whatever the first request is`() {
        var challenge = Challenge(.app, at: .zero)
        let actions = challenge.apply(.request(.resend), at: .seconds(1))
        #expect(actions == [.createTransaction, .showPage(isRepeated: false)])
    }

    @Test func `times out without a first request`() {
        var challenge = Challenge(.app, at: .seconds(100))
        #expect(challenge.apply(.clock, at: .seconds(129)) == [])
        #expect(challenge.apply(.clock, at: .seconds(130)) == [.sendResult(.notBegun), .eraseKeys])
        #expect(challenge.apply(.clock, at: .seconds(131)) == [])
        #expect(challenge.apply(.request(.show), at: .seconds(132)) == [.sendError(.timedOut)])
        #expect(challenge.apply(.resultAcknowledged, at: .seconds(133)) == [])
        #expect(challenge.state == .ended)
    }

    /// The shop must not read that the person did not respond.
    @Test(arguments: [Challenge.Flow.app, .browser, .decoupled])
    func `is undetermined if the verifier never created a transaction`(
        _ flow: Challenge.Flow
    ) throws {
        for isCreated in [false, true] {
            var challenge =
                flow == .decoupled
                ? Challenge(decoupledFor: .seconds(605), at: .zero) : Challenge(flow, at: .zero)
            _ = challenge.apply(.request(.show), at: .seconds(5))
            if isCreated { challenge.noteTransaction() }
            challenge = try #require(Challenge(encoded: challenge.encoded))
            _ = challenge.apply(.clock, at: .seconds(605))
            let report = isCreated ? ResultReport.expired : .failed
            #expect(challenge.state == .withdrawing(report))
            let sent = isCreated && flow == .decoupled ? .undecided : report
            #expect(challenge.apply(.withdrawn, at: .seconds(606)) == [.sendResult(sent)])
        }
    }

    @Test(arguments: [(true, ResultReport.timedOutAtSDK), (false, .failed)])
    func `is abandoned by the SDK`(isTimeout: Bool, report: ResultReport) {
        var challenge = asked()
        let actions = challenge.apply(
            .request(.abandon(isTimeout: isTimeout)),
            at: .seconds(6)
        )
        #expect(actions == [.withdrawTransaction, .wait])
        #expect(challenge.apply(.withdrawn, at: .seconds(6)) == [.sendResult(report)])
    }

    @Test func `refuses a late request even if the clock was not read`() {
        var challenge = asked()
        #expect(
            challenge.apply(.request(.show), at: .seconds(605))
                == [.withdrawTransaction, .eraseKeys, .sendError(.timedOut)]
        )
        #expect(challenge.apply(.withdrawn, at: .seconds(606)) == [.sendResult(.expired)])
        #expect(challenge.apply(.verdict(.approved), at: .seconds(607)) == [])
        #expect(challenge.state == .decided(.expired))
    }

    @Test func `is cancelled by the shopper`() {
        var first = Challenge(.app, at: .zero)
        #expect(
            first.apply(.request(.cancel), at: .seconds(1)) == [.sendResult(.cancelled), .wait]
        )
        var second = asked()
        #expect(second.apply(.request(.cancel), at: .seconds(6)) == [.withdrawTransaction, .wait])
        #expect(second.apply(.withdrawn, at: .seconds(6)) == [.sendResult(.cancelled)])
        #expect(second.apply(.resultAcknowledged, at: .seconds(7)) == [])
        #expect(
            second.apply(.request(.cancel), at: .seconds(7)) == [
                .finish(.notAuthenticated), .eraseKeys,
            ]
        )
    }

    @Test func `holds a response until the result is acknowledged`() {
        var challenge = asked()
        _ = challenge.apply(.verdict(.rejected), at: .seconds(10))
        #expect(challenge.apply(.request(.show), at: .seconds(11)) == [.wait])
        let page = [Action.showPage(isRepeated: true)]
        #expect(challenge.apply(.request(.show, waited: true), at: .seconds(19)) == page)
        #expect(challenge.apply(.request(.show), at: .seconds(31)) == [.wait])
        #expect(challenge.apply(.resultAcknowledged, at: .seconds(32)) == [])
        #expect(
            challenge.apply(.request(.show), at: .seconds(32))
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

    /// The RReq of such a decision is not acknowledged before the last page has expired.
    @Test(arguments: [Challenge.Verdict.approved, .rejected])
    func `has 60 seconds after a decision in the last ones`(_ verdict: Challenge.Verdict) {
        let finalStatus = verdict.report.finalStatus
        for (flow, end) in [
            (Challenge.Flow.app, [Action.finish(finalStatus), .eraseKeys]),
            (.browser, [.finish(finalStatus)]),
        ] {
            var challenge = Challenge(flow, at: .zero)
            _ = challenge.apply(.request(.show), at: .seconds(5))
            let actions = challenge.apply(.verdict(verdict), at: .seconds(604))
            #expect(actions == [.sendResult(verdict.report)])
            #expect(challenge.due == .seconds(664))
            #expect(challenge.apply(.clock, at: .seconds(663)) == [])
            var late = challenge
            #expect(late.apply(.clock, at: .seconds(664)) == [.eraseKeys])
            #expect(challenge.apply(.resultAcknowledged, at: .seconds(663)) == [])
            #expect(challenge.apply(.request(.show), at: .seconds(664)) == end)
        }
    }

    @Test func `has the same time if no device can approve in the last ones`() {
        var challenge = asked()
        let actions = challenge.apply(.unapprovable(.locked), at: .seconds(604))
        #expect(actions == [.withdrawTransaction])
        #expect(challenge.apply(.clock, at: .seconds(629)) == [.sendResult(.locked)])
        #expect(challenge.due == .seconds(689))
        #expect(challenge.apply(.resultAcknowledged, at: .seconds(680)) == [])
        let last = challenge.apply(.request(.show), at: .seconds(681))
        #expect(last == [.finish(.notAuthenticated), .eraseKeys])
    }

    @Test func `gives 600 seconds after each page, also after the decision`() {
        var challenge = asked()
        _ = challenge.apply(.verdict(.approved), at: .seconds(10))
        let page = [Action.showPage(isRepeated: true)]
        #expect(challenge.apply(.request(.show), at: .seconds(600)) == [.wait])
        #expect(challenge.apply(.request(.show, waited: true), at: .seconds(608)) == page)
        #expect(challenge.apply(.clock, at: .seconds(1207)) == [])
        #expect(challenge.apply(.clock, at: .seconds(1208)) == [.eraseKeys])
    }

    @Test(
        arguments: [
            (.errorReceived, .errorReceived), (.requestRefused, .requestRefused),
        ] as [(Challenge.Event, ResultReport)]
    )
    func `ends with an error of either side`(error: Challenge.Event, report: ResultReport) {
        var challenge = asked()
        #expect(
            challenge.apply(error, at: .seconds(6)) == [.withdrawTransaction, .eraseKeys]
        )
        #expect(challenge.apply(error, at: .seconds(7)) == [])
        #expect(challenge.apply(.withdrawn, at: .seconds(7)) == [.sendResult(report)])
        #expect(challenge.apply(.resultAcknowledged, at: .seconds(8)) == [])
        #expect(challenge.state == .ended)
        var decided = asked()
        _ = decided.apply(.verdict(.approved), at: .seconds(6))
        #expect(decided.apply(error, at: .seconds(7)) == [.eraseKeys])
    }

    @Test func `SEC-81: erases its keys even if the last response is never fetched`() {
        var challenge = asked()
        _ = challenge.apply(.verdict(.approved), at: .seconds(10))
        _ = challenge.apply(.resultAcknowledged, at: .seconds(11))
        #expect(challenge.apply(.clock, at: .seconds(610)) == [])
        #expect(challenge.apply(.clock, at: .seconds(611)) == [.eraseKeys])
        #expect(challenge.apply(.request(.show), at: .seconds(612)) == [.sendError(.timedOut)])
    }
}

@Suite struct `A challenge that is withdrawn` {
    private func withdrawing() -> Challenge {
        var challenge = Challenge(.app, at: .zero)
        _ = challenge.apply(.request(.show), at: .seconds(5))
        challenge.noteTransaction()
        #expect(challenge.apply(.clock, at: .seconds(605)) == [.withdrawTransaction, .eraseKeys])
        return challenge
    }

    @Test(arguments: Challenge.Verdict.allCases)
    func `keeps a decision that the person made before`(_ verdict: Challenge.Verdict) {
        var challenge = withdrawing()
        let byPerson: [Challenge.Verdict] = [.approved, .rejected, .suspected]
        let report = byPerson.contains(verdict) ? verdict.report : .expired
        #expect(challenge.apply(.verdict(verdict), at: .seconds(606)) == [.sendResult(report)])
        #expect(challenge.apply(.withdrawn, at: .seconds(607)) == [])
    }

    /// The challenge states the reason before the verifier is called, and so does its stored form.
    @Test(arguments: [Challenge.Verdict.locked, .noDevice, .expired])
    func `keeps the reason why no device can approve`(_ verdict: Challenge.Verdict) throws {
        var challenge = Challenge(.app, at: .zero)
        _ = challenge.apply(.request(.show), at: .seconds(5))
        challenge.noteTransaction()
        let actions = challenge.apply(.unapprovable(verdict), at: .seconds(9))
        #expect(actions == [.withdrawTransaction])
        #expect(challenge.apply(.unapprovable(.noDevice), at: .seconds(10)) == [])
        #expect(challenge.apply(.request(.show), at: .seconds(11)) == [.wait])
        challenge = try #require(Challenge(encoded: challenge.encoded))
        var (late, approved) = (challenge, challenge)
        let result = [Action.sendResult(verdict.report)]
        #expect(challenge.apply(.withdrawn, at: .seconds(12)) == result)
        #expect(challenge.apply(.unapprovable(.noDevice), at: .seconds(12)) == [])
        #expect(late.apply(.clock, at: .seconds(34)) == result)
        let faster = approved.apply(.verdict(.approved), at: .seconds(12))
        #expect(faster == [.sendResult(.approved)])
    }

    @Test func `has no result before the verifier has responded`() {
        var challenge = withdrawing()
        for event in [Challenge.Event.clock, .resultAcknowledged, .errorReceived] {
            #expect(challenge.apply(event, at: .seconds(629)) == [])
        }
        #expect(challenge.state == .withdrawing(.expired))
        #expect(challenge.apply(.withdrawn, at: .seconds(629)) == [.sendResult(.expired)])
    }

    @Test func `has its result after 25 seconds although the verifier does not respond`() {
        var challenge = withdrawing()
        #expect(challenge.due == .seconds(630))
        #expect(challenge.apply(.clock, at: .seconds(630)) == [.sendResult(.expired)])
        #expect(challenge.due == nil)
        #expect(challenge.apply(.verdict(.approved), at: .seconds(636)) == [])
    }

    @Test func `holds the response to a request of the app`() {
        var challenge = Challenge(.app, at: .zero)
        _ = challenge.apply(.request(.show), at: .seconds(5))
        let cancel = Challenge.Event.request(.cancel)
        #expect(challenge.apply(cancel, at: .seconds(6)) == [.withdrawTransaction, .wait])
        #expect(challenge.apply(cancel, at: .seconds(7)) == [.wait])
        let page = [Action.showPage(isRepeated: true)]
        #expect(challenge.apply(.request(.cancel, waited: true), at: .seconds(14)) == page)
        #expect(challenge.apply(.request(.show), at: .seconds(15)) == [.wait])
        #expect(challenge.apply(.verdict(.approved), at: .seconds(16)) == [.sendResult(.approved)])
        #expect(challenge.apply(.resultAcknowledged, at: .seconds(17)) == [])
        let last = challenge.apply(.request(.show), at: .seconds(17))
        #expect(last == [.finish(.authenticated), .eraseKeys])
    }
}

@Suite struct `A challenge in a browser` {
    private func asked() -> Challenge {
        var challenge = Challenge(.browser, at: .zero)
        #expect(
            challenge.apply(.request(.show), at: .seconds(5))
                == [.createTransaction, .showPage(isRepeated: false)]
        )
        challenge.noteTransaction()
        return challenge
    }

    @Test func `has a page while it waits, and then the same last page again and again`() {
        var challenge = asked()
        let page = [Action.showPage(isRepeated: true)]
        #expect(challenge.apply(.request(.show), at: .seconds(6)) == page)
        #expect(challenge.apply(.verdict(.approved), at: .seconds(20)) == [.sendResult(.approved)])
        #expect(challenge.apply(.request(.show), at: .seconds(20)) == page)
        #expect(challenge.apply(.resultAcknowledged, at: .seconds(21)) == [])
        for second in 22...23 {
            let last = challenge.apply(.request(.show), at: .seconds(second))
            #expect(last == [.finish(.authenticated)])
        }
        #expect(challenge.apply(.clock, at: .seconds(621)) == [.eraseKeys])
        #expect(challenge.apply(.request(.show), at: .seconds(622)) == [.sendError(.timedOut)])
    }

    @Test func `is not kept alive by a page that loads itself`() {
        var challenge = asked()
        let page = [Action.showPage(isRepeated: true)]
        #expect(challenge.apply(.request(.load), at: .seconds(600)) == page)
        #expect(challenge.apply(.clock, at: .seconds(605)) == [.withdrawTransaction])
    }

    @Test func `returns to the shop when the time is over`() {
        var challenge = asked()
        #expect(challenge.deadline == .seconds(605))
        #expect(challenge.apply(.clock, at: .seconds(605)) == [.withdrawTransaction])
        #expect(challenge.apply(.withdrawn, at: .seconds(605)) == [.sendResult(.expired)])
        #expect(
            challenge.apply(.request(.show), at: .seconds(606)) == [.showPage(isRepeated: true)]
        )
        #expect(challenge.apply(.resultAcknowledged, at: .seconds(607)) == [])
        #expect(challenge.apply(.request(.show), at: .seconds(608)) == [.finish(.notAuthenticated)])
    }

    @Test func `shows a page after the shopper has cancelled`() {
        var challenge = asked()
        #expect(
            challenge.apply(.request(.cancel), at: .seconds(6))
                == [.withdrawTransaction, .showPage(isRepeated: true)]
        )
        #expect(challenge.apply(.withdrawn, at: .seconds(6)) == [.sendResult(.cancelled)])
        #expect(challenge.apply(.resultAcknowledged, at: .seconds(7)) == [])
        #expect(challenge.apply(.request(.show), at: .seconds(8)) == [.finish(.notAuthenticated)])
    }

    @Test func `ends with an error if its result is never acknowledged`() {
        var challenge = asked()
        _ = challenge.apply(.verdict(.rejected), at: .seconds(10))
        #expect(challenge.apply(.clock, at: .seconds(605)) == [.eraseKeys])
        #expect(
            challenge.apply(.request(.show), at: .seconds(606)) == [.sendError(.transientFailure)]
        )
    }
}

@Suite struct `A challenge of any flow` {
    @Test func `sends one result, whatever happens in which order`() throws {
        var random = SeededGenerator(seed: 23)
        for _ in 0..<(Proof.isComplete ? 100_000 : 1000) {
            var challenge = Challenge(
                Challenge.Flow.allCases.randomElement(using: &random) ?? .app,
                at: .zero
            )
            var now = Duration.zero
            var actions: [Action] = []
            for _ in 0..<20 {
                now += .seconds(Int.random(in: 0...200, using: &random))
                // As after a restart of the ACS.
                var restored = try #require(Challenge(encoded: challenge.encoded))
                let event = event(using: &random)
                let next = challenge.apply(event, at: now)
                #expect(restored.apply(event, at: now) == next)
                #expect(restored.encoded == challenge.encoded)
                actions += next
            }
            let results = actions.count { if case .sendResult = $0 { true } else { false } }
            let ends = actions.count { if case .finish = $0 { true } else { false } }
            #expect(results <= 1)
            #expect(ends <= 1 || challenge.flow == .browser)
            #expect(actions.count { $0 == .createTransaction } <= 2)
            #expect(actions.count { $0 == .withdrawTransaction } <= 1)
            #expect(actions.count { $0 == .eraseKeys } <= 1)
            #expect(isNotifiedWhileAsked(actions), "\(actions)")
            if challenge.state == .ended { #expect(actions.contains(.eraseKeys)) }
            #expect(isErasedInTime(actions), "\(actions)")
            if actions.contains(.finish(.authenticated)) {
                #expect(actions.contains(.sendResult(.approved)))
            }
        }
    }

    /// There is a transaction to notify of, and the page follows.
    private func isNotifiedWhileAsked(_ actions: [Action]) -> Bool {
        actions.indices.filter { actions[$0] == .notifyAgain }.allSatisfy { place in
            let isCreated = actions[..<place].contains(.createTransaction)
            let isOver = actions[..<place].contains { action in
                switch action {
                case .sendResult, .withdrawTransaction, .finish: true
                default: false
                }
            }
            return isCreated && !isOver
                && actions[place...].dropFirst().first == .showPage(isRepeated: true)
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

    private func event(using random: inout SeededGenerator) -> Challenge.Event {
        let events: [Challenge.Event] = [
            .request(.show), .request(.show, waited: true), .request(.load), .request(.resend),
            .request(.cancel), .request(.abandon(isTimeout: true)), .clock, .clock, .unanswered,
            .unanswered, .resultUnacknowledged(.elementInvalid),
            .resultAcknowledged, .errorReceived, .withdrawn, .verdict(.approved),
            .verdict(.rejected), .unapprovable(.locked),
        ]
        return events.randomElement(using: &random) ?? .clock
    }

    @Test func `is not read from other bytes`() throws {
        var challenge = Challenge(.app, at: .seconds(1_800_000_000))
        _ = challenge.apply(.request(.show), at: .seconds(1_800_000_001))
        _ = challenge.apply(.verdict(.locked), at: .seconds(1_800_000_002))
        let bytes = challenge.encoded
        // Without its last time, it is a challenge without a transaction.
        for count in bytes.indices where count != bytes.count - 8 {
            #expect(Challenge(encoded: Array(bytes.prefix(count))) == nil)
        }
        #expect(Challenge(encoded: bytes + [0]) == nil)
        let refused: [(Int, UInt8)] = [
            (0, 1), (0, 3), (1, 3), (2, 1), (2, 6), (2, 7), (3, 0), (3, 15), (5, 1), (6, 128),
        ]
        for (place, byte) in refused {
            var other = bytes
            other[place] = byte
            #expect(Challenge(encoded: other) == nil, "\(place)")
        }
    }
}
