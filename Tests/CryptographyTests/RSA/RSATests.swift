import COpenSSL
import Foundation
import TestSupport
import Testing

@testable import Cryptography

@Suite struct `RSA signatures` {
    private let folder: TemporaryFolder
    private var keyFile: String { folder.path + "/key.pem" }
    private let keys: RSAKeys

    init() throws {
        keys = try RSAKeys()
        folder = keys.folder
    }

    @discardableResult
    private func openssl(_ words: String) throws -> FinishedProcess { try keys.openssl(words) }

    private func text(_ name: String = "key.pem") throws -> String {
        try String(contentsOfFile: folder.path + "/" + name, encoding: .utf8)
    }

    private func key(in text: String) throws(CryptographyFailure) -> RSA.PrivateKey {
        let bytes = Array(text.utf8)
        return try RSA.PrivateKey(pem: bytes.span)
    }

    @Test func `are valid for openssl, and only for their message`() throws {
        let message = Array("header.claims".utf8)
        let signature = try key(in: text()).signature(for: message.span)
        #expect(signature.count == 256)
        try Data(signature).write(to: URL(filePath: folder.path + "/signature"))
        _ = try folder.write("header.claims", to: "message")
        _ = try folder.write("header.claimz", to: "other")
        try openssl("pkey -in key.pem -pubout -out public.pem")
        let verify = "dgst -sha256 -verify public.pem -signature signature"
        #expect(try openssl("\(verify) message").output == "Verified OK\n")
        #expect(try openssl("\(verify) other").exitCode == 1)
    }

    @Test func `accept keys with other line ends, or without the last one`() throws {
        let message: [UInt8] = [1]
        let text = try text()
        let signature = try key(in: text).signature(for: message.span)
        for other in [text.replacing("\n", with: "\r\n"), String(text.dropLast())] {
            #expect(try key(in: other).signature(for: message.span) == signature)
        }
    }

    @Test(arguments: [
        "genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:1024",
        "genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:2048 -pkeyopt rsa_keygen_pubexp:3",
        "genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:4104",
        "genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256",
        "genpkey -algorithm RSA-PSS -pkeyopt rsa_keygen_bits:2048",
        "pkey -in key.pem -traditional",
        "pkey -in key.pem -aes128 -passout pass:secret",
        "pkey -in key.pem -pubout",
    ])
    func `reject every other kind of key`(_ command: String) throws {
        #expect(try openssl("\(command) -out other.pem").exitCode == 0)
        let other = try text("other.pem")
        #expect(throws: CryptographyFailure.invalidRSAKey) { try key(in: other) }
    }

    @Test func `reject a truncated key and additional bytes`() throws {
        let text = try text()
        let lines = text.split(separator: "\n")
        let texts = [
            "", "\n", String(lines[0]), text + text, text.replacing("PRIVATE", with: "SECRET"),
            (lines.prefix(3) + lines.suffix(1)).joined(separator: "\n"),
            lines.enumerated().map { $0 == 2 ? "=" + $1.dropFirst() : String($1) }
                .joined(separator: "\n"),
            text.replacing("\n-----END", with: "\nAAAA\n-----END"),
        ]
        for text in texts {
            #expect(throws: CryptographyFailure.invalidRSAKey) { try key(in: text) }
        }
        #expect(ERR_peek_error() == 0)
    }

    @Test func `SEC-69: do not print their key`() throws {
        let key = try key(in: text())
        #expect("\(key)" == "<redacted>")
        #expect(String(reflecting: key) == "<redacted>")
        #expect(Mirror(reflecting: key).children.isEmpty)
    }
}
