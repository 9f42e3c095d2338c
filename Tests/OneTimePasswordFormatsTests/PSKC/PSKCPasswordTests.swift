import Cryptography
import Testing

@testable import OneTimePassword
@testable import OneTimePasswordFormats

@Suite struct `A PSKC document with a password` {
    typealias Failure = PSKCDocument.ReadingFailure

    /// The PBKDF2 parameters in RFC 6030, figure 7.
    private static let parameters = """
        <xenc11:DerivedKey><xenc11:KeyDerivationMethod \
        Algorithm="http://www.rsasecurity.com/rsalabs/pkcs/schemas/pkcs-5v2-0#pbkdf2">\
        <p:PBKDF2-params xmlns:p="http://www.rsasecurity.com/rsalabs/pkcs/schemas/pkcs-5v2-0#" \
        xmlns=""><Salt><Specified>Ej7/PEpyEpw=</Specified></Salt>\
        <IterationCount>1000</IterationCount><KeyLength>16</KeyLength><PRF/></p:PBKDF2-params>\
        </xenc11:KeyDerivationMethod></xenc11:DerivedKey>
        """

    @Test(arguments: [
        ("", ""), ("<PRF/>", ""),
        ("<PRF/>", "<PRF Algorithm='http://www.w3.org/2000/09/xmldsig#hmac-sha1'/>"),
        (
            "http://www.rsasecurity.com/rsalabs/pkcs/schemas/pkcs-5v2-0#pbkdf2",
            "http://www.rsasecurity.com/rsalabs/pkcs/schemas/pkcs-5#pbkdf2"
        ),
        (
            "http://www.rsasecurity.com/rsalabs/pkcs/schemas/pkcs-5v2-0#pbkdf2",
            "http://www.w3.org/2009/xmlenc11#pbkdf2"
        ),
        (
            "p=\"http://www.rsasecurity.com/rsalabs/pkcs/schemas/pkcs-5v2-0#\"",
            "p=\"http://www.w3.org/2009/xmlenc11#\""
        ),
        ("xmlns=\"\"", ""), ("xmlns=\"\"", "xmlns=\"http://www.w3.org/2009/xmlenc11#\""),
    ])
    func `opens for every spelling of its parameters`(_ old: String, _ new: String) throws {
        let sample = try sample(.sha1) { $0.replacing(old, with: new) }
        #expect(try read(sample).keys.count == 1)
    }

    @Test(arguments: HMACAlgorithm.allCases)
    func `opens for each PBKDF2 hash function`(_ algorithm: HMACAlgorithm) throws {
        let sample = try sample(algorithm) {
            $0.replacing("<PRF/>", with: "<PRF Algorithm='\(algorithm.hmacURI)'/>")
        }
        #expect(try read(sample).keys.count == 1)
    }

    @Test func `does not open with another password`() throws {
        let sample = try sample(.sha1) { $0 }
        for password in ["Qwerty", "qwerty ", "qwert"] {
            #expect(throws: Failure.macMismatch(line: 8)) { try read(sample, password: password) }
        }
    }

    @Test func `needs a password`() throws {
        let sample = try sample(.sha1) { $0 }
        let key = PSKCDocument.Unlock.preSharedKey(try SecretBytes("0123456789abcdef"))
        for unlock in [.nothing, key] {
            #expect(throws: Failure.passwordNeeded) {
                try PSKCDocument(reading: sample.text, unlockedBy: unlock)
            }
        }
    }

    /// Four billion iterations would take half an hour.
    @Test(arguments: ["0", "2000001", "4294967295", "9223372036854775807"])
    func `cannot require unlimited iterations`(_ count: String) throws {
        let sample = try sample(.sha1) { $0.replacing(">1000<", with: ">\(count)<") }
        #expect(throws: Failure.iterationsOutOfRange) { try read(sample) }
    }

    @Test(arguments: ["0", "15", "17", "64", "2147483647", "18446744073709551615"])
    func `cannot require a key length that AES does not have`(_ length: String) throws {
        let sample = try sample(.sha1) { $0.replacing(">16<", with: ">\(length)<") }
        #expect(throws: Failure.malformed("KeyLength", line: 5)) { try read(sample) }
    }

    @Test func `cannot require a key length that its cipher does not have`() throws {
        let sample = try sample(.sha1) { $0.replacing(">16<", with: ">32<") }
        #expect(throws: Failure.wrongKeyLength(expectedByteCount: 16)) { try read(sample) }
    }

    @Test(arguments: [
        ("<Salt><Specified>Ej7/PEpyEpw=</Specified></Salt>", "Salt"),
        ("<Specified>Ej7/PEpyEpw=</Specified>", "Specified"),
        ("<IterationCount>1000</IterationCount>", "IterationCount"),
        ("<KeyLength>16</KeyLength>", "KeyLength"),
    ])
    func `must contain each parameter`(_ parameter: String, _ name: String) throws {
        let sample = try sample(.sha1) { $0.replacing(parameter, with: "") }
        #expect(throws: Failure.missing(name, line: 5)) { try read(sample) }
    }

    @Test(arguments: [
        ("pkcs-5v2-0#pbkdf2", "pkcs-5v2-0#pbkdf1"),
        ("<PRF/>", "<PRF Algorithm='http://www.w3.org/2001/04/xmldsig-more#hmac-md5'/>"),
    ])
    func `is rejected by the name of an unsupported derivation`(_ old: String, _ new: String) throws
    {
        let sample = try sample(.sha1) { $0.replacing(old, with: new) }
        let failure = try #require(throws: Failure.self) { try read(sample) }
        let isByName =
            if case .unsupportedAlgorithm(let uri, line: 5) = failure {
                new.contains(uri.suffix(8))
            } else {
                false
            }
        #expect(isByName)
    }

    // MARK: -

    /// A document with a key from `qwerty` by `algorithm`, with changed parameters.
    private func sample(
        _ algorithm: HMACAlgorithm,
        _ change: (String) -> String
    ) throws -> EncryptedSample {
        let derivation = KeyDerivation(
            salt: try TextEncoding.base64.decode("Ej7/PEpyEpw="),
            iterations: 1000,
            keyByteCount: 16,
            algorithm: algorithm
        )
        let key = try derivation.key(from: try SecretBytes("qwerty"))
        var sample = try EncryptedSample(key: key.withBytes { $0.array })
        sample.encryptionKey = change(Self.parameters)
        return sample
    }

    private func read(
        _ sample: EncryptedSample,
        password: String = "qwerty"
    ) throws -> PSKCDocument {
        let password = try SecretBytes(password)
        return try PSKCDocument(reading: sample.text, unlockedBy: .password(password))
    }
}
