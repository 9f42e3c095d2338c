import AuthenticationHandler
import Foundation
import ProgramTesting
import TestSupport
import Testing

@Suite struct `The rotation of the agreement key by an operator` {
    private let premises: Premises
    private let origin: String

    init() async throws {
        premises = try Premises.initialized()
        try await premises.fill(activations: 0)
        let port = try freePort()
        try premises.serve(at: port)
        origin = "https://localhost:\(port)"
    }

    /// Replaces the line of `agreementKey` in the configuration.
    private func configure(_ members: String) throws {
        let text = String(decoding: try premises.contents("countersignd.json"), as: UTF8.self)
        let line = /\n *"agreementKey": [^\n]*\n/
        #expect(text.contains(line))
        try premises.write(
            text.replacing(line, with: "\n\(members),\n"),
            to: "countersignd.json"
        )
    }

    private let announcing = """
        "agreementKey": "keys/agreement", "nextAgreementKey": "keys/next-agreement"
        """

    @Test(.timeLimit(.minutes(5)))
    func `SEC-110: devices receive the next key, and use it after the old file is gone`()
        async throws
    {
        var verifier = try RunningVerifier(premises)
        let app = try await premises.app(of: origin)
        try await premises.activate(app, of: origin, by: Backend(premises, origin))
        #expect(verifier.stop() == 0)

        try configure(announcing)
        #expect(try premises.countersignd("init").exitCode == 0)
        verifier = try RunningVerifier(premises)
        // Its response names the next key, so the app requests its status.
        _ = try await app.pendingTransactions()
        #expect(verifier.stop() == 0)

        try configure(#""agreementKey": "keys/next-agreement""#)
        try premises.remove("keys/agreement")
        verifier = try RunningVerifier(premises)
        let digits = Array("538091".utf8)
        let changes = try await app.changePIN(
            from: Premises.typedPIN(),
            to: PIN(copying: digits.span)
        )
        #expect(changes.map(\.outcome) == [.changed])
        #expect(verifier.stop() == 0)
    }

    @Test func `SEC-110: init prints the next key and its fingerprint, and doctor checks its file`()
        throws
    {
        try configure(announcing)
        let printed = try premises.countersignd("init")
        #expect(printed.output.contains("created  \(premises.path("keys/next-agreement"))"))
        #expect(printed.output.contains("\"nextAgreementKey\": \"B"))
        #expect(printed.output.contains(/\n {4}[0-9a-f]{32}\n {4}next: [0-9a-f]{32}\n/))
        try #require(chmod(premises.path("keys/next-agreement"), 0o644) == 0)
        let problem = "keys: other users can access \(premises.path("keys/next-agreement"))"
        #expect(try premises.countersignd("doctor").output.contains(problem))
        try premises.remove("keys/next-agreement")
        #expect(try premises.countersignd("doctor").output.contains("keys/next-agreement"))
    }

    /// Kills `init` at each system call that creates the key file.
    @Test(
        .killsAtSystemCalls,
        arguments: ["write", "fsync", "renameat2", "unlink"]
    )
    func `SEC-110: an init that is killed keeps the old key, and the next one creates a whole key`(
        _ call: String
    ) throws {
        try configure(announcing)
        let old = try premises.contents("keys/agreement")
        for step in 1...100 {
            // A whole key is never replaced, so each try starts without one.
            if try premises.files().contains("keys/next-agreement") {
                try premises.remove("keys/next-agreement")
            }
            guard try premises.kill("init", at: call, number: step) else {
                #expect(step > 1, "init never calls \(call)")
                return
            }
            let again = try premises.countersignd("init")
            #expect(again.exitCode == 0, "step \(step): \(again.errorOutput)")
            #expect(try premises.contents("keys/agreement") == old)
            #expect(try premises.contents("keys/next-agreement").count > 64)
            #expect(try premises.countersignd("init").exitCode == 0)
        }
        Issue.record("no init completed")
    }
}
