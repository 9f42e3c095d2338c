import Foundation
import ProgramTesting
import TestSupport
import Testing

@Suite(
    .needsReferenceCheckers,
    .enabled(if: PostgresServer.isInstalled, "PostgreSQL is not installed"),
    .timeLimit(.minutes(10))
)
struct `The events of two nodes of an ACS` {
    /// The minimum number of events: challenges that nothing continues can add three of them.
    private static let events = 97

    private func premises(notifying receiver: EventReceiver) throws -> IssuerPremises {
        let authority = try Certificates.shared.get().path(.authority)
        let connection = try PostgresServer.shared().makeDatabase()
        return try IssuerPremises(
            """

            "notifications": {
                "url": "\(receiver.url)", "secrets": ["webhook-secret"],
                "authorities": "\(authority)"
            },
            """,
            storingIn: #"{"postgresql": "\#(connection)"}"#,
            files: ["webhook-secret": "whsec_" + String(repeating: "QUJD", count: 8) + "\n"]
        )
    }

    /// Sends AReqs to the nodes in turn, most of which are refused.
    private func makeEvents(in premises: IssuerPremises, _ second: SecondNode) throws {
        let urls = [premises.ports, second.ports].map(\.directoryURL)
        let outcomes = try ConcurrentPurchases(in: premises).outcomes(100, to: urls)
        #expect(outcomes == ["C": 3, "N/04": Self.events])
    }

    /// Waits until the issuer has all events, and stops the second node.
    private func finish(_ premises: IssuerPremises, _ second: SecondNode) async throws {
        let programs = try IssuerPrograms(of: premises, at: second.ports)
        try await waitUntil {
            try programs.send("GET", "/notifications").body == #"{"notifications":[]}"#
        }
        // A delivery in progress ends before the process does.
        #expect(second.process.stop() == 0)
    }

    /// How many events the record has as delivered.
    private func recorded(in premises: IssuerPremises) throws -> Int {
        let list = try premises.folder.run("audit", "list", "--json")
        return list.output.matches(of: /"step":"eventDelivered"/).count
    }

    @Test func `are delivered once each`() async throws {
        let receiver = try await EventReceiver()
        let premises = try premises(notifying: receiver)
        let second = try SecondNode(of: premises)
        try makeEvents(in: premises, second)
        try await finish(premises, second)
        _ = try premises.stop()
        let deliveries = receiver.deliveries
        #expect(deliveries.count >= Self.events)
        #expect(Set(deliveries.map(\.id)).count == deliveries.count)
        #expect(try recorded(in: premises) == deliveries.count)
    }

    @Test func `come from the other node if one is killed during a delivery`() async throws {
        let receiver = try await EventReceiver(respondingTo: 0)
        let premises = try premises(notifying: receiver)
        let purchase = try Purchase(in: premises)
        try purchase.creq("show")
        try premises.approve()
        try await waitUntil { receiver.deliveries.count == 1 }
        _ = try premises.challenge(of: purchase) { $0.contains(#""state":"reported""#) }
        // Only the first node can have sent it.
        let second = try SecondNode(of: premises)
        premises.crash()
        receiver.respondToAll()
        try await finish(premises, second)
        let deliveries = receiver.deliveries
        #expect(deliveries.count == 2)
        #expect(Set(deliveries.map(\.id)).count == 1)
        #expect(Set(deliveries.map(\.body)).count == 1)
        #expect(try recorded(in: premises) == 1)
    }

    @Test func `all arrive if a node is killed while it delivers many`() async throws {
        let receiver = try await EventReceiver(respondingTo: 20)
        let premises = try premises(notifying: receiver)
        let second = try SecondNode(of: premises)
        try makeEvents(in: premises, second)
        try await waitUntil { receiver.deliveries.count > 20 }
        premises.crash()
        receiver.respondToAll()
        try await finish(premises, second)
        let events = Dictionary(grouping: receiver.deliveries) { $0.id }
        #expect(events.count >= Self.events)
        #expect(events.values.allSatisfy { Set($0.map(\.body)).count == 1 })
        #expect(try recorded(in: premises) == events.count)
    }
}
