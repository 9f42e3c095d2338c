import BankIntegration
import Foundation
import HTTPClient
import JOSE
import PrivateFiles
import Storage
import StrictJSON
import TestSupport
import Testing
import ThreeDSProtocol
import Transactions

@testable import ThreeDSIssuer

@Suite(.onAnyStore, .timeLimit(.minutes(5))) struct `The event of a result` {
    private let receiver: TestServer
    private let world: IssuerWorld
    private let client: IssuerClient
    /// The clock of the webhook.
    private let moment: LockedValue<ContinuousClock.Instant>

    init() async throws {
        receiver = try TestServer(nil, ["--relay"])
        let secret = Array(("whsec_" + String(repeating: "QUJD", count: 8)).utf8)
        // A receiver that is slow gets a pause. A busy machine must not look like one.
        let moment = LockedValue(ContinuousClock.now)
        self.moment = moment
        let webhook = Webhook(
            receiver.url("/cards", scheme: "http", host: "127.0.0.1"),
            signingWith: [try WebhookSecret(text: secret.span)],
            over: try .forDeliveries(trusting: nil),
            clock: { moment.withLock { $0 } }
        )
        world = try await IssuerWorld(notifying: webhook)
        try await world.addCard()
        client = try IssuerClient(world)
    }

    /// A challenge that the person decides with these members of the verifier's end.
    private func decide(_ end: String) async throws -> String {
        let sdk = try await ModelSDK(in: world)
        _ = try await sdk.request()
        world.verifier.end(sdk.acsTransID, as: end)
        try await world.work()
        return sdk.acsTransID
    }

    private static let approved = #""state":"approved","approvedWith":"biometric""#

    /// Sends what is due; the receiver responds with these statuses, and the requests are returned.
    private func deliver(
        _ statuses: Int...,
        fields: [String] = []
    ) async throws -> [TestServer.Request] {
        try await deliver(statuses, fields: fields)
    }

    private func deliver(
        _ statuses: [Int],
        fields: [String] = []
    ) async throws -> [TestServer.Request] {
        async let sending: Void = world.service.deliverEvents()
        var requests: [TestServer.Request] = []
        for status in statuses {
            requests.append(try await receiver.request())
            try receiver.respond(status, "", fields)
        }
        try await sending
        return requests
    }

    private func listed(_ query: String = "") async throws -> [[String: Any]] {
        let list = await client.call("GET", "/acs/v1/notifications" + query)
        #expect(list.status == 200, "\(list.text)")
        return try #require(list["notifications"] as? [[String: Any]])
    }

    private func steps() async throws -> [IssuerRecord.Step] {
        let store = world.store
        let page = try await world.database.read { connection throws(StoreFailure) in
            try store.records(connection).records(after: .start, limit: 100)
        }
        return page.records.map(\.record.step)
    }

    @Test func `has the authentication, and neither number nor value`() async throws {
        let id = try await decide(Self.approved)
        let request = try #require(try await deliver(204).first)
        #expect(request.target == "/cards" && request["type"] as? String == "card.authenticated")
        #expect(request["timestamp"] as? String == "2026-11-18T11:06:40.000Z")
        let members: [String: String] = [
            "acsTransID": id, "status": "Y", "method": "biometric", "account": "bank/main/4711",
            "card": "card-1", "lastFour": "5556",
            "transaction": try #require(world.verifier.transaction(id)),
        ]
        for (name, value) in members {
            #expect(request["data", name] as? String == value, "\(name)")
        }
        #expect(request["data", "notMe"] as? Bool == false && request["data", "reason"] == nil)
        #expect(request["data", "amount", "currency"] as? String == "EUR")
        #expect(request["data", "merchant"] as? String != nil)
        let text = String(decoding: request.body, as: UTF8.self)
        let value = try #require(world.directory.results.first?["authenticationValue"]?.text)
        #expect(!text.contains(SampleRequest.number) && !text.contains(value))
        #expect(try await listed().isEmpty)
        #expect(try await steps().last == .eventDelivered)
    }

    /// The row of another program must prevent neither the result nor the event.
    @Test func `replaces a row that was forged before the decision`() async throws {
        let sdk = try await ModelSDK(in: world)
        _ = try await sdk.request()
        try await world.database.write { connection throws(StoreFailure) in
            _ = try connection.run(.forgeEvents, [])
        }
        let store = world.store
        let counts = try await world.database.read { connection throws(StoreFailure) in
            try store.givenUpEvents(connection)
        }
        #expect(counts.events == 0 && counts.unreadable == 1)
        world.verifier.approve(sdk.acsTransID)
        try await world.work()
        #expect(world.directory.results.count == 1)
        let request = try #require(try await deliver(204).first)
        #expect(request["data", "acsTransID"] as? String == sdk.acsTransID)
    }

    @Test func `SEC-86: reports that the person did not make the purchase`() async throws {
        _ = try await decide(#""state":"rejected","rejectedFor":"notMe""#)
        let request = try #require(try await deliver(200).first)
        #expect(request["data", "notMe"] as? Bool == true)
        #expect(request["data", "status"] as? String == "N")
        #expect(request["data", "reason"] as? String == "11")
        #expect(request["data", "method"] == nil)
    }

    @Test func `is sent for results without a challenge`() async throws {
        let world = try await IssuerWorld(notifying: world.service.webhook) {
            $0.lowValue = Currency("EUR").map { LowValueRule($0, maximumCount: 2) }
        }
        try await world.addCard()
        let request = SampleRequest(.twoTwo, .browser, .payment, ["purchaseAmount": #""2000""#])
        #expect(try await world.answer(request)["transStatus"]?.text == "Y")
        let store = world.store
        let stored = try await world.database.read { connection throws(StoreFailure) in
            try store.events(connection).events(nil, after: nil, limit: 10)
        }
        let text = String(decoding: try #require(stored.elements.first).body, as: UTF8.self)
        #expect(text.contains(#""method":"exemption""#) && text.contains(#""status":"Y""#))
        #expect(text.contains(#""amount":{"currency":"EUR""#))
    }

    @Test func `is sent for a blocked card, and not for an unknown one`() async throws {
        _ = await client.call("PUT", "/acs/v1/cards/card-1/block")
        #expect(try await world.answer(SampleRequest())["transStatus"]?.text == "N")
        #expect(try await listed().count == 1)
        _ = await client.call("DELETE", "/acs/v1/cards/card-1")
        let id = #""4317fdc3-ad24-5443-8000-000000000892""#
        let unknown = SampleRequest(.twoTwo, .browser, .payment, ["dsTransID": id])
        #expect(try await world.answer(unknown)["transStatus"]?.text == "N")
        #expect(try await listed().count == 1)
    }

    @Test func `is sent again with the same id, after growing pauses`() async throws {
        let id = try await decide(Self.approved)
        var names: Set<String?> = []
        var last = 0
        for tries in 1...6 {
            let request = try #require(try await deliver(500).first)
            names.insert(request.field("webhook-id"))
            #expect(try await listed("?state=waiting").first?["tries"] as? Int == tries)
            // Nothing is sent before its time.
            try await world.service.deliverEvents()
            let pause = 1 << tries
            #expect(pause > last)
            last = pause
            world.advance(seconds: pause)
        }
        names.insert(try #require(try await deliver(204).first).field("webhook-id"))
        #expect(names == ["msg_" + id.replacing("-", with: "")])
        #expect(try await listed().isEmpty)
    }

    @Test func `waits for the Retry-After of the receiver`() async throws {
        _ = try await decide(Self.approved)
        _ = try await deliver(503, fields: ["Retry-After: 600"])
        let due = try #require(try await listed().first?["due"] as? String)
        #expect(due == "2026-11-18T11:16:40.000Z")
    }

    @Test func `is not written while its receiver is in a cooldown`() async throws {
        _ = try await decide(Self.approved)
        _ = try await deliver(503, fields: ["Retry-After: 600"])
        try await addEvents()
        let before = try await contents()
        #expect(before.count == 41)
        for _ in 0..<5 {
            world.advance(seconds: 60)
            moment.withLock { $0 += .seconds(60) }
            try await world.service.deliverEvents()
        }
        #expect(try await contents() == before)

        world.advance(seconds: 300)
        moment.withLock { $0 += .seconds(300) }
        _ = try await deliver(Array(repeating: 204, count: 41))
        #expect(try await contents().isEmpty)
    }

    @Test func `is not written in the round in which its receiver fails`() async throws {
        try await addEvents()
        let before = try await contents()
        let responses = Task {
            while true {
                _ = try await receiver.request()
                try receiver.respond(503, "", ["Retry-After: 600"])
            }
        }
        try await world.service.deliverEvents()
        responses.cancel()
        // Some of them were under way.
        #expect((1...16).contains(try await contents().subtracting(before).count))
    }

    /// More events than are sent at the same time.
    private func addEvents() async throws {
        let (store, now) = (world.store, world.service.clock())
        try await world.database.write { connection throws(StoreFailure) in
            for number in 10..<50 {
                let id = "2f37539c-d82e-4929-88db-2f9e72c7fa\(number)"
                let event = StoredEvent(of: id, Array("{}".utf8), at: now)
                try store.events(connection).add(event)
            }
        }
    }

    /// The sealed contents of all events; each write makes another one.
    private func contents() async throws -> Set<SQLValue> {
        try await world.database.read { connection throws(StoreFailure) in
            let rows = try connection.rows(.contents, [])
            return Set(try rows.map { row throws(StoreFailure) in try row[.sealed] })
        }
    }

    @Test func `is given up after three days, listed and sent again on request`() async throws {
        let id = try await decide(Self.approved)
        _ = try await deliver(500)
        world.advance(seconds: 3 * 86_400)
        _ = try await deliver(500)
        #expect(try await listed("?state=waiting").isEmpty)
        let lost = try #require(try await listed("?state=givenUp").first)
        #expect(lost["acsTransID"] as? String == id && lost["due"] == nil)
        #expect(try await steps().last == .eventGivenUp)
        world.advance(seconds: 86_400)
        try await world.service.deliverEvents()
        let path = "/acs/v1/notifications/\(id)/retry"
        #expect(await client.call("PUT", path).status == 204)
        let request = try #require(try await deliver(204).first)
        #expect(request["timestamp"] as? String == "2026-11-18T11:06:40.000Z")
        let gone = await client.call("PUT", path)
        #expect(gone.status == 404 && gone["resource"] as? String == "notification")
    }

    @Test func `is sent by one of several nodes, and again if that node ends`() async throws {
        _ = try await decide(Self.approved)
        let first = Task { try await world.service.deliverEvents() }
        let request = try await receiver.request()
        // The first node waits for a response, so the others find nothing.
        for _ in 0..<5 { try await world.service.deliverEvents() }
        // Its lease ends: for the others it has crashed.
        world.advance(seconds: 16)
        let lease = await client.call("GET", "/acs/v1/notifications").text
        let second = Task { try await world.service.deliverEvents() }
        // The receiver gets the second delivery only after it has responded to the first one.
        try await waitUntil { await client.call("GET", "/acs/v1/notifications").text != lease }
        try receiver.respond(204)
        try await first.value
        let repeated = try await receiver.request()
        #expect(repeated.field("webhook-id") == request.field("webhook-id"))
        #expect(repeated.body == request.body)
        try receiver.respond(204)
        try await second.value
        #expect(try await steps().filter { $0 == .eventDelivered }.count == 1)
    }

    @Test func `SEC-101: is not sent if another program wrote it, and stops no other`() async throws
    {
        _ = try await decide(Self.approved)
        _ = try await world.database.write { connection throws(StoreFailure) in
            try connection.run(Statement("UPDATE notifications SET made = made + 1"), [])
        }
        try await world.service.deliverEvents()
        let id = #""4317fdc3-ad24-5443-8000-000000000892""#
        let other = try await ModelSDK(in: world, .twoTwo, .a128GCM, ["dsTransID": id])
        _ = try await other.request()
        world.verifier.end(other.acsTransID, as: Self.approved)
        try await world.work()
        let request = try #require(try await deliver(204).first)
        #expect(request["data", "acsTransID"] as? String == other.acsTransID)
    }

    @Test func `does not exist without a receiver`() async throws {
        let world = try await IssuerWorld()
        try await world.addCard()
        let sdk = try await ModelSDK(in: world)
        _ = try await sdk.request()
        world.verifier.approve(sdk.acsTransID)
        try await world.work()
        let list = await (try IssuerClient(world)).call("GET", "/acs/v1/notifications")
        #expect(list.text == #"{"notifications":[]}"#)
    }
}

extension Statement {
    fileprivate static let contents = Statement("SELECT \([Column.sealed]) FROM notifications")
}

extension Statement {
    fileprivate static let forgeEvents = Statement(
        """
        INSERT INTO notifications (authentication, made, due, sealed)
        SELECT id, 1, NULL, sealed FROM authentications
        """
    )
}
