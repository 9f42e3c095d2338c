import TestSupport
import Testing

@testable import OneTimePassword
@testable import OneTimePasswordFormats

@Suite struct `Writing a PSKC document` {
    typealias Failure = PSKCDocument.WritingFailure

    @Test(arguments: 0..<100) func `returns a document with the same values`(seed: Int) throws {
        var generator = SeededGenerator(seed: seed)
        let document = try generator.document()
        for way in Way.allCases {
            let written = try document.serialized(
                protection: try way.protection,
                authenticatedBy: HMACAlgorithm.allCases.randomElement(using: &generator) ?? .sha1
            )
            let read = try PSKCDocument(reading: written.span, unlockedBy: try way.unlock)
            #expect(read == document, "\(way)")
        }
    }

    @Test(arguments: Way.hiding) func `encrypts the secret`(_ way: Way) throws {
        let written = try PSKCDocument.sample().serialized(protection: try way.protection)
        let text = String(decoding: written, as: UTF8.self)
        #expect(!text.contains("MTIzNDU2Nzg5MDEyMzQ1Njc4OTA"))
        #expect(!text.contains("PlainValue>MTI"))
        #expect(throws: PSKCDocument.ReadingFailure.self) {
            try PSKCDocument(reading: written.span)
        }
    }

    @Test(arguments: Way.hiding) func `uses new random bytes each time`(_ way: Way) throws {
        let document = try PSKCDocument.sample()
        let texts = try (0..<2).map { _ in
            let written = try document.serialized(protection: try way.protection)
            return String(decoding: written, as: UTF8.self)
        }
        let values = texts.map { text in
            text.matches(of: /<(xenc:CipherValue|Specified)>([^<]+)</).map {
                String($0.2.prefix(20))
            }
        }
        #expect(values[0].count >= 2)
        #expect(Set(values[0]).isDisjoint(with: values[1]))
        #expect(Set(values[0]).count == values[0].count)
    }

    @Test func `uses 600000 PBKDF2 iterations by default`() throws {
        let password = try SecretBytes("correct horse")
        let written = try PSKCDocument.sample().serialized(protection: .password(password))
        #expect(String(decoding: written, as: UTF8.self).contains(">600000<"))
        let read = try PSKCDocument(reading: written.span, unlockedBy: .password(password))
        #expect(try read == .sample())
    }

    @Test(arguments: [0, -1, 2_000_001]) func `rejects an iteration count of`(iterations: Int)
        throws
    {
        let password = try SecretBytes("correct horse")
        #expect(throws: Failure.iterationsOutOfRange) {
            try PSKCDocument.sample()
                .serialized(protection: .password(password, iterations: iterations))
        }
    }

    @Test(arguments: [1, 15, 17, 31, 33, 512]) func `rejects a key of`(byteCount: Int) throws {
        let key = try SecretBytes([UInt8](repeating: 1, count: byteCount))
        #expect(throws: Failure.wrongKeyLength) {
            try PSKCDocument.sample().serialized(protection: .preSharedKey(key, named: "K"))
        }
    }

    @Test func `rejects an empty list, and two keys with the same id`() throws {
        var document = try PSKCDocument.sample()
        document.keys.append(document.keys[0])
        #expect(throws: Failure.duplicateKeyID(keyIndex: 1)) {
            try document.serialized(protection: .nothing)
        }
        document.keys = []
        #expect(throws: Failure.noKeys) { try document.serialized(protection: .nothing) }
    }

    /// Without the unsupported part, the document would allow more than before.
    @Test func `rejects an unsupported policy`() throws {
        let change = Change("</Policy>", to: "<OnWeekdays/></Policy>")
        let document = try PSKCDocument(reading: change.applied())
        #expect(throws: Failure.policyNotUnderstood(keyIndex: 0)) {
            try document.serialized(protection: .nothing)
        }
    }

    @Test(arguments: [
        "\u{202E}knaB", "Ba\u{200B}nk", "Ba\nnk", "Ba\u{0}nk", "Ba\u{FFFF}nk", " Bank", "Bank ",
        " \u{301}Bank",
        String(repeating: "B", count: 1025),
    ])
    func `rejects text that a reader would change`(_ text: String) throws {
        var document = try PSKCDocument.sample()
        document.keys[0].issuer = text
        #expect(throws: Failure.malformed("pskc:Issuer")) {
            try document.serialized(protection: .nothing)
        }
        document.keys[0].issuer = "Bank"
        document.keys[0].id = text
        #expect(throws: Failure.malformed("Id")) { try document.serialized(protection: .nothing) }
    }
}

/// A way to protect a document, and to open it.
enum Way: CaseIterable {
    case nothing, aes128, aes192, aes256, password

    static let hiding: [Way] = [.aes128, .aes192, .aes256, .password]

    var protection: PSKCDocument.Protection {
        get throws {
            switch self {
            case .nothing: .nothing
            case .aes128, .aes192, .aes256:
                .preSharedKey(try SecretBytes(preSharedKey), named: "Key & name")
            case .password: .password(try SecretBytes("qwerty"), iterations: 2)
            }
        }
    }

    var unlock: PSKCDocument.Unlock {
        get throws {
            switch self {
            case .nothing: .nothing
            case .aes128, .aes192, .aes256: .preSharedKey(try SecretBytes(preSharedKey))
            case .password: .password(try SecretBytes("qwerty"))
            }
        }
    }

    var preSharedKey: [UInt8] {
        let byteCount =
            switch self {
            case .aes192: 24
            case .aes256: 32
            default: 16
            }
        return [UInt8](repeating: 0xa5, count: byteCount)
    }
}
