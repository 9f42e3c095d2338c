import Foundation
import HTTPServer
import ServerOperation
import TestSupport
import Testing

@Suite struct `The address of a listener` {
    @Test(arguments: [
        ("127.0.0.1:80", "127.0.0.1", 80), ("0.0.0.0:0", "0.0.0.0", 0),
        ("[::1]:65535", "::1", 65535), ("[2001:db8::1]:443", "2001:db8::1", 443),
    ])
    func `is an IP address with a port`(_ text: String, _ host: String, _ port: Int) throws {
        let address = try #require(ListenerAddress(text))
        #expect(address == ListenerAddress(host: host, port: port))
        #expect(address.text == text)
    }

    @Test(arguments: [
        "", "127.0.0.1", ":", "127.0.0.1:", "127.0.0.1:65536", "127.0.0.1:-1", "127.0.0.1:x",
        "::1:80", "[127.0.0.1]:80", "[::1]", "::1]:80", "[::1:80",
    ])
    func `is refused in another form`(_ text: String) {
        #expect(ListenerAddress(text) == nil)
    }

    @Test(arguments: [
        ("127.0.0.1:1", true), ("127.9.9.9:1", true), ("[::1]:1", true), ("0.0.0.0:1", false),
        ("[::]:1", false), ("192.0.2.1:1", false), ("localhost:1", false),
    ])
    func `can belong to this machine only`(_ text: String, _ isLoopback: Bool) throws {
        #expect(try #require(ListenerAddress(text)).isLoopback == isLoopback)
    }
}

@Suite struct `The settings of a listener` {
    private static let loopback = ListenerAddress(host: "127.0.0.1", port: 0)
    private static let everywhere = ListenerAddress(host: "0.0.0.0", port: 0)

    private let certificates: Certificates
    private let folder: TemporaryFolder

    init() throws {
        certificates = try Certificates.shared.get()
        folder = try TemporaryFolder()
    }

    /// A copy of the file that has a certificate and its key.
    private func copy(_ name: Certificates.Name, mode: mode_t = 0o600) throws -> String {
        let path = try folder.write(
            try String(contentsOfFile: certificates.path(name), encoding: .utf8),
            to: "\(name).pem"
        )
        #expect(chmod(path, mode) == 0)
        return path
    }

    private func message(
        of settings: ListenerSettings
    ) -> String? {
        do throws(ListenerFailure) {
            try settings.check()
            return nil
        } catch {
            return error.message(about: "server")
        }
    }

    @Test func `need TLS for other machines, and an address`() throws {
        #expect(message(of: ListenerSettings(addresses: [Self.loopback])) == nil)
        #expect(
            message(of: ListenerSettings(addresses: [Self.loopback, Self.everywhere]))
                == "server needs TLS: other machines can reach its address"
        )
        #expect(
            message(of: ListenerSettings(addresses: [])) == "server has no address and no socket"
        )
        let file = try copy(.server)
        let tls = TLSFiles(certificate: file, key: file)
        #expect(message(of: ListenerSettings(addresses: [Self.everywhere], tls: tls)) == nil)
    }

    @Test func `need a key that others cannot read, for the certificate`() throws {
        let (server, other) = (try copy(.server), try copy(.rsa))
        let open = try copy(.client, mode: 0o644)
        for (key, expected) in [
            (other, "server: the key \(other) does not belong to the certificate"),
            (open, "other users can access the key \(open)"),
            ("\(open)x", "cannot open the key \(open)x: No such file or directory"),
        ] {
            let tls = TLSFiles(certificate: server, key: key)
            let settings = ListenerSettings(addresses: [Self.loopback], tls: tls)
            #expect(message(of: settings) == expected)
        }
    }

    @Test func `need files that exist and hold certificates`() throws {
        let server = try copy(.server)
        let text = try folder.write("none", to: "text")
        let missing = "\(server)x"
        for (certificate, authorities, expected) in [
            (missing, nil, "cannot open the certificate \(missing): No such file or directory"),
            (text, nil, "server: \(text) is not a certificate in PEM"),
            (
                server, missing,
                "cannot open the CA certificates \(missing): No such file or directory"
            ),
            (server, text, "server: \(text) holds no certificates in PEM"),
        ] as [(String, String?, String)] {
            let tls = TLSFiles(
                certificate: certificate,
                key: server,
                clientAuthorities: authorities
            )
            #expect(message(of: ListenerSettings(addresses: [Self.loopback], tls: tls)) == expected)
        }
    }

    @Test(.enabled("root can read every file") { geteuid() != 0 })
    func `need a key that this user can read`() throws {
        let file = try copy(.server, mode: 0)
        let tls = TLSFiles(certificate: try copy(.rsa), key: file)
        let expected = "cannot open the key \(file): Permission denied"
        #expect(message(of: ListenerSettings(addresses: [Self.loopback], tls: tls)) == expected)
    }

    @Test func `can have a key that the group reads`() throws {
        let file = try copy(.server, mode: 0o640)
        let tls = TLSFiles(certificate: file, key: file)
        #expect(message(of: ListenerSettings(addresses: [Self.loopback], tls: tls)) == nil)
    }
}
