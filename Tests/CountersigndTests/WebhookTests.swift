import Foundation
import ProgramTesting
import TestSupport
import Testing

/// The verifier as a process, the bank's programs with curl, and a webhook on this machine.
@Suite struct `Webhooks of a running verifier` {
    private static let secret = "whsec_" + String(repeating: "QUJD", count: 8)

    private let premises: Premises
    private let endpoint: TestServer

    init() throws {
        premises = try Premises.initialized()
        endpoint = try TestServer(nil, ["--relay"])
        try premises.write(Self.secret + "\n", to: "keys/webhook")
        try premises.serve(with: nil)
        let authority = try Certificates.shared.get().path(.authority)
        try FileManager.default.createDirectory(
            atPath: premises.path("tls"),
            withIntermediateDirectories: true
        )
        try premises.write(String(contentsOfFile: authority, encoding: .utf8), to: "tls/bank.pem")
        let shown = String(decoding: try premises.contents("countersignd.json"), as: UTF8.self)
        let url = endpoint.url("/told", scheme: "http", host: "127.0.0.1")
        try premises.write(
            Self.withWebhook(shown).replacing("https://core.bank.example/countersign", with: url),
            to: "countersignd.json"
        )
    }

    /// The initial file with the commented webhook enabled.
    private static func withWebhook(_ text: String) -> String {
        var isShown = false
        return text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            if line.contains(#"// "webhooks": ["#) { isShown = true }
            defer { if line.contains("// ],") { isShown = false } }
            guard isShown, let comment = line.range(of: "// ") else { return String(line) }
            return line.replacingCharacters(in: comment, with: "")
        }
        .joined(separator: "\n")
    }

    /// Imports a hardware token; its revocation causes an event.
    private func fill() throws {
        try premises.write(#"{"minimumTokenDigits": 6}"#, to: "policy.json")
        try premises.write(
            "enterprise,account_type,account_id,token_serial,token_secret_hex\n"
                + "bank,main,4711,A-1,\(String(repeating: "5a", count: 20))\n",
            to: "accounts.csv"
        )
        for words in [
            ["policy", "set", "bank", premises.path("policy.json"), "--new"],
            ["load", premises.path("accounts.csv")],
        ] {
            let run = try premises.countersignd(words)
            try #require(run.exitCode == 0, "\(run.errorOutput)")
        }
    }

    /// Revokes the hardware token, and returns its ID.
    private func revokeToken(_ verifier: RunningVerifier, showing header: String) throws -> String {
        let account = "/bank/v1/enterprises/bank/accounts/main/4711"
        let devices = "http://127.0.0.1:\(verifier.port)\(account)/devices"
        let list = try Fetched(devices, "-H", header).body
        let id = try #require(list.firstMatch(of: /"id":"([0-9a-f]{32})"/)).1
        #expect(try Fetched("\(devices)/\(id)", "-XDELETE", "-H", header).status == 204)
        return String(id)
    }

    private func respond(_ status: String) throws {
        try endpoint.respond(with: Array("HTTP/1.1 \(status)\r\nContent-Length: 0\r\n\r\n".utf8))
    }

    /// An operator's token is stolen while the verifier is stopped for maintenance.
    @Test(.timeLimit(.minutes(5)))
    func `SEC-119: a webhook brings the alarm of a command that ran without a verifier`()
        async throws
    {
        try fill()
        try premises.sqlite3("DELETE FROM outbox")
        _ = try premises.token("early", "administrator")
        let verifier = try RunningVerifier(premises)
        let request = try await endpoint.request()
        let event = String(decoding: request.body, as: UTF8.self)
        #expect(event.contains(#""type":"token.created""#))
        #expect(event.contains(#""detail":"early""#))
        try respond("204 No Content")
        func isCounted(_ count: Int) throws -> Bool {
            try Fetched("http://127.0.0.1:\(verifier.operationPort)/metrics").body.contains(
                "countersign_alarms_total{event=\"token.created\"} \(count)\n"
            )
        }
        // The counter begins with the start.
        #expect(try isCounted(0))
        _ = try premises.token("late", "administrator")
        try spinUntil { try isCounted(1) }
        _ = try await endpoint.request()
        try respond("204 No Content")
        #expect(verifier.stop() == 0)
    }

    @Test(.timeLimit(.minutes(5)))
    func `a delivery that kill -9 interrupted is repeated, and no log contains personal data`()
        async throws
    {
        try fill()
        let token = try premises.token("core", "customerService")
        // The webhook of the new token.
        try premises.sqlite3("DELETE FROM outbox")
        let header = "Authorization: Bearer \(token)"
        let killed = try RunningVerifier(premises)
        let device = try revokeToken(killed, showing: header)
        let first = try await endpoint.request()
        killed.signal(SIGKILL)
        #expect(killed.end() == 128 + SIGKILL)
        try respond("204 Lost")
        // As after the end of a lease, which lasts a minute.
        try premises.sqlite3("UPDATE outbox SET due = 0")

        let verifier = try RunningVerifier(premises)
        let again = try await endpoint.request()
        #expect(again.target == "/told")
        #expect(again.body == first.body)
        #expect(again.field("webhook-id") == first.field("webhook-id"))
        let text = String(decoding: again.body, as: UTF8.self)
        #expect(text.hasPrefix(#"{"type":"device.revoked","timestamp":"2"#))
        let account = #""account":{"type":"main","id":"4711"},"actor":"token:core","#
        #expect(text.contains(account + #""subject":"\#(device)""#))
        try respond("503 No")
        try verifier.wait(for: #""message":"delivery failed""#)
        let third = try await endpoint.request()
        #expect(third.field("webhook-id") == first.field("webhook-id"))
        try respond("204 Yes")
        let metrics = "http://127.0.0.1:\(verifier.operationPort)/metrics"
        let attempts = "countersign_delivery_attempts_total"
        let delivered = attempts + #"{target="webhook",outcome="delivered"} 1"#
        try spinUntil { try Fetched(metrics).body.contains(delivered) }
        #expect(try premises.countersignd("outbox", "list").exitCode == 2)
        #expect(verifier.stop() == 0)

        let log = (killed.logLines + verifier.logLines).joined(separator: "\n").withoutRandomValues
        for secret in [Self.secret, "QUJD", "4711", device, "/told", token, "A-1"] {
            #expect(!log.contains(secret), "\(secret)")
        }
    }

    @Test func `events have the numbers of the audit records`() throws {
        try fill()
        let header = "Authorization: Bearer \(try premises.token("core", "customerService"))"
        let verifier = try RunningVerifier(premises)
        _ = try revokeToken(verifier, showing: header)
        let counts = try Fetched("http://127.0.0.1:\(verifier.operationPort)/metrics").body
        #expect(counts.contains(#"countersign_events_total{event="device.revoked"} 1"#))
        // The verifier ends before the webhook responds.
        verifier.signal(SIGKILL)
        #expect(verifier.end() == 128 + SIGKILL)
    }

    /// Ends the process if it starts.
    private func run() throws -> FinishedProcess {
        try FinishedProcess.run(
            "timeout",
            [
                "20", BuiltProducts.path(of: "countersignd"), "run", "--config",
                premises.configuration,
            ]
        )
    }

    private func change(_ old: String, to new: String) throws {
        let text = String(decoding: try premises.contents("countersignd.json"), as: UTF8.self)
        try #require(text.contains(old))
        try premises.write(text.replacing(old, with: new), to: "countersignd.json")
    }

    @Test(arguments: [
        (
            #""keys/webhook""#, #""keys/other""#, 66,
            "keys/other does not exist\nhint: correct webhooks.secrets, or create one: (umask 077"
        ),
        (#""keys/webhook""#, #""keys/response""#, 65, "does not hold a webhook secret"),
        (
            #""url": "http://127.0.0.1"#, #""url": "http://192.0.2.1"#, 65,
            "webhooks.url must be an https"
        ),
        (
            #""tls/bank.pem""#, #""keys/webhook""#, 65,
            "webhooks.caCertificates must be a readable file of CA certificates in PEM"
        ),
        (#""push": {"#, #""push": {"fcm": {"serviceAccount": "keys/webhook"},"#, 65, "is not JSON"),
        (
            #""push": {"#, #""push": {"fcm": {"serviceAccount": "x"},"#, 66,
            "x does not exist\nhint: corr"
        ),
    ])
    func `a malformed webhook is rejected`(old: String, new: String, exitCode: Int32, why: String)
        throws
    {
        try change(old, to: new)
        let refused = try run()
        #expect(refused.exitCode == exitCode, "\(refused.errorOutput)")
        #expect(refused.errorOutput.contains(why), "\(refused.errorOutput)")
        #expect(!refused.errorOutput.contains("whsec_QUJD"))
    }

    @Test func `a token URL of FCM without TLS is rejected`() throws {
        let account = [
            "type": "service_account", "project_id": "p", "private_key_id": "1",
            "private_key": try FinishedProcess.run("openssl", ["genrsa", "2048"]).output,
            "client_email": "a@bank.example", "token_uri": "http://192.0.2.1/token",
        ]
        let text = String(decoding: try JSONEncoder().encode(account), as: UTF8.self)
        try premises.write(text, to: "keys/fcm.json")
        let fcm = #""push": {"fcm": {"serviceAccount": "keys/fcm.json"},"#
        try change(#""push": {"#, to: fcm)
        let refused = try run()
        #expect(refused.exitCode == 65, "\(refused.errorOutput)")
        #expect(refused.errorOutput.contains("keys/fcm.json must be an https:// URL"))
    }
}

extension TestServer.Request {
    fileprivate func field(_ name: String) -> String? {
        fields.first { $0[0].lowercased() == name }?[1]
    }
}
