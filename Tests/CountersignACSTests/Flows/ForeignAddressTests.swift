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
