import ProgramTesting
import TestSupport
import Testing

/// A verifier whose store is not available for some time.
@Suite(
    .timeLimit(.minutes(5)),
    .enabled(
        if: PostgresServer.isInstalled,
        "Not run: /usr/lib/postgresql/15/bin holds no server (Debian's postgresql package)."
    )
)
struct `An outage of the store` {
    @Test func `is one line in the log when it begins, and one when it ends`() async throws {
        let server = try PostgresServer(syncs: false)
        let nodes = try await Nodes(on: server)
        await nodes.close()
        let verifier = try RunningVerifier(nodes.first)
        let token = try nodes.first.token("core", "issuer")
        func addAccount(_ name: String) throws -> Int {
            try Fetched(
                "http://127.0.0.1:\(verifier.port)/bank/v1/enterprises/bank/accounts/main/\(name)",
                "-X",
                "PUT",
                "-H",
                "Authorization: Bearer \(token)"
            ).status
        }
        #expect(try addAccount("before") == 201)
        try server.kill()
        for name in ["a", "b", "c"] { #expect(try addAccount(name) == 503) }
        let began = try verifier.wait(for: #""message":"outage began""#)
        #expect(began.contains(#""level":"error""#))
        let failure = #""failure":"store.unavailable","reason":"cannot read or write the store ("#
        #expect(began.contains(failure + "connection to server"), "\(began)")
        try server.start()
        try verifier.wait(for: #""message":"outage ended","seconds":"#)
        #expect(try addAccount("after") == 201)
        #expect(verifier.stop() == 0)
        // An audit that runs when the outage begins has a message of its own. The server can refuse
        // connections while it starts, which is another cause.
        let others = ["request completed", #""job":"audit""#, "outage continues"]
        let messages = verifier.logLines.filter { line in !others.contains { line.contains($0) } }
        #expect(messages.count { $0.contains("outage") } == 2, "\(messages)")
        #expect(messages.count == 5, "\(messages)")
    }
}
