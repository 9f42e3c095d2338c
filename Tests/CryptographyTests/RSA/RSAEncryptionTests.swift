import COpenSSL
import TestSupport
import Testing

@testable import Cryptography

@Suite struct `RSA encryption` {
    private static let padding = """
        -pkeyopt rsa_padding_mode:oaep -pkeyopt rsa_oaep_md:sha256 -pkeyopt rsa_mgf1_md:sha256
        """

    private let keys: RSAKeys
    private let secret = [UInt8](0..<32)

    init() throws {
        keys = try RSAKeys()
    }

    @Test func `is decrypted by openssl`() throws {
        let ciphertext = try keys.publicKey().encrypt(SecureBytes(secret))
        #expect(ciphertext.count == 256)
        try keys.write(ciphertext, to: "ciphertext")
        let options = "-in ciphertext -out opened \(Self.padding)"
        #expect(try keys.openssl("pkeyutl -decrypt -inkey key.pem \(options)").exitCode == 0)
        #expect(try keys.read("opened") == secret)
    }

    @Test func `decrypts what openssl encrypted`() throws {
        try keys.write(secret, to: "secret")
        let options = "-in secret -out ciphertext \(Self.padding)"
        try keys.openssl("pkeyutl -encrypt -pubin -inkey public.pem \(options)")
        let ciphertext = try keys.read("ciphertext")
        #expect(try keys.privateKey.decrypt(ciphertext.span).array == secret)
    }

    @Test(arguments: [
        "-pkeyopt rsa_padding_mode:pkcs1",
        "-pkeyopt rsa_padding_mode:oaep -pkeyopt rsa_oaep_md:sha1",
        "-pkeyopt rsa_padding_mode:oaep -pkeyopt rsa_oaep_md:sha256 -pkeyopt rsa_mgf1_md:sha1",
    ])
    func `refuses other paddings`(padding: String) throws {
        try keys.write(secret, to: "secret")
        let options = "-in secret -out ciphertext \(padding)"
        try keys.openssl("pkeyutl -encrypt -pubin -inkey public.pem \(options)")
        let ciphertext = try keys.read("ciphertext")
        #expect(throws: CryptographyFailure.authenticationFailed) {
            _ = try keys.privateKey.decrypt(ciphertext.span)
        }
        #expect(ERR_peek_error() == 0)
    }

    @Test func `refuses changed bytes and other lengths`() throws {
        let ciphertext = try keys.publicKey().encrypt(SecureBytes(secret))
        let others =
            (0..<64).map { ciphertext.flipping(bit: $0 * 32) }
            + [[], Array(ciphertext.dropLast()), ciphertext + [0], [0] + ciphertext]
            + [[UInt8](repeating: 0, count: 256), [UInt8](repeating: 255, count: 256)]
        for other in others {
            #expect(throws: CryptographyFailure.authenticationFailed) {
                _ = try keys.privateKey.decrypt(other.span)
            }
        }
        #expect(ERR_peek_error() == 0)
    }
}

@Suite struct `RSA signatures with random salt` {
    private let keys: RSAKeys
    private let message = Array("header.payload".utf8)

    init() throws {
        keys = try RSAKeys()
        try keys.write(message, to: "message")
    }

    private func options(salt: String = "digest", maskHash: String = "sha256") -> String {
        """
        -sigopt rsa_padding_mode:pss -sigopt rsa_pss_saltlen:\(salt) \
        -sigopt rsa_mgf1_md:\(maskHash)
        """
    }

    private func signatureOfOpenSSL(_ words: String) throws -> [UInt8] {
        try keys.openssl("dgst \(words) -sign key.pem -out signature message")
        return try keys.read("signature")
    }

    @Test func `are valid for openssl`() throws {
        let signature = try keys.privateKey.pssSignature(for: message.span)
        #expect(signature.count == 256)
        #expect(signature != (try keys.privateKey.pssSignature(for: message.span)))
        try keys.write(signature, to: "signature")
        let words = "dgst -sha256 \(options()) -verify public.pem -signature signature message"
        #expect(try keys.openssl(words).output == "Verified OK\n")
    }

    @Test func `are accepted from openssl, and only for their message and key`() throws {
        let signature = try signatureOfOpenSSL("-sha256 \(options())")
        let key = try keys.publicKey()
        #expect(try key.isValid(pssSignature: signature.span, for: message.span))
        let other = message + [0]
        #expect(try !key.isValid(pssSignature: signature.span, for: other.span))
        let otherKey = try RSAKeys(isOther: true).publicKey()
        #expect(try !otherKey.isValid(pssSignature: signature.span, for: message.span))
        for changed in (0..<64).map({ signature.flipping(bit: $0 * 32 + 5) })
            + [[], Array(signature.dropLast()), signature + [0]]
        {
            #expect(try !key.isValid(pssSignature: changed.span, for: message.span))
        }
        #expect(ERR_peek_error() == 0)
    }

    @Test func `are refused with another salt length, hash or padding`() throws {
        let key = try keys.publicKey()
        let words = [
            "-sha256 \(options(salt: "20"))", "-sha256 \(options(salt: "0"))",
            "-sha256 \(options(salt: "max"))", "-sha256 \(options(maskHash: "sha1"))",
            "-sha512 \(options())", "-sha256",
        ]
        for words in words {
            let signature = try signatureOfOpenSSL(words)
            #expect(signature.count == 256)
            #expect(try !key.isValid(pssSignature: signature.span, for: message.span), "\(words)")
        }
    }
}

@Suite struct `A public RSA key` {
    @Test func `has 2048 to 4096 bits and an odd exponent of at least 65537`() throws {
        let accepted: [(bits: Int, exponent: [UInt8])] = [
            (2048, [1, 0, 1]), (4096, [1, 0, 1]), (3072, [0xff, 0xff, 0xff, 0xff]),
        ]
        for (bits, exponent) in accepted {
            #expect(throws: Never.self) { try key(bits: bits, exponent) }
        }
        let refused: [(bits: Int, exponent: [UInt8])] = [
            (2047, [1, 0, 1]), (4097, [1, 0, 1]), (1024, [1, 0, 1]), (0, [1, 0, 1]), (2048, [1]),
            (2048, [3]), (2048, []), (2048, [1, 0, 0]), (2048, [0, 1, 0, 1]), (2048, [0xff, 0xff]),
            (2048, [1, 0, 0, 0, 1]), (2048, [0, 0xff, 0xff]),
        ]
        for (bits, exponent) in refused {
            #expect(throws: CryptographyFailure.invalidRSAKey) { try key(bits: bits, exponent) }
        }
    }

    @Test func `has one spelling, which is an odd number`() {
        let exponent: [UInt8] = [1, 0, 1]
        for modulus in [[0] + number(bits: 2048), number(bits: 2048).dropLast() + [2]] {
            #expect(throws: CryptographyFailure.invalidRSAKey) {
                try RSA.PublicKey(modulus: modulus.span, exponent: exponent.span)
            }
        }
    }

    private func number(bits: Int) -> [UInt8] {
        guard bits > 0 else { return [] }
        let rest = [UInt8](repeating: 0xff, count: (bits - 1) / 8)
        return [UInt8(1 << ((bits - 1) % 8))] + rest
    }

    @discardableResult
    private func key(bits: Int, _ exponent: [UInt8]) throws -> RSA.PublicKey {
        try RSA.PublicKey(modulus: number(bits: bits).span, exponent: exponent.span)
    }
}
