import COpenSSL
import Foundation
import TestSupport
import Testing

@testable import Cryptography

/// Chains that openssl made, judged here and by `openssl verify`.
@Suite struct `Trust in a certificate` {
    private static let made = Result { try CertificateChains() }

    private let chains: CertificateChains
    private let now: Int64

    init() throws {
        chains = try Self.made.get()
        // Read after the certificates were made, so they are valid.
        now = Int64(Date().timeIntervalSince1970)
    }

    private func isTrusted(
        _ leaf: String,
        below anchor: String = "root",
        through intermediates: [String] = [],
        at seconds: Int64? = nil
    ) throws -> Bool {
        try chains.certificate(leaf).isTrusted(
            below: chains.certificate(anchor),
            through: intermediates.map { try chains.certificate($0) },
            at: seconds ?? now
        )
    }

    @Test(arguments: [
        ("leaf", "root", []), ("below", "root", ["middle"]), ("below", "middle", []),
        ("below", "root", ["other", "middle"]), ("unlimited", "root", []), ("rsa", "root", []),
    ])
    func `leads from an issued certificate to its anchor`(
        leaf: String,
        anchor: String,
        intermediates: [String]
    ) throws {
        #expect(try isTrusted(leaf, below: anchor, through: intermediates))
        #expect(try chains.isTrustedByOpenSSL(leaf, anchor, intermediates))
    }

    @Test(arguments: [
        ("leaf", "other", []), ("below", "root", []), ("below", "root", ["leaf"]),
        // Issued with the key of a certificate that may not issue.
        ("misissued", "root", ["leaf"]), ("forged", "root", []), ("leaf", "leaf2", []),
        ("weakHash", "root", []), ("smallKey", "root", []), ("tooDeep", "root", ["middle", "low"]),
    ])
    func `does not lead anywhere else`(
        leaf: String,
        anchor: String,
        intermediates: [String]
    ) throws {
        #expect(try !isTrusted(leaf, below: anchor, through: intermediates))
        #expect(try !chains.isTrustedByOpenSSL(leaf, anchor, intermediates))
        #expect(ERR_peek_error() == 0)
    }

    @Test func `begins and ends with the certificates' validity`() throws {
        let leaf = try chains.certificate("leaf")
        #expect(try isTrusted("leaf", at: leaf.begins))
        #expect(try !isTrusted("leaf", at: leaf.begins - 1))
        // OpenSSL does not count the last second.
        #expect(try isTrusted("leaf", at: leaf.ends - 1))
        #expect(try !isTrusted("leaf", at: leaf.ends))
        let root = try chains.certificate("root")
        #expect(root.ends > leaf.ends)
        #expect(try !isTrusted("leaf", at: root.ends + 1))
    }

    @Test func `is not given to a certificate that may not sign`() throws {
        #expect(try chains.isTrustedByOpenSSL("encipherment", "root", []))
        #expect(try !isTrusted("encipherment"))
    }

    @Test(arguments: ["client", "server", "code", "unknown"])
    func `SEC-83: is not given to a certificate for TLS or another purpose`(name: String) throws {
        #expect(try chains.isTrustedByOpenSSL(name, "root", []))
        #expect(try !isTrusted(name))
    }

    @Test(arguments: ["any", "several"])
    func `is given to a certificate for any purpose`(name: String) throws {
        #expect(try isTrusted(name))
    }

    @Test(arguments: ["signingCA", "oldCA", "root"])
    func `SEC-83: is not given to a certificate that may issue others`(name: String) throws {
        #expect(try chains.isTrustedByOpenSSL(name, "root", []))
        #expect(try !isTrusted(name))
    }

    @Test func `is not given to the anchor itself`() throws {
        #expect(try chains.isTrustedByOpenSSL("leaf", "leaf", []))
        #expect(try !isTrusted("leaf", below: "leaf"))
        #expect(try !isTrusted("root", below: "root"))
    }

    @Test func `has the key of the certificate`() throws {
        guard case .p256(let key) = try chains.certificate("leaf").publicKey() else {
            Issue.record("another kind of key")
            return
        }
        let shown = try chains.openssl("pkey -in leaf.key -pubout -outform DER | od -An -v -tx1")
        let text = shown.output.filter { !$0.isWhitespace }
        #expect(TextEncoding.hexadecimal.encode(key.subjectPublicKeyInfo.span) == text)
        guard case .rsa(let key) = try chains.certificate("rsa").publicKey() else {
            Issue.record("another kind of key")
            return
        }
        let modulus = try chains.openssl("x509 -in rsa.pem -noout -modulus").output
        let hexadecimal = TextEncoding.hexadecimal.encode(key.modulus.span).uppercased()
        #expect(modulus == "Modulus=\(hexadecimal)\n")
        #expect(key.exponent == [1, 0, 1])
    }

    @Test(arguments: ["p384", "ed25519", "smallKey"])
    func `has no key of another kind or size`(name: String) throws {
        let certificate = try chains.certificate(name)
        #expect(throws: CryptographyFailure.self) { try certificate.publicKey() }
        #expect(ERR_peek_error() == 0)
    }

    @Test func `is only for one certificate in DER`() throws {
        let der = try chains.certificate("leaf").der
        #expect(try Certificate(der: der.span).der == der)
        let others = [[], der + [0], Array(der.dropLast()), [0] + der, der + der]
        for other in others {
            #expect(throws: CryptographyFailure.invalidCertificate) {
                try Certificate(der: other.span)
            }
        }
        #expect(ERR_peek_error() == 0)
    }
}
