import Cryptography
import Foundation
import HTTPClient
import PrivateFiles
import ProgramTesting
import TestSupport
import Testing

/// An ACS that a test kills and starts again while clients send requests.
final class KilledACS: Sendable {
    let verifier: ApprovingVerifier
    /// The CA of the certificate that signs for SDKs.
    let anchor: Certificate
    private let folder: ACSFolder
    private let (directories, challenges): (String, String)
    private let http: HTTPClient
    private let gate = Gate()
    private let machine: FaultyMachine?
    private let cuts = LockedValue(0)
    /// Only the task that kills it uses it.
    private let process: LockedValue<RunningServer?>

    /// With a card for each challenge; a crash sets the clock of `machine` ahead.
    init(cards: [String], on machine: FaultyMachine? = nil) async throws {
        self.machine = machine
        let certificates = try Certificates.shared.get()
        verifier = try await ApprovingVerifier()
        let ports = (try freePort(), try freePort())
        directories = "https://localhost:\(ports.0)/3ds/authentication"
        challenges = "https://localhost:\(ports.1)/3ds/challenge"
        var settings = HTTPClient.Configuration()
        settings.authorities = certificates.path(.authority)
        settings.clientCertificate = HTTPClient.ClientCertificate(
            certificates: certificates.path(.client),
            privateKey: certificates.path(.client)
        )
        settings.requestTimeout = maximumWait
        http = try HTTPClient(settings)
        folder = try Self.folder(Self.configuration(verifier, ports), certificates, cards)
        let authority = Array(try folder.text("authority.pem").utf8)
        anchor = try #require(Certificate.all(inPEM: authority).first)
        process = LockedValue(
            try RunningServer(acs: folder.configuration, by: machine?.launcher() ?? [])
        )
    }

    /// A result that was on its way is sent again after this time, in seconds.
    private static let lease = 15

    /// The files and the store.
    private static func folder(
        _ configuration: String,
        _ certificates: Certificates,
        _ cards: [String]
    ) throws -> ACSFolder {
        let folder = try ACSFolder(configuration: configuration)
        for name in [Certificates.Name.authority, .server, .client] {
            // A private key, which other users must not read.
            let text = try String(contentsOfFile: certificates.path(name), encoding: .utf8)
            try folder.write(text, to: "\(name).pem")
        }
        // A signing key is alone in its file, and not behind the certificate.
        let server = try folder.text("server.pem")
        let key = try #require(server.range(of: "-----BEGIN PRIVATE KEY"))
        try folder.write(String(server[key.lowerBound...]), to: "signing.key")
        try folder.write("token\n", to: "verifier-token")
        let list = cards.map { "\($0),bank/main/4711\n" }.joined()
        try folder.write("card,account\n" + list, to: "cards.csv")
        for words in [["init"], ["load", folder.path("cards.csv")]] {
            let words = words + ["--config", folder.configuration]
            let run = try FinishedProcess.run(ACSFolder.program, words)
            try #require(run.exitCode == 0, "\(run.errorOutput)")
        }
        return folder
    }

    /// How many requests had no response, because the ACS was killed.
    var cutRequests: Int { cuts.withLock { $0 } }

    /// Kills the ACS in the middle of its traffic, and starts it again.
    func crash() async throws {
        await gate.close()
        do {
            try process.withLock { process in
                process?.kill()
                try machine?.advance(seconds: Self.lease)
                let launcher = try machine?.launcher() ?? []
                process = try RunningServer(acs: folder.configuration, by: launcher)
            }
            await gate.open()
        } catch {
            await gate.fail(error)
            throw error
        }
    }

    func stop() async throws {
        let exitCode = process.withLock { $0?.stop() }
        #expect(exitCode == 0)
        await verifier.stop()
    }

    func response(toDirectory body: String) async throws -> String {
        try await response(to: body, at: directories, "application/json; charset=utf-8")
    }

    func response(toApp body: String) async throws -> String {
        try await response(to: body, at: challenges, "application/jose; charset=utf-8")
    }

    /// Sends a request again until it has a response.
    private func response(
        to body: String,
        at url: String,
        _ type: String
    ) async throws -> String {
        let end = ContinuousClock.now + maximumWait
        let headers = [HTTPHeaderLine("content-type", type)]
        let request = HTTPRequest(.post(Array(body.utf8)), url, headers: headers)
        while true {
            try Task.checkCancellation()
            try await gate.passage()
            let response: HTTPResponse
            do throws(HTTPFailure) {
                response = try await http.send(request)
            } catch {
                guard .now < end else { throw error }
                cuts.withLock { $0 += 1 }
                continue
            }
            try #require(response.status == 200)
            return String(decoding: response.body, as: UTF8.self)
        }
    }

    private static func configuration(
        _ verifier: ApprovingVerifier,
        _ ports: (Int, Int)
    ) -> String {
        """
        {
            "store": {"sqlite": "acs.db"},
            "encryptionKeys": "encryption",
            "enterprise": "bank",
            "verifier": {"origin": "\(verifier.origin)", "token": "verifier-token"},
            "directories": [{
                "rid": "A000000003",
                "clients": "client.pem",
                "results": "\(verifier.origin)/results",
                "authorities": "authority.pem",
                "certificate": "client.pem", "key": "client.pem",
                "signing": {"key": "signing.key", "certificates": "server.pem"},
                "ranges": ["4000000000000000-4000009999999999"]
            }],
            "server": {
                "directories": {
                    "listen": ["127.0.0.1:\(ports.0)"],
                    "tls": {
                        "certificate": "server.pem", "key": "server.pem",
                        "clientAuthorities": "authority.pem"
                    }
                },
                "challenges": {
                    "origin": "https://localhost:\(ports.1)",
                    "listen": ["127.0.0.1:\(ports.1)"],
                    "tls": {"certificate": "server.pem", "key": "server.pem"}
                }
            },
            "sandbox": true,
            "log": {"level": "error"}
        }
        """
    }
}

/// Requests wait here while the ACS does not run.
private actor Gate {
    private var state = Result<Bool, any Error>.success(true)
    private var waiting: [CheckedContinuation<Void, any Error>] = []

    func close() { state = .success(false) }

    func open() { leave(.success(true)) }

    func fail(_ error: any Error) { leave(.failure(error)) }

    private func leave(_ new: Result<Bool, any Error>) {
        state = new
        for request in waiting { request.resume(with: new.map { _ in () }) }
        waiting = []
    }

    /// Returns when the ACS runs.
    func passage() async throws {
        guard try !state.get() else { return }
        try await withCheckedThrowingContinuation { waiting.append($0) }
    }
}
