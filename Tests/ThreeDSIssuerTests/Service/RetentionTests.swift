import JOSE
import PrivateFiles
import Storage
import StrictJSON
import Testing
import ThreeDSProtocol
import Transactions
import VerifierWorld

@testable import ThreeDSIssuer

@Suite(.onAnyStore, .timeLimit(.minutes(5))) struct `The retention of authentications` {
    private static let day = 86_400

    private func isKept(_ sdk: ModelSDK, in world: IssuerWorld) async throws -> Bool {
        let id = sdk.acsTransID
        let rows = try await world.database.read { connection throws(StoreFailure) in
            try connection.rows(Statement("SELECT \([Column.sealed]) FROM responses"), []).count
        }
        let row = try await world.service.authentication(id)
        #expect(rows == (row == nil ? 0 : 1))
        return row != nil
    }

    /// A world whose directory server is away when a purchase is approved.
    private func worldWithDueResult() async throws -> (IssuerWorld, ModelSDK) {
        let world = try await IssuerWorld()
        try await world.addCard()
        let sdk = try await ModelSDK(in: world)
        _ = try await sdk.request()
        world.directory.set(isReachable: false)
        world.verifier.approve(sdk.acsTransID)
        try await world.work()
        return (world, sdk)
    }

    @Test func `does not end while the directory does not have the result`() async throws {
        let (world, sdk) = try await worldWithDueResult()
        world.advance(seconds: 98 * Self.day)
        try await world.service.removeOld(at: world.service.clock())
        #expect(try await isKept(sdk, in: world))
        world.directory.set(isReachable: true)
        try await world.work()
        #expect(world.directory.results.last?["transStatus"]?.text == "Y")
        try await world.service.removeOld(at: world.service.clock())
        #expect(try await !isKept(sdk, in: world))
    }

    /// Another program can make a row unreadable, so that its result stays due.
    @Test func `ends after twice the time for a result that stays due`() async throws {
        let (world, sdk) = try await worldWithDueResult()
        for isKept in [true, false] {
            world.advance(seconds: 97 * Self.day + 3600)
            try await world.service.removeOld(at: world.service.clock())
            #expect(try await self.isKept(sdk, in: world) == isKept)
        }
    }

    @Test func `does not end because the clock is far ahead at a start`() async throws {
        let world = try await IssuerWorld()
        try await world.addCard()
        let made = world.service.clock()
        let sdk = try await ModelSDK(in: world)
        world.advance(seconds: 400 * Self.day)
        let restarted = try await IssuerWorld(restarting: world)
        let clock = try await restarted.service.retentionClock()
        #expect(clock.lastBeforePause == made)
        try await restarted.service.removeOld(at: clock.now)
        #expect(try await isKept(sdk, in: restarted))
    }

    @Test func `ends after a pause of the ACS at the next start`() async throws {
        let world = try await IssuerWorld()
        try await world.addCard()
        let sdk = try await ModelSDK(in: world)
        world.advance(seconds: 98 * Self.day)
        let other = #""4317fdc3-ad24-5443-8000-000000000011""#
        _ = try await ModelSDK(in: world, .twoTwo, .a128GCM, ["dsTransID": other])
        let clock = try await world.service.retentionClock()
        #expect(clock.lastBeforePause == nil)
        try await world.service.removeOld(at: clock.now)
        #expect(try await world.service.authentication(sdk.acsTransID) == nil)
    }
}

@Suite(.onAnyStore) struct `The removal of old rows` {
    /// Runs before each write, once there are old rows.
    @TaskLocal private static var beforeWrite: (@Sendable (any Database) async throws -> Void)?
    private let world: IssuerWorld

    /// Five old rows in each table.
    init() async throws {
        world = try await IssuerWorld.over { store in
            InterleavedDatabase(store) { try await Self.beforeWrite?(store) }
        }
        try await world.addCard()
        let (store, now) = (world.store, world.service.clock())
        for number in 1...5 {
            let id = "4317fdc3-ad24-5443-8000-00000000001\(number)"
            let request = SampleRequest(.twoTwo, .browser, .payment, ["dsTransID": #""\#(id)""#])
            _ = try await world.answer(request)
            try await world.database.write { connection throws(StoreFailure) in
                try store.events(connection).add(StoredEvent(of: id, [], at: now))
                try store.checks(connection).add(
                    StoredCheck(call: [], result: CheckResult(verdict: .unknown)),
                    IdempotencyKey(checked: id),
                    at: now
                )
            }
        }
        world.advance(seconds: 98 * 86_400)
    }

    private static func rowCount(of database: any Database) async throws -> Int {
        try await database.read { connection throws(StoreFailure) in
            try connection.rows(.everyRow, []).count
        }
    }

    @Test func `lets other writes run after each batch`() async throws {
        let counts = LockedValue<[Int]>([])
        try await Self.$beforeWrite.withValue({ store in
            let count = try await Self.rowCount(of: store)
            counts.withLock { $0.append(count) }
            try await store.write { connection throws(StoreFailure) in
                _ = try connection.run(.touchCards, [])
            }
        }) {
            try await world.service.removeOld(at: world.service.clock(), batch: 2)
        }
        #expect(counts.withLock { $0 } == [20, 16, 12, 10, 8, 6, 5, 3, 1])
        #expect(try await Self.rowCount(of: world.database) == 0)
    }

    @Test func `ends after the batch if its task is cancelled`() async throws {
        let removal = Task { [service = world.service] in
            try await Self.$beforeWrite.withValue({ _ in withUnsafeCurrentTask { $0?.cancel() } }) {
                try await service.removeOld(at: service.clock(), batch: 2)
            }
        }
        try await removal.value
        #expect(try await Self.rowCount(of: world.database) == 16)
    }
}

extension Statement {
    fileprivate static let everyRow = Statement(
        """
        SELECT made FROM authentications UNION ALL SELECT made FROM responses
        UNION ALL SELECT made FROM notifications UNION ALL SELECT made FROM checks
        """
    )
    fileprivate static let touchCards = Statement("UPDATE cards SET sealed = sealed")
}

@Suite struct `The clock of the retention` {
    private let wall = LockedValue(Timestamp.earliest + .seconds(1_795_000_000))
    private let uptime = LockedValue(Duration.zero)

    private func clock(after pause: Duration) -> RetentionClock {
        let newest = wall.withLock { $0 } - pause
        return RetentionClock(
            { [wall] in wall.withLock { $0 } },
            after: newest,
            uptime: { [uptime] in uptime.withLock { $0 } }
        )
    }

    @Test func `is the time after a pause of up to a day`() {
        let clock = clock(after: RetentionClock.maximumPause)
        #expect(clock.now == wall.withLock { $0 })
        #expect(clock.lastBeforePause == nil)
    }

    @Test func `begins a day after the newest authentication after a longer pause`() {
        let start = wall.withLock { $0 }
        let clock = clock(after: .seconds(10 * 86_400))
        #expect(clock.now == start - .seconds(9 * 86_400))
        #expect(clock.lastBeforePause == start - .seconds(10 * 86_400))
        uptime.withLock { $0 = .seconds(3600) }
        #expect(clock.now == start - .seconds(9 * 86_400) + .seconds(3600))
    }

    @Test func `passes again after a clock that was behind is set`() {
        let start = wall.withLock { $0 }
        let clock = clock(after: .seconds(-400 * 86_400))
        #expect(clock.now == start)
        #expect(clock.lastBeforePause == nil)
        wall.withLock { $0 = start + .seconds(401 * 86_400) }
        uptime.withLock { $0 = .seconds(3600) }
        #expect(clock.now == start + .seconds(400 * 86_400 + 3600))
    }

    @Test func `passes no faster than the process runs`() {
        let start = wall.withLock { $0 }
        let clock = clock(after: .zero)
        wall.withLock { $0 = start + .seconds(400 * 86_400) }
        uptime.withLock { $0 = .seconds(3600) }
        #expect(clock.now == start + .seconds(3600))
        wall.withLock { $0 = start + .seconds(60) }
        #expect(clock.now == start + .seconds(60))
    }
}
