import PrivateFiles
import ServerOperation
import Testing
import TransactionApproval

@Suite struct `A clock that does not go back with the wall clock` {
    private let wall = LockedValue(Timestamp.earliest + .seconds(1000))
    private let uptime = LockedValue(Duration.seconds(10))
    private let clock: ForwardClock

    init() {
        let (wall, uptime) = (wall, uptime)
        clock = ForwardClock(
            wall: { wall.withLock { $0 } },
            uptime: { uptime.withLock { $0 } }
        )
    }

    /// The seconds since 1970, after `seconds` and after a change of the wall clock.
    private func time(after seconds: Double, settingWallBy change: Int = 0) -> Duration {
        uptime.withLock { $0 += .seconds(seconds) }
        wall.withLock { $0 = $0 + (.seconds(seconds) + .seconds(change)) }
        return clock.now.elapsed(since: .earliest)
    }

    @Test func `follows the wall clock`() {
        #expect(time(after: 0) == .seconds(1000))
        #expect(time(after: 5) == .seconds(1005))
        #expect(time(after: 5, settingWallBy: 300) == .seconds(1310))
    }

    @Test func `goes on if the wall clock is set back, until that has caught up`() {
        #expect(time(after: 1, settingWallBy: -600) == .seconds(1001))
        #expect(time(after: 9) == .seconds(1010))
        #expect(time(after: 0, settingWallBy: 700) == .seconds(1110))
    }

    @Test func `loses nothing by many reads`() {
        #expect(time(after: 1, settingWallBy: -600) == .seconds(1001))
        for _ in 0..<4096 { _ = time(after: 1.0 / 4096) }
        #expect(time(after: 0) == .seconds(1002))
    }

    @Test func `follows a wall clock that was far ahead`() {
        #expect(time(after: 0, settingWallBy: 86_400) == .seconds(87_400))
        #expect(time(after: 1, settingWallBy: -86_400) == .seconds(1001))
    }
}
