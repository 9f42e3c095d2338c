import AuthenticationHandler
import Foundation
import ProgramTesting
import TestSupport
import Testing

/// An app, the bank's programs with curl, and the verifier as a process, over TLS.
@Suite struct `A device over the network` {
    private let premises: Premises
    private let origin: String
    private let port: Int
    private let fcm: TestServer

    init() async throws {
        premises = try Premises.initialized()
        try await premises.fill(activations: 0)
        port = try freePort()
        origin = "https://localhost:\(port)"
        try premises.serve(at: port)
        fcm = try TestServer(nil, ["--relay"])
        try useFCM()
    }

    /// Configures FCM with a server of the test.
    private func useFCM() throws {
        let result = try FinishedProcess.run("openssl", ["genrsa", "2048"])
        let address = fcm.url("", scheme: "http", host: "127.0.0.1")
        let account = [
            "type": "service_account", "project_id": "bank-app", "private_key_id": "key-1",
            "private_key": result.output, "client_email": "sender@bank.example",
            "token_uri": address + "/token",
        ]
        let text = String(decoding: try JSONEncoder().encode(account), as: UTF8.self)
        try premises.write(text, to: "keys/fcm.json")
        let configuration = try premises.contents("countersignd.json")
        try premises.write(
            String(decoding: configuration, as: UTF8.self).replacing(
                "\"push\": {",
                with: """
                    "push": {"fcm": {"serviceAccount": "keys/fcm.json", "endpoint": "\(address)"},
                    """
            ),
            to: "countersignd.json"
        )
    }

    private func respond(_ body: String) throws {
        let head = "HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\n\r\n"
        try fcm.respond(with: Array((head + body).utf8))
    }

    /// The payload that the app receives.
    private func push() async throws -> [UInt8] {
        let message = try await fcm.request()
        #expect(message.target == "/v1/projects/bank-app/messages:send")
        try respond("{}")
        let read = try JSONSerialization.jsonObject(with: message.body) as? [String: Any]
        let data = try #require((read?["message"] as? [String: Any])?["data"])
        return Array(try JSONSerialization.data(withJSONObject: data))
    }

    /// The ports of clients with a connection to the verifier, from /proc.
    private func clients() throws -> Set<Substring> {
        let place = String(format: "0100007F:%04X", port)
        // The columns: number, both ends, and state (01: established).
        let connections = try systemTable("/proc/net/tcp").split(separator: "\n").map {
            $0.split(separator: " ")
        }
        return Set(connections.filter { $0[1] == place && $0[3] == "01" }.map { $0[2] })
    }

    private static let payment = """
        {"context":"payment","title":"Transfer","amounts":[{"currency":"EUR","minorUnits":4711}],
        "payees":[{"name":"Grocer","account":"DE89370400440532013000"}]}
        """

    @Test(.timeLimit(.minutes(5)))
    func `SEC-69: activation, push, approval and codes work, and no log contains personal data`()
        async throws
    {
        let verifier = try RunningVerifier(premises)
        let backend = try Backend(premises, origin)
        let issued = try backend.post("/activations")
        let (id, code) = (try #require(issued["id"]), try #require(issued["code"]))
        let app = try await premises.app(of: origin)
        let typedCode = Array(code.utf8)
        let server = try premises.trusted(at: origin)
        let activation = try Activation(id: id, code: typedCode.span, at: server)
        let verified = try await app.verifyActivation(activation)
        _ = try await app.setPIN(Premises.typedPIN(), for: verified)
        #expect(try backend.get("/activations/\(id)")["state"] == "used")

        try await app.setPush(.fcm(token: "phone:APA91b"))
        let created = try backend.post("/transactions", Self.payment)
        let transaction = try #require(created["id"])
        // The bank's program waits, and gets the decision at once.
        let waiting = try backend.begin("/transactions/\(transaction)?wait=60")
        #expect(try await fcm.request().target == "/token")
        try respond(#"{"access_token":"right-1","expires_in":3600}"#)
        let shown = try await app.getTransaction(push: push())
        #expect(shown.id == transaction)
        try await app.authenticateUsingUserPIN(shown, pin: Premises.typedPIN())
        var approved = try waiting.end()
        // On a busy machine, the minute may be over before the approval.
        if approved["state"] == "pending" {
            approved = try backend.get("/transactions/\(transaction)?wait=60")
        }
        #expect(approved["state"] == "approved")

        let offline = try await app.generateOTP(using: Premises.typedPIN()).text
        let device = try #require(approved["device"])
        let codeResponse = try backend.post("/devices/\(device)/codes", #"{"code":"\#(offline)"}"#)
        #expect(codeResponse.status == 204)

        // A waiting request gets the current state when the verifier stops.
        let next = try backend.post("/transactions", Self.payment)
        let pending = try #require(next["id"])
        #expect(String(decoding: try await push(), as: UTF8.self).contains(pending))
        let earlier = try clients()
        let last = try backend.begin("/transactions/\(pending)?wait=60")
        try spinUntil { try !clients().isSubset(of: earlier) }
        #expect(verifier.stop() == 0)
        let ended = try last.end()
        #expect(ended.status == 200)
        #expect(ended["state"] == "pending")

        let log = verifier.logLines.joined(separator: "\n")
        #expect(log.contains(#""route":"POST /device/v1/decision","outcome":"done","status":200"#))
        let token = try #require(backend.header.split(separator: " ").last)
        let secrets = [
            Premises.pin, id, code, code.replacing("-", with: ""), "4711", device, offline,
            transaction,
            pending, String(token), "Grocer", "DE89", "Phone", "phone:APA91b", "right-1",
            "sender@bank", "bank-app",
        ]
        for secret in secrets {
            #expect(!log.withoutRandomValues.contains(secret), "\(secret)")
        }
    }

    @Test(.timeLimit(.minutes(5)))
    func `SEC-35: a connected device receives events, also after a restart of the verifier`()
        async throws
    {
        var verifier = try RunningVerifier(premises)
        let backend = try Backend(premises, origin)
        let app = try await premises.app(of: origin)
        try await premises.activate(app, of: origin, by: backend)
        var pushes = try await app.pushes().makeAsyncIterator()
        for _ in 0..<2 {
            let created = try backend.post("/transactions", Self.payment)
            let push = try #require(await pushes.next())
            let shown = try await app.getTransaction(push: push)
            #expect(shown.id == created["id"])
            try await app.cancelTransaction(shown, reason: .noLongerWanted)
            // A connected listener does not delay the shutdown, and reconnects.
            #expect(verifier.stop() == 0)
            #expect(
                verifier.logLines.contains { $0.contains(#""route":"POST /device/v1/events""#) }
            )
            verifier = try RunningVerifier(premises)
        }
        #expect(verifier.stop() == 0)
    }

    @Test func `a device rejects a server without the pinned key`() async throws {
        let verifier = try RunningVerifier(premises)
        let issued = try Backend(premises, origin).post("/activations")
        let (id, code) = (try #require(issued["id"]), Array(try #require(issued["code"]).utf8))
        let app = try await premises.app(of: origin, pinning: .client)
        let server = try premises.trusted(at: origin)
        await #expect(throws: AuthenticationError.self) {
            _ = try await app.verifyActivation(Activation(id: id, code: code.span, at: server))
        }
        #expect(verifier.stop() == 0)
        #expect(!verifier.logLines.joined().contains("/device/v1/activation"))
    }
}
