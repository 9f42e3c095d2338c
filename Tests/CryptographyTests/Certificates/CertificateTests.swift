import Cryptography
import Foundation
import TestSupport
import Testing

/// Certificates that openssl generated, compared with the output of openssl.
@Suite struct `A certificate` {
    private func certificate(_ name: Certificates.Name) throws -> (Certificate, path: String) {
        let path = try Certificates.shared.get().path(name)
        let pem = try Data(contentsOf: URL(filePath: path))
        return (try #require(try Certificate(pem: Array(pem))), path)
    }

    @Test(arguments: [Certificates.Name.server, .expired, .rsa])
    func `has the validity period that openssl shows`(_ name: Certificates.Name) throws {
        let (certificate, path) = try certificate(name)
        let result = try FinishedProcess.run(
            "openssl",
            ["x509", "-in", path, "-noout", "-dates", "-dateopt", "iso_8601"]
        )
        let dates = [certificate.begins, certificate.ends].map { seconds in
            Date(timeIntervalSince1970: TimeInterval(seconds)).formatted(
                .iso8601.dateTimeSeparator(.space)
            )
        }
        #expect(result.output == "notBefore=\(dates[0])\nnotAfter=\(dates[1])\n")
    }

    @Test func `is valid for its names, and for no other name`() throws {
        let (server, _) = try certificate(.server)
        for host in ["localhost", "127.0.0.1"] { #expect(try server.names(host)) }
        for host in ["localhost.example", "127.0.0.2", "", "bank.example"] {
            #expect(try !server.names(host), "\(host)")
        }
    }

    @Test func `is not valid for a name that only its subject contains`() throws {
        let (bare, _) = try certificate(.localhost)
        #expect(try !bare.names("localhost"))
    }

    @Test(arguments: ["", "x", "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n"])
    func `is not read from a text without a certificate`(_ text: String) throws {
        #expect(try Certificate(pem: Array(text.utf8)) == nil)
    }
}
