import Testing
import ThreeDSIssuer

@testable import countersign_acs

@Suite struct `Failures in the log of an ACS` {
    private let failures = RecentFailures()
    private let start = ContinuousClock.now

    private func line(about number: Int, after seconds: Int = 0) -> RecentFailures.Line? {
        failures.line(
            about: .resultGivenUp(authentication: "\(number)"),
            at: start + .seconds(seconds)
        )
    }

    @Test func `have a line once a minute each`() {
        #expect(line(about: 1) == .failure)
        #expect(line(about: 1, after: 59) == nil)
        #expect(line(about: 2, after: 59) == .failure)
        #expect(line(about: 1, after: 60) == .failure)
        #expect(line(about: 1, after: 119) == nil)
    }

    @Test func `have one line for all further ones if they are many`() {
        let count = RecentFailures.maximumCount
        let logged = (0..<count).map { line(about: $0, after: $0 % 30) }
        #expect(logged.allSatisfy { $0 == .failure })
        #expect(line(about: count, after: 30) == .furtherFailures)
        let further = (0...(2 * count)).compactMap { line(about: $0, after: 59) }
        #expect(further.isEmpty)
        #expect(line(about: 0, after: 60) == .failure)
    }
}
