import Foundation
import ProgramTesting
import TestSupport
import Testing

@Suite(.needsReferenceCheckers)
struct `SEC-75: The addresses in an AReq` {
    private let premises: IssuerPremises
    private let trap: LoopbackSocket

    init() throws {
        premises = try IssuerPremises()
        trap = try LoopbackSocket(.listening)
    }

    private var isConnected: Bool {
        var event = pollfd(fd: trap.descriptor.number, events: Int16(POLLIN), revents: 0)
        return poll(&event, 1, 0) != 0
    }

    @Test func `get the result only at the server that is configured`() throws {
        let port = try #require(try premises.peer.run("directory")["port"] as? Int)
        let path = "/3ds/results/of-this-purchase?number=1"
        let overrides = ["dsURL": "https://127.0.0.1:\(port)\(path)"]
        let purchase = try Purchase(in: premises, members: ["overrides": overrides])
        try purchase.creq("show")
        try premises.approve()
        // The peer checks the path.
        #expect(try purchase.result()["transStatus"] as? String == "Y")
        let report = try premises.peer.run("results", ["transaction": purchase.transaction])
        let all = try #require(report["results"] as? [String: [String: Any]])
        let results = try #require(all.values.first?["results"] as? [[String: Any]])
        #expect(results.map { $0["path"] as? String } == [path])
    }

    @Test func `get no connection of the ACS, and no result`() throws {
        let url = "https://127.0.0.1:\(trap.port)/"
        let names = ["dsURL", "threeDSServerURL", "threeDSRequestorURL", "notificationURL"]
        let overrides = Dictionary(uniqueKeysWithValues: names.map { ($0, url) })
        let purchase = try Purchase(
            in: premises,
            channel: "browser",
            members: ["overrides": overrides]
        )
        _ = try purchase.browser("open")
        try premises.approve()
        // The configured directory has it.
        #expect(try purchase.result()["transStatus"] as? String == "Y")
        try spinUntil { try purchase.browser("state").text("state") == "over" }
        #expect(!isConnected)
        _ = try LoopbackSocket(.connected, to: trap.port)
        #expect(isConnected)
    }
}
