import PrivateFiles
import Storage
import Testing

@testable import ThreeDSIssuer

@Suite(.onEveryStore) struct `A step of a challenge` {
    private static let count = 32

    @Test func `runs again if another step was faster, so no change is lost`() async throws {
        let world = try await IssuerWorld()
        try await world.addCard()
        let id = try await ModelSDK(in: world).acsTransID
        let runs = LockedValue(0)
        try await withThrowingDiscardingTaskGroup { group in
            for _ in 0..<Self.count {
                group.addTask {
                    _ = try await world.service.step(at: .id(id)) { step throws(StoreFailure) in
                        runs.withLock { $0 += 1 }
                        step.change { $0.failedResults += 1 }
                    }
                }
            }
        }
        let challenge = try #require(try await world.service.authentication(id)?.challenge)
        #expect(challenge.failedResults == Self.count)
        #expect(runs.withLock { $0 } >= Self.count)
    }

    @Test func `writes nothing over a row that was changed since it was read`() async throws {
        let world = try await IssuerWorld()
        try await world.addCard()
        let id = try await ModelSDK(in: world).acsTransID
        let store = world.store
        func row() async throws -> ChallengeRow {
            let found = try await world.database.read { connection throws(StoreFailure) in
                try store.authentications(connection).row(at: .id(id))
            }
            return try #require(found)
        }
        let first = try await row()
        func replace() async throws -> Bool {
            let values = try store.seal.values(of: first.authentication)
            return try await world.database.write { connection throws(StoreFailure) in
                try store.authentications(connection).replace(first, by: values)
            }
        }
        #expect(try await replace())
        let second = try await row()
        #expect(second.content != first.content)
        #expect(try await !replace())
        #expect(try await row().content == second.content)
    }
}
