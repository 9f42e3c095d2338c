import Testing
import TransactionApproval

@testable import VerifierServer

@Suite struct `Cooldowns of the hosts of push services` {
    private let cooldowns = HostCooldowns()
    private let start = ContinuousClock.now

    private func host(_ number: Int) throws -> ServerOrigin {
        try #require(ServerOrigin("https://h\(number).push.example"))
    }

    private func remaining(_ number: Int, after time: Duration = .zero) throws -> Duration? {
        cooldowns.remaining(of: try host(number), at: start + time)
    }

    private func begin(
        for duration: Duration,
        of number: Int,
        after time: Duration = .zero
    ) throws {
        cooldowns.begin(for: duration, of: try host(number), at: start + time)
    }

    @Test func `are apart, are never shortened, and end`() throws {
        try begin(for: .seconds(10), of: 1)
        try begin(for: .seconds(5), of: 1)
        #expect(try remaining(1, after: .seconds(4)) == .seconds(6))
        #expect(try remaining(1, after: .seconds(10)) == nil)
        #expect(try remaining(2) == nil)
        try begin(for: .zero, of: 2)
        #expect(cooldowns.count == 1)
    }

    @Test func `last one hour at most`() throws {
        try begin(for: .seconds(1 << 40), of: 1)
        #expect(try remaining(1) == .seconds(60 * 60))
    }

    /// A device could name one host after the other.
    @Test func `have a maximum count: the one that ends first is forgotten`() throws {
        let last = HostCooldowns.maximumCount
        for number in 0...last { try begin(for: .seconds(100 + number), of: number) }
        #expect(cooldowns.count == HostCooldowns.maximumCount)
        #expect(try remaining(0) == nil)
        for number in [1, last] { #expect(try remaining(number) == .seconds(100 + number)) }
        // A known host needs no room.
        try begin(for: .seconds(1000), of: last)
        #expect(try remaining(1) != nil)
        // All others have ended.
        try begin(for: .seconds(1), of: 0, after: .seconds(100 + last))
        #expect(cooldowns.count == 2)
    }
}
