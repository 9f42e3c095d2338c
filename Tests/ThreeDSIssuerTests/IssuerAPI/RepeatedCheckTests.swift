import HTTPServer
import Storage
import StrictJSON
import Testing
import ThreeDSProtocol
import Transactions

@testable import ThreeDSIssuer

@Suite(.onEveryStore) struct `A check of a value with an idempotency key` {
    private static let check = "/acs/v1/authentication-values/check"
    private let client: IssuerClient
    /// A check of the value of an approved purchase.
    private let content: String
    /// The transaction of the approval.
    private let transaction: String

    init() async throws {
        let world = try await IssuerWorld()
        try await world.addCard()
        let sdk = try await ModelSDK(in: world)
        _ = try await sdk.request()
        world.verifier.approve(sdk.acsTransID)
        try await world.work()
        let result = try #require(world.directory.results.last)
        let value = try #require(result["authenticationValue"]?.text)
        let id = try #require(result["dsTransID"]?.text)
        transaction = try #require(world.verifier.transaction(sdk.acsTransID))
        content = """
            {"value":"\(value)","dsTransID":"\(id)","card":"card-1",\
            "amount":{"currency":"EUR","minorUnits":1}}
            """
        client = try IssuerClient(world)
    }

    private func check(_ content: String? = nil, _ keys: String...) async -> IssuerClient.Reply {
        let fields = keys.map { Field("Idempotency-Key", $0) }
        return await client.call("POST", Self.check, content ?? self.content, fields)
    }

    private func text(_ verdict: AuthenticationValueVerdict) -> String {
        """
        {"verdict":"\(verdict.rawValue)","approval":{"account":"bank/main/4711",\
        "transaction":"\(transaction)","method":"userPIN"}}
        """
    }

    @Test func `returns the first verdict again, and uses the value once`() async throws {
        let first = await check(nil, "order-1")
        #expect(first.text == text(.valid) && first.field("idempotent-replayed") == nil)
        for _ in 0..<3 {
            let repeated = await check(nil, "order-1")
            #expect(repeated.text == first.text && repeated.status == 200)
            #expect(repeated.field("idempotent-replayed") == "true")
            #expect(repeated.outcome == "valid")
        }
        #expect(await check(nil, "order-2").text == text(.alreadyUsed))
        #expect(await check(nil, "order-2").text == text(.alreadyUsed))
        #expect(await check().text == text(.alreadyUsed))
        let store = client.world.store
        let page = try await client.world.database.read { connection throws(StoreFailure) in
            try store.records(connection).records(after: .start, limit: 100)
        }
        #expect(page.records.filter { $0.record.step == .valueUsed }.count == 1)
    }

    @Test func `refuses another content under its key`() async {
        _ = await check(nil, "order-1")
        for other in [
            content.replacing(#""minorUnits":1"#, with: #""minorUnits":2"#), content + " ",
        ] {
            let reused = await check(other, "order-1")
            #expect(reused.status == 422 && reused["code"] as? String == "idempotencyKeyReused")
        }
        #expect(await check(nil, "order-1").text == text(.valid))
    }

    @Test func `has one valid key at most`() async {
        for keys in [[""], ["a b"], ["\u{e9}"], [String(repeating: "a", count: 65)], ["a", "b"]] {
            let fields = keys.map { Field("Idempotency-Key", $0) }
            let reply = await client.call("POST", Self.check, content, fields)
            #expect(reply.status == 400 && reply["code"] as? String == "idempotencyKeyMalformed")
        }
        #expect(await check(nil, String(repeating: "a", count: 64)).status == 200)
        #expect(await check("{}", "order-1").status == 422)
        // A refused content does not use up its key.
        #expect(await check(nil, "order-1").text == text(.alreadyUsed))
    }

    @Test func `gets one verdict however many nodes have it at the same time`() async {
        let replies = await withTaskGroup { group in
            for _ in 0..<20 { group.addTask { await check(nil, "order-1") } }
            return await group.reduce(into: [IssuerClient.Reply]()) { $0.append($1) }
        }
        #expect(replies.allSatisfy { $0.text == text(.valid) })
        #expect(replies.filter { $0.field("idempotent-replayed") == nil }.count == 1)
    }

    @Test func `is kept for seven days`() async throws {
        _ = await check(nil, "order-1")
        client.world.advance(seconds: 7 * 86_400 - 1)
        try await client.world.service.removeOld(at: client.world.service.clock())
        #expect(await check(nil, "order-1").text == text(.valid))
        client.world.advance(seconds: 2)
        try await client.world.service.removeOld(at: client.world.service.clock())
        #expect(await check(nil, "order-1").text == text(.alreadyUsed))
    }

    @Test func `is kept for a limited number of calls`() async throws {
        let (store, database) = (client.world.store, client.world.database)
        let kept = try await database.write { connection throws(StoreFailure) in
            let table = store.checks(connection)
            var keys: [IdempotencyKey] = []
            for number in 0..<10 {
                keys.append(IdempotencyKey(checked: "key-\(number)"))
                try table.add(
                    StoredCheck(call: [1], result: CheckResult(verdict: .unknown)),
                    keys[number],
                    at: .earliest,
                    keeping: 4
                )
            }
            return try keys.map { key throws(StoreFailure) in try table.check(key) != nil }
        }
        #expect(kept == [false, false, false, false, false, false, true, true, true, true])
    }

    @Test func `SEC-101: does not believe a verdict that another program wrote`() async throws {
        _ = await check(nil, "order-1")
        _ = try await client.world.database.write { connection throws(StoreFailure) in
            try connection.run(Statement("UPDATE checks SET made = made + 1"), [])
        }
        #expect(await check(nil, "order-1").status == 503)
    }
}
