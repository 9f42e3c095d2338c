import Testing
import TransactionApproval

@testable import Verification

@Suite struct `The rate limit of pushes` {
    private let start = Timestamp.earliest + .seconds(1_800_000_000)

    @Test func `SEC-33: a minute's worth can go out at once or evenly, and no more`() {
        let budget = PushBudget(perMinute: 60)
        for _ in 0..<60 { #expect(budget.take(at: start) == nil) }
        #expect(budget.take(at: start) == start + .seconds(1))
        // The refused one did not count.
        #expect(budget.take(at: start) == start + .seconds(1))
        #expect(budget.take(at: start + .milliseconds(999)) == start + .seconds(1))
        #expect(budget.take(at: start + .seconds(1)) == nil)
        #expect(budget.take(at: start + .seconds(1)) == start + .seconds(2))
    }

    @Test func `SEC-33: the limit is fully replenished after a minute, and never beyond`() {
        let budget = PushBudget(perMinute: 2)
        for moment in [start, start + .seconds(3600)] {
            for _ in 0..<2 { #expect(budget.take(at: moment) == nil) }
            #expect(budget.take(at: moment) == moment + .seconds(30))
        }
    }

    @Test func `SEC-33: fractions of a millisecond count`() {
        let budget = PushBudget(perMinute: 1_000_000)
        for _ in 0..<1_000_000 { guard budget.take(at: start) == nil else { break } }
        #expect(budget.take(at: start) != nil)
        #expect(budget.take(at: start + .milliseconds(1)) == nil)
    }
}
