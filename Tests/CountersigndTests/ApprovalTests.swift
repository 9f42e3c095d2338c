import AuthenticationHandler
import Foundation
import ProgramTesting
import TestSupport
import Testing

/// An app as others write it, the bank's programs by curl, and the verifier as a process: over TLS.
@Suite struct `A device over the network` {
    private static let pin = "271905"

    private let premises: Premises
    private let origin: String
    private let port: Int

    init() async throws {
        premises = try Premises.made()
        try await premises.fill(activations: 0)
        port = try freePort()
        origin = "https://localhost:\(port)"
        try premises.serve(at: port)
    }

    private func app(
        pinning name: Certificates.Name = .server
    ) async throws -> AuthenticationHandler {
        let certificates = try Certificates.made.get()
        var network = NetworkSettings()
        network.authorities = certificates.path(.authority)
        network.proxy = .none
        let app = try AuthenticationHandler(
            vault: premises.path("vault"),
            secrets: SecretFolder(premises.path("secrets")),
            deviceName: "Phone",
            network: network
        )
        let keys = [try certificates.pinText(name), try certificates.pinText(.rsa)]
        try await app.configurePinning([try PinnedServer(origin: origin, keys: keys)])
        return app
    }

    /// By the keys that `init` prints.
    private func trusted() throws -> TrustedServer {
        let printed = try premises.countersignd("init").output
        func key(_ name: String) throws -> String {
            let line = try #require(printed.split(separator: "\n").first { $0.contains(name) })
            return String(try #require(line.split(separator: " ").last))
        }
        return try TrustedServer(
            origin: origin,
            agreementKey: key("agreementKey"),
            signingKey: key("signingKey")
        )
    }

    private func typed() throws -> PIN {
        let digits = Array(Self.pin.utf8)
        return try PIN(copying: digits.span)
    }

    /// The ports of clients that have a connection to the verifier, as the system tells it.
    private func clients() throws -> Set<Substring> {
        let place = String(format: "0100007F:%04X", port)
        // It comes in pieces, of which a file without a length is read only the first at once.
        let file = try #require(FileHandle(forReadingAtPath: "/proc/net/tcp"))
        let table = String(decoding: file.readDataToEndOfFile(), as: UTF8.self)
        // Of each connection: its number, both its ends and its state, of which 01 is established.
        let connections = table.split(separator: "\n").map { $0.split(separator: " ") }
        return Set(connections.filter { $0[1] == place && $0[3] == "01" }.map { $0[2] })
    }

    private static let payment = """
        {"context":"payment","title":"Transfer","amounts":[{"currency":"EUR","minorUnits":4711}],
        "payees":[{"name":"Grocer","account":"DE89370400440532013000"}]}
        """

    @Test(.timeLimit(.minutes(1)))
    func `SEC-69: is activated, approves and makes codes, and no log tells of whom`() async throws {
        let verifier = try RunningVerifier(premises)
        let backend = try Backend(premises, origin)
        let issued = try backend.post("/activations")
        let (id, code) = (try #require(issued["id"]), try #require(issued["code"]))
        let app = try await app()
        let typedCode = Array(code.utf8)
        let activation = try Activation(id: id, code: typedCode.span, at: trusted())
        let verified = try await app.verifyActivation(activation)
        _ = try await app.setPIN(typed(), for: verified)
        #expect(try backend.get("/activations/\(id)")["state"] == "used")

        let asked = try backend.post("/transactions", Self.payment)
        let transaction = try #require(asked["id"])
        // The bank's program waits, and hears of the end at once.
        let waiting = try backend.begin("/transactions/\(transaction)?wait=60")
        let shown = try #require(try await app.getTransaction())
        try await app.authenticateUsingUserPIN(shown, pin: typed())
        let approved = try waiting.end()
        #expect(approved["state"] == "approved")

        let offline = try await app.generateOTP(using: typed()).text
        let device = try #require(approved["device"])
        let judged = try backend.post("/devices/\(device)/codes", #"{"code":"\#(offline)"}"#)
        #expect(judged.status == 204)

        // One that waits when the verifier stops is told how things stand.
        let next = try backend.post("/transactions", Self.payment)
        let pending = try #require(next["id"])
        let earlier = try clients()
        let last = try backend.begin("/transactions/\(pending)?wait=60")
        while try clients().isSubset(of: earlier) { sched_yield() }
        #expect(verifier.stop() == 0)
        let told = try last.end()
        #expect(told.status == 200)
        #expect(told["state"] == "pending")

        let log = verifier.said.joined(separator: "\n")
        #expect(log.contains(#""route":"POST /device/v1/decision","outcome":"done","status":200"#))
        let token = try #require(backend.header.split(separator: " ").last)
        let secrets = [
            Self.pin, id, code, code.replacing("-", with: ""), "4711", device, offline, transaction,
            pending, String(token), "Grocer", "DE89", "Phone",
        ]
        for secret in secrets { #expect(!log.contains(secret), "\(secret)") }
    }

    @Test func `talks to nobody who has another key than was pinned`() async throws {
        let verifier = try RunningVerifier(premises)
        let issued = try Backend(premises, origin).post("/activations")
        let (id, code) = (try #require(issued["id"]), Array(try #require(issued["code"]).utf8))
        let app = try await app(pinning: .client)
        let server = try trusted()
        await #expect(throws: AuthenticationError.self) {
            _ = try await app.verifyActivation(Activation(id: id, code: code.span, at: server))
        }
        #expect(verifier.stop() == 0)
        #expect(!verifier.said.joined().contains("/device/v1/activation"))
    }
}
