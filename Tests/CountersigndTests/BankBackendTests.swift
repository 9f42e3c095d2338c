import AuthenticationHandler
import Foundation
import ProgramTesting
import TestSupport
import Testing

/// `Examples/BankBackend` with a verifier as a process, over TLS, and the app's library.
@Suite(.timeLimit(.minutes(5))) struct `The example of a bank's backend` {
    private static let account = "main/4711"

    private let premises: Premises
    private let origin: String
    private let token: String
    private let key = String(repeating: "5a", count: 32)
    private var secret: String { "whsec_" + String(repeating: "Wlpa", count: 10) + "Wlo=" }

    init() async throws {
        premises = try Premises.initialized()
        try await premises.fill(activations: 0)
        let port = try freePort()
        origin = "https://localhost:\(port)"
        try premises.serve(at: port)
        token = try premises.token("backend", "issuer")
        try premises.write(token + "\n", to: "keys/core.token")
        try premises.write(secret + "\n", to: "keys/webhook")
        try premises.write(try settings(), to: "settings.json")
    }

    /// The settings of docs/integrate/webhooks.md, with the addresses of the test.
    private func settings() throws -> String {
        let path = URL(filePath: #filePath).appending(path: "../../../docs/integrate/webhooks.md")
        let page = try String(contentsOf: path.standardized, encoding: .utf8)
        let block = try #require(page.firstMatch(of: /(?s)```\n(\{.*?\})\n```/)).1
        let authorities = try Certificates.shared.get().path(.authority)
        return String(block).replacing("127.0.0.1:8090", with: "127.0.0.1:0")
            .replacing("https://approve.bank.example", with: origin)
            .replacing("{\n", with: "{\n  \"authorities\": \"\(authorities)\",\n")
    }

    private func started() throws -> RunningBackend {
        try RunningBackend(premises.path("settings.json"))
    }

    /// Sends the events of the verifier to the program.
    private func sendEvents(to backend: RunningBackend) throws {
        let text = String(decoding: try premises.contents("countersignd.json"), as: UTF8.self)
        let webhook = """
            "webhooks": [{
              "enterprise": "bank", "events": "accounts", "url": "\(backend.origin)/webhooks",
              "secrets": ["keys/webhook"],
            }],
            "operation": {
            """
        try premises.write(
            text.replacing("\"operation\": {", with: webhook),
            to: "countersignd.json"
        )
    }

    // MARK: Logins

    private func post(
        _ path: String,
        _ members: [String: String],
        to backend: RunningBackend
    ) throws -> Fetched {
        let content = String(decoding: try JSONEncoder().encode(members), as: UTF8.self)
        return try Fetched(backend.origin + path, "-d", content)
    }

    private func challenge(of backend: RunningBackend) throws -> String {
        let made = try post("/challenges", ["account": Self.account], to: backend)
        #expect(made.status == 201)
        return try #require(made["challenge"])
    }

    private func logIn(_ app: AuthenticationHandler, _ challenge: String) async throws -> String {
        try await app.logIn(with: .pin(Premises.typedPIN()), signing: Array(challenge.utf8))
    }

    private func session(_ session: String, at backend: RunningBackend) throws -> Fetched {
        try Fetched(backend.origin + "/session", "-H", "Authorization: Bearer \(session)")
    }

    @Test func `a login is redeemed once, and a revocation ends the session once`() async throws {
        let backend = try started()
        try sendEvents(to: backend)
        let verifier = try RunningVerifier(premises)
        let app = try await premises.app(of: origin)
        try await premises.activate(app, of: origin, by: Backend(premises, origin))
        try backend.wait(for: "event device.activated")

        let challenge = try challenge(of: backend)
        let login = try await logIn(app, challenge)
        let members = ["challenge": challenge, "login": login]
        let first = try post("/sessions", members, to: backend)
        #expect(first.status == 201)
        let session = try #require(first["session"])
        let shown = try self.session(session, at: backend)
        #expect(shown.status == 200)
        #expect(shown["account"] == Self.account)
        let second = try post("/sessions", members, to: backend)
        #expect(second.status == 403)
        #expect(second["code"] == "loginRedeemed")

        let other = try self.challenge(of: backend)
        let foreign = try await logIn(app, challenge)
        for (challenge, login, code) in [
            (other, foreign, "dataMismatch"),
            (other, String(repeating: "0", count: 32), "notFound"),
            (String(repeating: "a", count: 64), foreign, "challengeUnknown"),
        ] {
            let refused = try post(
                "/sessions",
                ["challenge": challenge, "login": login],
                to: backend
            )
            #expect(refused.status == 403)
            #expect(refused["code"] == code)
        }

        let last = try self.challenge(of: backend)
        let tooLate = ["challenge": last, "login": try await logIn(app, last)]
        let token = try premises.token("desk", "customerService")
        // Only the webhook of the revocation meets a stopped program.
        let waiting = "SELECT count(*) FROM outbox WHERE state = 0"
        try spinUntil { try premises.sqlite3(waiting) == "0" }
        // The program does not respond in time, so the verifier repeats the delivery.
        backend.signal(SIGSTOP)
        try revoke(try #require(shown["device"]), by: token)
        try verifier.wait(for: #""message":"delivery failed""#)
        backend.signal(SIGCONT)
        try backend.wait(for: "event device.revoked")
        try backend.wait(for: "duplicate device.revoked")
        #expect(try self.session(session, at: backend).status == 401)
        let refused = try post("/sessions", tooLate, to: backend)
        #expect(refused.status == 403)
        #expect(refused["code"] == "deviceNotActive")
        #expect(try premises.sqlite3(Self.deviceEvents, in: "backend.db") == "2")
        #expect(verifier.stop() == 0)
    }

    private static let deviceEvents = "SELECT count(*) FROM events WHERE type LIKE 'device.%'"

    private func revoke(_ device: String, by token: String) throws {
        let header = "Authorization: Bearer \(token)"
        let path = "/bank/v1/enterprises/bank/accounts/\(Self.account)/devices/\(device)"
        #expect(try Fetched(origin + path, "-XDELETE", "-H", header).status == 204)
    }

    /// Sends an event with a right signature.
    private func send(_ kind: String, of account: String, to backend: RunningBackend) throws {
        let parts = account.split(separator: "/")
        let named = #"{"type":"\#(parts[0])","id":"\#(parts[1])"}"#
        let body = #"{"type":"\#(kind)","data":{"subject":"01a2","account":\#(named)}}"#
        let delivery = Delivery(id: "\(kind) of \(account)", body: body)
        #expect(try send(try signed(delivery, with: key), to: backend) == 204)
    }

    @Test func `a blocked credential ends the sessions of its account`() throws {
        let backend = try started()
        let words = ["dgst", "-sha256", "-r"]
        let digest = try FinishedProcess.run("openssl", words, input: Array("session".utf8))
        let values = "X'\(digest.output.prefix(64))', '\(Self.account)', 'd', unixepoch()"
        let insertion = "INSERT INTO sessions VALUES (\(values))"
        #expect(try premises.sqlite3(insertion, in: "backend.db") == "")
        try send("credential.blocked", of: "main/4712", to: backend)
        try send("credential.locked", of: Self.account, to: backend)
        #expect(try session("session", at: backend).status == 200)
        try send("credential.blocked", of: Self.account, to: backend)
        #expect(try session("session", at: backend).status == 401)
    }

    @Test func `challenges are limited, and make room when they are too old`() throws {
        let backend = try started()
        let filling = """
            WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers LIMIT 10000)
            INSERT INTO challenges SELECT 'c' || n, 'main/4711', unixepoch() FROM numbers
            """
        #expect(try premises.sqlite3(filling, in: "backend.db") == "")
        let refused = try post("/challenges", ["account": Self.account], to: backend)
        #expect(refused.status == 503)
        #expect(refused["code"] == "tooManyChallenges")
        let ageing = "UPDATE challenges SET created = created - 301 WHERE challenge = 'c1'"
        #expect(try premises.sqlite3(ageing, in: "backend.db") == "")
        _ = try challenge(of: backend)
    }

    // MARK: Forged and repeated deliveries

    /// A delivery with the right signature, and then its changes.
    private struct Delivery {
        var id = "event-1"
        var moment = Int(Date().timeIntervalSince1970)
        var body = #"{"type":"transaction.approved","data":{"subject":"01a2"}}"#
        var signatures: [String] = []
    }

    private func signed(_ delivery: Delivery, with key: String) throws -> Delivery {
        let text = "\(delivery.id).\(delivery.moment).\(delivery.body)"
        let command = "openssl dgst -sha256 -mac HMAC -macopt hexkey:\(key) -binary | base64 -w0"
        let run = try FinishedProcess.run("bash", ["-c", command], input: Array(text.utf8))
        var signed = delivery
        signed.signatures.append("v1,\(run.output)")
        return signed
    }

    private func send(_ delivery: Delivery, to backend: RunningBackend) throws -> Int {
        try Fetched(
            backend.origin + "/webhooks",
            "-H",
            "Webhook-Id: \(delivery.id)",
            "-H",
            "Webhook-Timestamp: \(delivery.moment)",
            "-H",
            "Webhook-Signature: \(delivery.signatures.joined(separator: " "))",
            "-d",
            delivery.body
        )
        .status
    }

    @Test func `forged deliveries are rejected, and repeated ones have no effect`() throws {
        let backend = try started()
        let right = try signed(Delivery(), with: key)
        var forged = [
            Delivery(), try signed(Delivery(), with: String(repeating: "5b", count: 32)),
            right, right, right,
        ]
        forged[2].id = "event-2"
        forged[3].body = right.body.replacing("approved", with: "rejected")
        forged[4].moment += 1
        for (offset, isAccepted) in [(-301, false), (330, false), (-200, true)] {
            let delivery = Delivery(id: "event\(offset)", moment: right.moment + offset)
            let status = try send(try signed(delivery, with: key), to: backend)
            #expect(status == (isAccepted ? 204 : 401), "\(offset)")
        }
        for delivery in forged { #expect(try send(delivery, to: backend) == 401) }
        #expect(try send(right, to: backend) == 204)
        for delivery in forged { #expect(try send(delivery, to: backend) == 401) }
        #expect(try send(right, to: backend) == 204)
        // As during a rotation of the secret.
        var rotated = try signed(Delivery(), with: String(repeating: "5b", count: 32))
        rotated = try signed(rotated, with: key)
        #expect(try send(rotated, to: backend) == 204)

        let stored = try premises.sqlite3("SELECT id FROM events ORDER BY id", in: "backend.db")
        #expect(stored == "event-1\nevent-200")
        #expect(
            try backend.linesUntilEnd() == [
                "event transaction.approved", "event transaction.approved",
                "duplicate transaction.approved", "duplicate transaction.approved",
            ]
        )
    }

    @Test(arguments: [
        ("/challenges", #"{"account": "main/.."}"#, 400),
        ("/challenges", #"{"account": "main/4711/devices"}"#, 400),
        ("/challenges", #"{"account": 7}"#, 400), ("/challenges", "[", 400),
        ("/sessions", #"{"challenge": "a", "login": "../../.."}"#, 400),
        ("/challenges", String(repeating: " ", count: 65_537), 413), ("/other", "{}", 404),
    ])
    func `a malformed request is rejected`(_ path: String, _ content: String, _ status: Int) throws
    {
        let backend = try started()
        // A long body makes curl wait for 100 Continue.
        let options = ["-H", "Expect:", "-d", content]
        #expect(try Fetching(backend.origin + path, options).end().status == status)
    }

    // MARK: Secrets

    @Test func `secrets are only in private files`() throws {
        let backend = try started()
        for part in ["cmdline", "environ"] {
            let text = try backend.process(part)
            for secret in [token, secret] { #expect(!text.contains(secret)) }
        }
        for name in ["keys/core.token", "keys/webhook"] {
            #expect(chmod(premises.path(name), 0o640) == 0)
            let run = try FinishedProcess.run(
                "python3",
                [RunningBackend.program, premises.path("settings.json")]
            )
            #expect(run.exitCode == 1)
            #expect(
                run.errorOutput
                    == "bank_backend: \(premises.path(name)) is readable for other users; "
                    + "run chmod 600\n"
            )
            #expect(chmod(premises.path(name), 0o600) == 0)
        }
    }
}

/// The program in a process of its own, which ends with this value.
private final class RunningBackend {
    static let program = URL(filePath: #filePath)
        .appending(path: "../../../Examples/BankBackend/bank_backend.py").standardized.path

    private(set) var origin = ""
    private let running = Process()
    private let output = Pipe.closedOnExec()
    private var unread = Data()

    struct EndedEarly: Error {}

    init(_ settings: String) throws {
        running.executableURL = URL(filePath: "/usr/bin/python3")
        running.arguments = [Self.program, settings]
        running.standardOutput = output
        // A verifier that no longer waits causes a report here.
        running.standardError = FileHandle.nullDevice
        try running.start()
        let line = try #require(try nextLine())
        origin = "http://" + line.dropFirst("listening on ".count)
    }

    deinit {
        // A stopped process handles no other signal.
        signal(SIGKILL)
        running.waitUntilExit()
    }

    func signal(_ number: Int32) { kill(running.processIdentifier, number) }

    /// A file of the process in /proc.
    func process(_ part: String) throws -> String {
        let path = "/proc/\(running.processIdentifier)/\(part)"
        let file = try #require(FileHandle(forReadingAtPath: path))
        return String(decoding: file.readDataToEndOfFile(), as: UTF8.self)
    }

    /// Waits for this line; only lines about tokens and activations are expected before it.
    func wait(for expected: String) throws {
        let others = ["token.created", "activation.issued"]
        while let line = try nextLine(), line != expected {
            try #require(others.contains { line.hasSuffix(" \($0)") }, "\(line)")
        }
    }

    /// Ends the process, which writes each line at once, and returns its remaining lines.
    func linesUntilEnd() throws -> [String] {
        signal(SIGKILL)
        var lines: [String] = []
        while let line = try nextLine() { lines.append(line) }
        return lines
    }

    private func nextLine() throws -> String? {
        while true {
            if let end = unread.firstIndex(of: UInt8(ascii: "\n")) {
                defer { unread = Data(unread[(end + 1)...]) }
                return String(decoding: unread[..<end], as: UTF8.self)
            }
            let more = try output.fileHandleForReading.nextData()
            if more.isEmpty { return nil }
            unread += more
        }
    }
}
