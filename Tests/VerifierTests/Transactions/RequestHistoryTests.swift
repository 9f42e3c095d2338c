import Testing
import TransactionApproval
import Verifier

private let start = Timestamp.latest - .seconds(1_000_000_000)
private let minute = Duration.seconds(60)
private let day = minute * 60 * 24

@Suite struct `Requests to a person` {
    @Test func `SEC-33: at most three wait at the same time`() {
        var history = RequestHistory()
        #expect(history.ask(at: start, pending: 2, by: .standard) == .allowed(notifies: true))
        #expect(history.ask(at: start, pending: 3, by: .standard) == .tooManyPending)
    }

    @Test func `SEC-33: the sixth within ten minutes is refused`() {
        var history = RequestHistory()
        for index in 0..<5 {
            let moment = start + minute * index
            #expect(history.ask(at: moment, pending: 0, by: .standard) == .allowed(notifies: true))
        }
        let end = start + minute * 10
        #expect(
            history.ask(at: end - .milliseconds(1), pending: 0, by: .standard)
                == .tooMany(until: end)
        )
        #expect(history.ask(at: end, pending: 0, by: .standard) == .allowed(notifies: true))
    }

    @Test func `SEC-33: the 21st within a day is refused unless one was approved`() {
        var history = RequestHistory()
        for index in 0..<20 {
            let moment = start + minute * 11 * index
            #expect(history.ask(at: moment, pending: 0, by: .standard) == .allowed(notifies: true))
        }
        let end = start + day
        var approved = history
        approved.approve()
        let late = end - .milliseconds(1)
        #expect(approved.ask(at: late, pending: 0, by: .standard) == .allowed(notifies: true))
        #expect(history.ask(at: late, pending: 0, by: .standard) == .tooMany(until: end))
        #expect(history.ask(at: end, pending: 0, by: .standard) == .allowed(notifies: true))
    }

    @Test func `SEC-33: a refused one does not count`() {
        var history = RequestHistory()
        for _ in 0..<5 { _ = history.ask(at: start, pending: 0, by: .standard) }
        let before = history
        for _ in 0..<100 { _ = history.ask(at: start, pending: 0, by: .standard) }
        #expect(history == before)
    }

    @Test func `SEC-33: "not me" mutes for 24 hours`() {
        var history = RequestHistory()
        history.mute(at: start)
        let end = start + day
        let late = end - .milliseconds(1)
        #expect(history.ask(at: late, pending: 0, by: .standard) == .allowed(notifies: false))
        #expect(history.ask(at: end, pending: 0, by: .standard) == .allowed(notifies: true))
    }

    @Test func `may be limited more strictly, never less`() throws {
        let strict = try PushPolicy(pending: 1, inTenMinutes: 1, inADay: 2)
        var history = RequestHistory()
        #expect(history.ask(at: start, pending: 1, by: strict) == .tooManyPending)
        #expect(history.ask(at: start, pending: 0, by: strict) == .allowed(notifies: true))
        #expect(
            history.ask(at: start, pending: 0, by: strict) == .tooMany(until: start + minute * 10)
        )
        #expect(throws: PushPolicy.Failure.pending) { try PushPolicy(pending: 4) }
        #expect(throws: PushPolicy.Failure.inTenMinutes) { try PushPolicy(inTenMinutes: 6) }
        #expect(throws: PushPolicy.Failure.inADay) { try PushPolicy(inADay: 21) }
        #expect(throws: PushPolicy.Failure.pending) { try PushPolicy(pending: 0) }
    }
}
