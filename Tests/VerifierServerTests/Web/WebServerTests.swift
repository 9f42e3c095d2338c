import Cryptography
import Foundation
import ProgramTesting
import Sealing
import TestSupport
import Testing
import TransactionApproval

@testable import VerifierServer

/// A real server, whose pages curl reads.
@Suite(.timeLimit(.minutes(1))) struct `A verifier server with the web device` {
    private let premises: Premises
    private let folder: WebFolder
    private let configuration: VerifierServer.Configuration

    init() throws {
        premises = try Premises.initialized()
        folder = try WebFolder()
        var configuration = VerifierServer.Configuration(
            origin: "http://127.0.0.1:8080",
            store: .sqlite(path: premises.store),
            journal: premises.path("journal/journal"),
            keys: VerifierServer.Configuration.Keys(
                encryption: .file(premises.path("keys/encryption")),
                agreement: premises.path("keys/agreement"),
                response: premises.path("keys/response"),
                checkpoint: premises.path("keys/checkpoint")
            ),
            api: .init(addresses: [.init(host: "127.0.0.1", port: 0)])
        )
        configuration.logging.descriptor = -1
        configuration.web = .init(files: folder.path)
        self.configuration = configuration
    }

    /// A response with its fields in lower case.
    private struct Page {
        let status: Int
        let fields: [String: String]
        let body: [UInt8]

        init(_ url: String, _ options: String..., trusting authority: String? = nil) throws {
            let trust = authority.map { ["--cacert", $0] } ?? []
            let (head, body) = try Self.fetch(trust + options + [url])
            self.init(head: head, body: body)
        }

        private init(head: String, body: Data) {
            let lines = head.split(separator: "\r\n")
            var fields: [String: String] = [:]
            for line in lines.dropFirst() {
                let parts = line.split(separator: ":", maxSplits: 1)
                let name = parts[0].lowercased()
                #expect(fields[name] == nil)
                fields[name] = String(parts.dropFirst().joined().drop { $0 == " " })
            }
            status = lines.first.flatMap { Int($0.split(separator: " ")[1]) } ?? 0
            self.fields = fields
            self.body = Array(body)
        }

        private static func fetch(_ options: [String]) throws -> (head: String, body: Data) {
            let folder = try TemporaryFolder()
            let head = try folder.write("", to: "head")
            let body = try folder.write("", to: "body")
            let run = try FinishedProcess.run(
                "curl",
                ["-s", "--max-time", "20", "--path-as-is", "-D", head, "-o", body] + options
            )
            #expect(run.exitCode == 0, "\(options): \(run.errorOutput)")
            let text = try String(contentsOfFile: head, encoding: .utf8)
            return (text, try Data(contentsOf: URL(filePath: body)))
        }

        var text: String { String(decoding: body, as: UTF8.self) }
    }

    private func serving(
        _ configuration: VerifierServer.Configuration? = nil,
        _ body: (String) async throws -> Void
    ) async throws {
        let server = VerifierServer(
            configuration: configuration ?? self.configuration,
            webFiles: folder.list
        )
        try await server.start()
        do {
            try await body("http://127.0.0.1:\(await server.ports[0])")
        } catch {
            await server.stop()
            throw error
        }
        await server.stop()
    }

    private static let script = "/approve/\(WebFolder.hash)/page.js"
    private static let paths = ["/approve", "/approve/", script, "/approve/verifier.json"]

    @Test func `serves each file with its type and the rules of its cache`() async throws {
        try await serving { origin in
            for path in ["/approve/", "/approve/index.html"] {
                let page = try Page(origin + path)
                #expect(page.status == 200)
                #expect(page.text == WebFolder.page)
                #expect(page.fields["content-type"] == "text/html; charset=utf-8")
                #expect(page.fields["cache-control"] == "no-cache")
                #expect(page.fields["vary"] == "accept-encoding")
            }
            let script = try Page(origin + Self.script)
            #expect(script.text == WebFolder.script)
            #expect(script.fields["content-type"] == "text/javascript")
            #expect(script.fields["cache-control"] == "public, max-age=31536000, immutable")
            let icon = try Page(origin + "/approve/\(WebFolder.hash)/icon.svg")
            #expect(icon.fields["vary"] == nil)
            let folder = try Page(origin + "/approve")
            #expect(folder.status == 308)
            #expect(folder.fields["location"] == "/approve/")
        }
    }

    @Test func `serves compressed copies to clients that accept them`() async throws {
        try await serving { origin in
            for (accepted, isCompressed) in [
                ("gzip", true), ("br, GZIP;q=0.5", true), ("*", true), ("deflate, *;q=0.1", true),
                ("gzip;q=0", false), ("gzip; q=0.000", false), ("*;q=0", false),
                ("gzip;q=0, *", false), ("identity", false), ("gzipped", false), ("", false),
            ] {
                let page = try Page(origin + Self.script, "-H", "Accept-Encoding: \(accepted)")
                let coding = page.fields["content-encoding"]
                #expect(coding == (isCompressed ? "gzip" : nil), "\(accepted)")
                let name = "\(WebFolder.hash)/page.js" + (isCompressed ? ".gz" : "")
                #expect(try page.body == folder.bytes(of: name))
                #expect(page.fields["content-length"] == "\(page.body.count)")
            }
            let decoded = try Page(origin + "/approve/", "--compressed")
            #expect(decoded.text == WebFolder.page)
            // There is no compressed copy of this file.
            let icon = try Page(
                origin + "/approve/\(WebFolder.hash)/icon.svg",
                "-H",
                "Accept-Encoding: gzip"
            )
            #expect(icon.fields["content-encoding"] == nil)
        }
    }

    @Test func `returns 304 if the client has the copy`() async throws {
        try await serving { origin in
            let gzip = "Accept-Encoding: gzip"
            let plain = try #require(Page(origin + Self.script).fields["etag"])
            let compressed = try #require(Page(origin + Self.script, "-H", gzip).fields["etag"])
            #expect(plain != compressed)
            for (tags, isKnown) in [
                (plain, true), ("W/\(plain)", true), ("\"x\", \(plain)", true), ("*", true),
                (compressed, false), ("\"x\"", false), (plain.replacing("\"", with: ""), false),
            ] {
                let page = try Page(origin + Self.script, "-H", "If-None-Match: \(tags)")
                #expect(page.status == (isKnown ? 304 : 200), "\(tags)")
                #expect(page.body.isEmpty == isKnown)
                #expect(page.fields["etag"] == plain)
                #expect(page.fields["vary"] == "accept-encoding")
                #expect(page.fields["content-security-policy"] != nil)
            }
            let known = "If-None-Match: \(compressed)"
            #expect(try Page(origin + Self.script, "-H", gzip, "-H", known).status == 304)
        }
    }

    @Test func `SEC-114: has no other path, however it is written`() async throws {
        try await serving { origin in
            let unknown = try Page(origin + "/approve/x").text
            #expect(unknown.contains(#"<a href="/approve/">Open the page for approvals</a>"#))
            for path in [
                "/approve/?", "/approve/?x=1", "/approve/index.html?x", "/approve?x", "/approve//",
                "/approve/index.html.gz", "/approve/../approve/index.html", "/approve/./index.html",
                "/approve/%69ndex.html", "/approve/..%2f..%2fkeys/agreement",
                "/approve/../../etc/passwd", "/approve/%2e%2e/keys", "//approve/", "/Approve/",
                "/approve/Index.html", "/approve/\(WebFolder.hash)", "/approve/\(WebFolder.hash)/",
                "/approve/page.js", "/approve/verifier.json/", "/approve/verifier.json?x",
                "/approve/\(folder.path)/index.html", "/approver", "/approve/index.html/",
            ] {
                let page = try Page(origin + path)
                #expect(page.status == 404, "\(path)")
                // Outside of /approve/ the bank's API responds with a problem.
                guard path.hasPrefix("/approve/") else { continue }
                #expect(page.fields["content-type"] == "text/html; charset=utf-8")
                #expect(page.text == unknown, "\(path)")
            }
        }
    }

    @Test func `accepts only GET and HEAD`() async throws {
        try await serving { origin in
            for method in ["POST", "PUT", "DELETE", "OPTIONS", "PATCH"] {
                for path in Self.paths {
                    let page = try Page(origin + path, "-X", method, "-d", "x")
                    #expect(page.status == 405)
                    #expect(page.fields["allow"] == "GET, HEAD")
                    #expect(page.body.isEmpty)
                }
                #expect(try Page(origin + "/approve/x", "-X", method).status == 404)
            }
            for path in ["/approve/", Self.script, "/approve/verifier.json"] {
                let (head, page) = (try Page(origin + path, "--head"), try Page(origin + path))
                #expect(head.status == 200)
                for name in ["content-length", "etag", "content-type", "cache-control"] {
                    #expect(head.fields[name] == page.fields[name])
                }
            }
        }
    }

    @Test func `sends the same protection with each response, and no cookie`() async throws {
        try await serving { origin in
            for path in Self.paths + ["/approve/x"] {
                let fields = try Page(origin + path).fields
                #expect(
                    fields["content-security-policy"]
                        == """
                        default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; \
                        connect-src 'self'; img-src 'self'; manifest-src 'self'; worker-src 'self'; \
                        base-uri 'none'; form-action 'none'; frame-ancestors 'none'; \
                        require-trusted-types-for 'script'; trusted-types countersign
                        """
                )
                #expect(fields["cross-origin-opener-policy"] == "same-origin")
                #expect(fields["cross-origin-embedder-policy"] == "require-corp")
                #expect(fields["cross-origin-resource-policy"] == "same-origin")
                #expect(fields["x-content-type-options"] == "nosniff")
                #expect(fields["referrer-policy"] == "no-referrer")
                let permissions = try #require(fields["permissions-policy"])
                #expect(permissions.contains("camera=()"))
                #expect(permissions.contains("publickey-credentials-get=(self)"))
                #expect(permissions.contains("publickey-credentials-create=(self)"))
                #expect(fields["set-cookie"] == nil)
            }
        }
    }

    @Test func `publishes the keys that it uses`() async throws {
        var changed = configuration
        changed.keys.nextAgreement = premises.path("keys/next-agreement")
        changed.keys.nextResponse = premises.path("keys/next-response")
        for path in [changed.keys.nextAgreement, changed.keys.nextResponse].compactMap({ $0 }) {
            try KeyFile.createPrivateKey(at: path)
        }
        for configuration in [configuration, changed] {
            let places = [
                "agreementKey": configuration.keys.agreement,
                "signingKey": configuration.keys.response,
            ]
            var expected = ["origin": configuration.origin]
            for (name, place) in places {
                let key = try KeyFile.privateKey(in: .file(place)).publicKey
                expected[name] = TextEncoding.base64URL.encode(key.uncompressedPoint.span)
            }
            try await serving(configuration) { origin in
                let page = try Page(origin + "/approve/verifier.json")
                #expect(page.fields["content-type"] == "application/json")
                #expect(page.fields["cache-control"] == "no-store")
                #expect(page.fields["etag"] == nil)
                let found = try JSONDecoder().decode([String: String].self, from: Data(page.body))
                #expect(found == expected)
            }
        }
    }

    /// The configuration with TLS, and the CA that clients trust.
    private func secured(
        for origin: String,
        _ certificate: Certificates.Name
    ) throws -> (configuration: VerifierServer.Configuration, authority: String) {
        let certificates = try Certificates.shared.get()
        let pair = premises.path("\(certificate).pem")
        try FileManager.default.copyItem(atPath: certificates.path(certificate), toPath: pair)
        try #require(chmod(pair, 0o600) == 0)
        var configuration = configuration
        configuration.origin = origin
        configuration.api.tls = .init(certificate: pair, key: pair)
        return (configuration, certificates.path(.authority))
    }

    @Test func `requires TLS of browsers that used it once (HSTS)`() async throws {
        let (configuration, authority) = try secured(for: "https://bank.example", .otherHost)
        try await serving(configuration) { origin in
            let server = try "bank.example:443:127.0.0.1:\(#require(URL(string: origin)?.port))"
            for path in Self.paths + ["/approve/x"] {
                let page = try Page(
                    "https://bank.example" + path,
                    "--connect-to",
                    server,
                    trusting: authority
                )
                #expect(page.fields["strict-transport-security"] == "max-age=31536000", "\(path)")
                #expect(page.text == WebFolder.page || path != "/approve/")
            }
        }
    }

    @Test func `requires no TLS of the own machine, and not behind a proxy`() async throws {
        let (configuration, authority) = try secured(for: "https://localhost", .server)
        try await serving(configuration) { origin in
            let url = origin.replacing("http:", with: "https:") + "/approve/"
            let page = try Page(url, trusting: authority)
            #expect(page.text == WebFolder.page)
            #expect(page.fields["strict-transport-security"] == nil)
        }
        // A proxy has the certificate of the origin, and adds the field itself.
        var behindProxy = self.configuration
        behindProxy.origin = "https://bank.example"
        try await serving(behindProxy) { origin in
            let page = try Page(origin + "/approve/")
            #expect(page.text == WebFolder.page)
            #expect(page.fields["strict-transport-security"] == nil)
        }
    }

    @Test func `serves nothing unless it is configured, and not at the bank's port`() async throws {
        var without = configuration
        without.web = nil
        without.bank = .init(addresses: [.init(host: "127.0.0.1", port: 0)])
        try await serving(without) { origin in
            for path in Self.paths {
                let page = try Page(origin + path)
                #expect(page.status == 404)
                #expect(page.fields["content-security-policy"] == nil)
            }
        }
        without.web = configuration.web
        let server = VerifierServer(configuration: without, webFiles: folder.list)
        try await server.start()
        #expect(try Page("http://127.0.0.1:\(await server.bankPorts[0])/approve/").status == 404)
        await server.stop()
    }

    @Test func `SEC-114: does not start if a file differs, and releases its store`() async throws {
        let file = try folder.folder.write("<p>other</p>", to: "index.html")
        let server = VerifierServer(configuration: configuration, webFiles: folder.list)
        let failure = await #expect(throws: VerifierServer.Failure.self) {
            try await server.start()
        }
        #expect(failure?.code == .unusableFile)
        #expect(failure?.message == "the web file \(file) is not the file of this build")
        _ = try folder.folder.write(WebFolder.page, to: "index.html")
        try await serving { origin in
            let page = try Page(origin + "/approve/")
            #expect(page.status == 200)
        }
        let none = VerifierServer(configuration: configuration, webFiles: [])
        let empty = await #expect(throws: VerifierServer.Failure.self) { try await none.start() }
        #expect(empty?.code == .invalidConfiguration)
    }

    @Test func `counts all its requests as one route, and logs them at debug only`() async throws {
        for (level, isLogged) in [
            (VerifierServer.Configuration.Logging.Level.info, false), (.debug, true),
        ] {
            let log = try TestPipe()
            var configuration = configuration
            configuration.logging.descriptor = log.writing.number
            configuration.logging.level = level
            configuration.operation = .init(addresses: [.init(host: "127.0.0.1", port: 0)])
            let server = VerifierServer(configuration: configuration, webFiles: folder.list)
            try await server.start()
            let origin = "http://127.0.0.1:\(await server.ports[0])"
            let paths = ["/approve/", Self.script, "/approve/verifier.json"]
            for path in paths + ["/approve/marker?marker"] { _ = try Page(origin + path) }
            let port = await server.operationPorts[0]
            let metrics = try Page("http://127.0.0.1:\(port)/metrics").text
            let route = #"countersign_requests_total{api="web",route="GET /approve/",outcome="#
            #expect(metrics.contains(route + #""done"} 3"#), "\(metrics)")
            #expect(metrics.contains(route + #""notFound"} 1"#))
            #expect(!metrics.contains("marker"))
            await server.stop()
            let text = log.read()
            #expect(text.contains(#""api":"web","route":"GET /approve/""#) == isLogged)
            #expect(!text.contains("marker"))
        }
    }

    @Test func `rejects a malformed or oversized request as for the other APIs`() async throws {
        try await serving { origin in
            let long = String(repeating: "x", count: 9000)
            let refused = [
                try Page(origin + "/approve/" + long),
                try Page(origin + "/approve/", "-H", "x: \(long)"),
                try Page(origin + "/approve/", "--http1.0"),
            ]
            #expect(refused.map(\.status) == [414, 431, 505])
        }
    }
}
