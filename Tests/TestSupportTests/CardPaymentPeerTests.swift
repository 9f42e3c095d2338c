import Foundation
import TestSupport
import Testing

/// A judge that finds no fault of a faulty ACS would be useless.
@Suite(
    .enabled(
        if: ReferenceCheckers.areInstalled,
        "Packaging/reference-checkers installs what is needed"
    ),
    .timeLimit(.minutes(5))
)
struct `The peer of card payments` {
    @Test func `accepts a correct ACS of its own, and finds each fault`() throws {
        let output = try ReferenceCheckers.check("threeds_peer.py", given: [], ["--self-test"])
        let last = try #require(output.split(separator: "\n").last)
        let numbers = try #require(last.wholeMatch(of: /(\d+) checks, (\d+) failures/)).output
        #expect(numbers.2 == "0")
        #expect(try #require(Int(numbers.1)) > 70)
    }

    @Test func `runs commands in their order`() throws {
        let folder = try TemporaryFolder()
        try CardPaymentPeer.copyCertificates(to: folder.path)
        func file(_ name: String) -> String { folder.path + "/" + name }
        let peer = try CardPaymentPeer()
        let started = try peer.run(
            "start",
            [
                "acs": [
                    "directories": "https://127.0.0.1:1/", "challenges": "https://127.0.0.1:1",
                    "ca": file("ca.pem"),
                ],
                "client": ["certificate": file("ds-client.pem"), "key": file("ds-client.key")],
                "directory": [
                    "certificate": file("ds-server.pem"), "key": file("ds-server.key"),
                    "clientAuthorities": file("ca.pem"),
                ],
                "root": file("ca.pem"),
            ]
        )
        #expect(started.problems == [])
        #expect(started["directory", "port"] is Int)
        try peer.send("areq", ["card": "4000000000000010"])
        try peer.send("results")
        #expect(try peer.report().text("kind") == "unreachable")
        #expect(try peer.report()["count"] as? Int == 0)
        #expect(throws: CardPaymentPeer.Failure.self) {
            try peer.run("creq", ["transaction": "t9"])
        }
    }
}
