import Cryptography
import Foundation
import TestSupport
import Testing

/// Certificates that openssl generated, compared with the output of openssl.
@Suite struct `A certificate` {
    private func certificate(_ name: Certificates.Name) throws -> (Certificate, path: String) {
        let path = try Certificates.shared.get().path(name)
        let pem = try Data(contentsOf: URL(filePath: path))
        return (try #require(try Certificate.all(inPEM: Array(pem)).first), path)
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
        for host in ["localhost", "127.0.0.1"] { #expect(server.names(host)) }
        for host in ["localhost.example", "127.0.0.2", "", "bank.example"] {
            #expect(!server.names(host), "\(host)")
        }
    }

    @Test func `is not valid for a name that only its subject contains`() throws {
        let (bare, _) = try certificate(.localhost)
        #expect(!bare.names("localhost"))
    }

    @Test func `is read from each place of a chain, also before a key`() throws {
        let path = try Certificates.shared.get().path(.expiringChain)
        let chain = try Certificate.all(inPEM: Array(Data(contentsOf: URL(filePath: path))))
        let (server, expiring) = (try certificate(.server).0, try certificate(.expiring).0)
        #expect(chain.map(\.ends) == [server.ends, expiring.ends])
    }

    @Test(arguments: ["", "x"])
    func `is not read from a text without a certificate`(_ text: String) throws {
        let certificates = try Certificate.all(inPEM: Array(text.utf8))
        #expect(certificates.isEmpty)
    }

    @Test func `makes the whole chain unreadable if it is damaged or encrypted`() throws {
        let path = try Certificates.shared.get().path(.server)
        let good = try String(contentsOfFile: path, encoding: .utf8)
        let begin = "-----BEGIN CERTIFICATE-----\n"
        for bad in [
            begin + "MIIB\n-----END CERTIFICATE-----\n", begin + "MIIB",
            good.replacing(
                begin,
                with: begin + "Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-256-CBC,"
                    + "00112233445566778899AABBCCDDEEFF\n\n"
            ),
        ] {
            for text in [bad, good + bad, bad + good] {
                #expect(throws: CryptographyFailure.invalidCertificate) {
                    try Certificate.all(inPEM: Array(text.utf8))
                }
            }
        }
    }
}
