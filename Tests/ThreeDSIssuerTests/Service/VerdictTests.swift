import JOSE
import Storage
import StrictJSON
import Testing
import ThreeDSProtocol

@testable import ThreeDSIssuer

@Suite(.onAnyStore) struct `SEC-76: A verdict of the verifier` {
    @Test func `counts once, however many tasks find it at the same time`() async throws {
        let world = try await IssuerWorld()
        try await world.addCard()
        let sdk = try await ModelSDK(in: world)
        _ = try await sdk.request()
        world.verifier.approve(sdk.acsTransID)
        try await withThrowingTaskGroup { group in
            for _ in 0..<20 {
                group.addTask { _ = try await world.service.followTransactions(waiting: 0) }
                group.addTask {
                    for result in try await world.service.takeResults() {
                        await world.service.deliver(result)
                    }
                }
            }
            try await group.waitForAll()
        }
        try await world.work()
        #expect(world.directory.results.count == 1)
        let store = world.store
        let page = try await world.database.read { connection throws(StoreFailure) in
            try store.records(connection).records(after: .start, limit: 100)
        }
        #expect(page.records.filter { $0.record.step == .decided }.count == 1)
    }

    @Test func `counts for its own challenge only`() async throws {
        let world = try await IssuerWorld()
        try await world.addCard()
        let first = try await ModelSDK(in: world)
        let id = #""4317fdc3-ad24-5443-8000-000000000892""#
        let second = try await ModelSDK(in: world, .twoTwo, .a128GCM, ["dsTransID": id])
        _ = try await first.request()
        _ = try await second.request()
        world.verifier.approve(second.acsTransID)
        try await world.work()
        #expect(try await first.request()["transStatus"] == nil)
        #expect(try await second.request()["transStatus"]?.text == "Y")
        #expect(world.directory.results.map { $0["acsTransID"]?.text } == [second.acsTransID])
    }
}
