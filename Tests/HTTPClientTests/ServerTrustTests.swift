import Foundation
import HTTPClient
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct `A server` {
    /// Sends a request to a server with this certificate.
    private func status(
        of certificate: Certificates.Name,
        _ options: [String] = [],
        host: String = "localhost",
        _ change: (inout HTTPClient.Configuration) throws -> Void = { _ in }
    ) async throws -> Int {
        let server = try TestServer(certificate, options)
        let request = HTTPRequest(.get, server.url("/", host: host))
        return try await HTTPClient.forTests(change).send(request).status
    }

    @Test(arguments: ["localhost", "127.0.0.1"])
    func `with a trusted certificate for its name receives the request`(_ host: String) async throws
    {
        #expect(try await status(of: .server, host: host) == 200)
    }

    @Test(arguments: [Certificates.Name.foreign, .otherHost, .expired])
    func `of another CA, name or time is rejected (SEC-37)`(
        _ certificate: Certificates.Name
    ) async throws {
        let server = try TestServer(certificate)
        let client = try HTTPClient.forTests()
        await #expect(throws: HTTPFailure.serverUntrusted) {
            try await client.send(HTTPRequest(.get, server.url("/secret")))
        }
        // The connection ended before any request.
        #expect(try await server.waitForLine("").hasPrefix("request") == false)
    }

    @Test func `of another CA is trusted if that CA is configured`() async throws {
        let status = try await status(of: .foreign) {
            $0.authorities = try Certificates.shared.get().path(.otherAuthority)
        }
        #expect(status == 200)
    }

    @Test func `is trusted as soon as the file of CA certificates is replaced`() async throws {
        let (certificates, folder) = (try Certificates.shared.get(), try TemporaryFolder())
        let server = try TestServer(.server)
        func replace(by name: Certificates.Name) throws {
            let text = try String(contentsOfFile: certificates.path(name), encoding: .utf8)
            _ = try folder.write(text, to: "authorities.pem")
        }
        try replace(by: .otherAuthority)
        let client = try HTTPClient.forTests { $0.authorities = folder.path + "/authorities.pem" }
        let request = HTTPRequest(.get, server.url("/"))
        await #expect(throws: HTTPFailure.serverUntrusted) { try await client.send(request) }
        try replace(by: .authority)
        #expect(try await client.send(request).status == 200)
    }

    @Test func `of an unknown CA is rejected by the system's trust store`() async throws {
        await #expect(throws: HTTPFailure.serverUntrusted) {
            try await status(of: .server) { $0.authorities = nil }
        }
    }

    @Test(.enabled("the machine lets us make namespaces") { try Namespace.mayBeMade.get() })
    func `of the system's trust store is rejected if another CA is configured (SEC-37)`() throws {
        let certificates = try Certificates.shared.get()
        let server = try TestServer(.foreign)
        let outcomes = try ["-", certificates.path(.authority)].flatMap { authorities in
            let process = try Namespace.run(
                """
                folder=$(mktemp -d)
                trap 'rm -r "$folder"' EXIT
                cp "$1" "$folder/ca-certificates.crt"
                cp "$1" "$folder/authority.pem"
                openssl rehash "$folder"
                mount --bind "$folder" /etc/ssl/certs
                shift
                "$@"
                """,
                [certificates.path(.otherAuthority), RequestProgram.path, authorities]
                    + ["60000", "0", server.url("/")]
            )
            return try RequestProgram.read(process).map(\.outcome)
        }
        #expect(outcomes == ["200", "\(HTTPFailure.serverUntrusted)"])
    }

    @Test(arguments: [("TLSv1_2", "TLSv1_2"), ("TLSv1_3", "TLSv1_3")])
    func `with TLS 1.2 or 1.3 receives the request`(_ minimum: String, _ maximum: String)
        async throws
    {
        #expect(try await status(of: .server, ["--versions", minimum, maximum]) == 200)
    }

    /// openssl with other settings shows that the server itself would have accepted.
    @Test(arguments: [
        (Certificates.Name.server, "TLSv1_1", "DEFAULT@SECLEVEL=0", "-tls1_1"),
        (.rsa, "TLSv1_2", "AES256-GCM-SHA384", "-tls1_2"),
        (.rsa, "TLSv1_2", "ECDHE-RSA-AES256-SHA384", "-tls1_2"),
    ])
    func `of an old version, without forward secrecy or AEAD is rejected (SEC-37)`(
        _ certificate: Certificates.Name,
        _ version: String,
        _ ciphers: String,
        _ option: String
    ) async throws {
        let server = try TestServer(
            certificate,
            ["--versions", version, version, "--ciphers", ciphers]
        )
        let client = try HTTPClient.forTests()
        await #expect(throws: HTTPFailure.networkUnavailable(.handshake)) {
            try await client.send(HTTPRequest(.get, server.url("/")))
        }
        let openssl = try FinishedProcess.run(
            "openssl",
            ["s_client", "-connect", "localhost:\(server.port)", option, "-cipher", ciphers]
        )
        #expect(openssl.output.contains("Cipher is"))
        #expect(openssl.output.contains("Secure Renegotiation IS"))
        #expect(!openssl.output.contains("Cipher is (NONE)"))
    }

    @Test func `with a pinned key receives the request, for the first and the second pin`()
        async throws
    {
        let certificates = try Certificates.shared.get()
        let pin = try #require(try certificates.pin(.server))
        let other = try #require(try certificates.pin(.client))
        for pins in [[pin], [pin, other], [other, pin]] {
            #expect(try await status(of: .server) { $0.pins = pins } == 200)
        }
    }

    @Test func `with a key that is not pinned is rejected (SEC-37)`() async throws {
        let certificates = try Certificates.shared.get()
        let pins = try [Certificates.Name.rsa, .client].map {
            try #require(try certificates.pin($0))
        }
        for count in 1...2 {
            await #expect(throws: HTTPFailure.serverUntrusted) {
                try await status(of: .server) { $0.pins = Array(pins.prefix(count)) }
            }
        }
    }

    @Test func `with a pinned key but no trusted certificate is rejected (SEC-37)`() async throws {
        let pin = try #require(try Certificates.shared.get().pin(.foreign))
        await #expect(throws: HTTPFailure.serverUntrusted) {
            try await status(of: .foreign) { $0.pins = [pin] }
        }
        let trusting = try await status(of: .foreign) {
            $0.pins = [pin]
            $0.authorities = try Certificates.shared.get().path(.otherAuthority)
        }
        #expect(trusting == 200)
    }

    @Test(arguments: ["", "c2hvcnQ=", "x", "sha256//AAAA", String(repeating: "A", count: 44)])
    func `cannot have a pin that is not the base64 of 32 bytes`(_ text: String) {
        #expect(PublicKeyPin(sha256: text) == nil)
    }

    @Test(arguments: ["TLSv1_2", "TLSv1_3"])
    func `that requires a client certificate receives it`(_ version: String) async throws {
        let certificates = try Certificates.shared.get()
        let options = [
            "--client-authorities", certificates.path(.authority), "--versions", version, version,
        ]
        let status = try await status(of: .server, options) {
            $0.clientCertificate = .init(
                certificates: certificates.path(.client),
                privateKey: certificates.path(.client)
            )
        }
        #expect(status == 200)
        // In TLS 1.3, a client may send data before it receives the rejection.
        await #expect(throws: HTTPFailure.self) { try await self.status(of: .server, options) }
    }

    @Test func `receives nothing if a certificate file cannot be used`() async throws {
        await #expect(throws: HTTPFailure.unusableCertificateFile) {
            try await status(of: .server) { $0.authorities = "/absent" }
        }
        await #expect(throws: HTTPFailure.unusableCertificateFile) {
            try await status(of: .server) {
                $0.clientCertificate = .init(certificates: "/absent", privateKey: "/absent")
            }
        }
    }
}
