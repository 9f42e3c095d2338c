import Cryptography
import JOSE
import StrictJSON
import TestSupport
import Testing

/// Ten thousand changes of correct tokens: each is refused by the one error, and gives no byte.
@Suite struct `A changed token` {
    private static let count = 10_000

    private let keys: TokenKeys
    private let key: [UInt8] = Array(1...32)
    private let text = Array(#"{"messageType":"CReq","sdkCounterStoA":"000"}"#.utf8)

    init() throws {
        keys = try TokenKeys.shared.get()
    }

    private struct Token: Sendable {
        let text: [UInt8]
        let open: @Sendable ([UInt8]) throws -> [UInt8]
    }

    private func direct(_ encryption: JWE.Encryption) throws -> Token {
        let bytes = Array(key.prefix(encryption.keyByteCount))
        let sealed = try JWE.sealed(
            text.span,
            with: SecureBytes(copying: bytes.span),
            encryption: encryption,
            keyID: "7"
        )
        return Token(text: Array(sealed.utf8)) { changed in
            let key = try SecureBytes(copying: bytes.span)
            let token = try JWE(reading: changed, maximumByteCount: 64_000)
            return try token.opened(with: key, permitting: JWE.Encryption.allCases)
        }
    }

    private func agreed(_ encryption: JWE.Encryption) throws -> Token {
        let derivation = KeyDerivation(
            algorithmID: [],
            partyUInfo: [],
            partyVInfo: [1],
            byteCount: 32
        )
        let sealed = try JWE.sealed(
            text.span,
            to: keys.elliptic.publicKey,
            deriving: derivation,
            encryption: encryption
        )
        return Token(text: Array(sealed.utf8)) { [keys] changed in
            try JWE(reading: changed, maximumByteCount: 64_000).opened(
                by: keys.elliptic,
                deriving: derivation,
                permitting: JWE.Encryption.allCases
            )
        }
    }

    private func encrypted(_ encryption: JWE.Encryption) throws -> Token {
        let sealed = try JWE.sealed(text.span, to: keys.rsaPublic, encryption: encryption)
        return Token(text: Array(sealed.utf8)) { [keys] changed in
            try JWE(reading: changed, maximumByteCount: 64_000).opened(
                by: keys.rsa,
                permitting: JWE.Encryption.allCases
            )
        }
    }

    private func signed(
        _ signing: JWS.SigningKey,
        _ verification: JWS.VerificationKey
    ) throws -> Token {
        let signed = try JWS.signed(text.span, by: signing)
        return Token(text: Array(signed.utf8)) { changed in
            try JWS(reading: changed, maximumByteCount: 64_000)
                .payload(verifiedBy: verification)
        }
    }

    /// The time is between the validity of the certificates.
    private func certified() throws -> Token {
        let anchor = try keys.certificate("root")
        let leaf = try keys.certificate("rsa")
        let signed = try JWS.signed(text.span, by: .ps256(keys.rsa), certificates: [leaf])
        return Token(text: Array(signed.utf8)) { changed in
            try JWS(reading: changed, maximumByteCount: 64_000).payload(
                verifiedBelow: anchor,
                at: (leaf.begins + leaf.ends) / 2,
                permitting: JWS.Algorithm.allCases
            )
        }
    }

    private func tokens() throws -> [Token] {
        try JWE.Encryption.allCases.flatMap { encryption in
            [try direct(encryption), try agreed(encryption), try encrypted(encryption)]
        } + [
            signed(.es256(keys.elliptic), .es256(keys.elliptic.publicKey)),
            signed(.ps256(keys.rsa), .ps256(keys.rsaPublic)), certified(),
        ]
    }

    @Test func `SEC-82: is refused and releases nothing`() throws {
        let tokens = try tokens()
        for token in tokens { #expect(try token.open(token.text) == text) }
        var random = SeededGenerator(seed: 83)
        var refused = 0
        for number in 0..<Self.count {
            let token = tokens[number % tokens.count]
            let other = tokens[Int.random(in: 0..<tokens.count, using: &random)]
            let changed = TokenChange.random(using: &random).apply(
                to: token.text,
                other.text,
                using: &random
            )
            // A change can be undone by chance, for example by a swap of equal bytes.
            if changed == token.text { continue }
            do {
                _ = try token.open(changed)
                Issue.record("opened: \(String(decoding: changed, as: UTF8.self))")
            } catch JOSEFailure.refused {
                refused += 1
            }
        }
        #expect(refused > Self.count * 95 / 100)
    }
}

/// A way to change a token.
private enum TokenChange: CaseIterable {
    case bit, byte, removedByte, insertedByte, swappedBytes, cut, repeatedPart, removedPart
    case swappedParts, emptyPart, partOfAnother, partOfBytes, header

    static func random(using random: inout SeededGenerator) -> Self {
        // Most changes are of one byte.
        let kinds = allCases + [Self](repeating: .bit, count: 8) + [.byte, .byte, .byte, .byte]
        return kinds[Int.random(in: 0..<kinds.count, using: &random)]
    }

    func apply(
        to text: [UInt8],
        _ other: [UInt8],
        using random: inout SeededGenerator
    ) -> [UInt8] {
        var text = text
        let place = Int.random(in: 0..<text.count, using: &random)
        switch self {
        case .bit: text[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        case .byte: text[place] = UInt8.random(in: 0...255, using: &random)
        case .removedByte: text.remove(at: place)
        case .insertedByte:
            text.insert(UInt8.random(in: 0...255, using: &random), at: place)
        case .swappedBytes:
            text.swapAt(place, Int.random(in: 0..<text.count, using: &random))
        case .cut: text.removeSubrange(place...)
        default: return changedParts(of: text, other, using: &random)
        }
        return text
    }

    private func changedParts(
        of text: [UInt8],
        _ other: [UInt8],
        using random: inout SeededGenerator
    ) -> [UInt8] {
        let separator = UInt8(ascii: ".")
        var parts = text.split(separator: separator, omittingEmptySubsequences: false)
            .map(Array.init)
        let others = other.split(separator: separator, omittingEmptySubsequences: false)
            .map(Array.init)
        let index = Int.random(in: 0..<parts.count, using: &random)
        switch self {
        case .repeatedPart: parts.insert(parts[index], at: index)
        case .removedPart: parts.remove(at: index)
        case .swappedParts:
            parts.swapAt(index, Int.random(in: 0..<parts.count, using: &random))
        case .emptyPart: parts[index] = []
        case .partOfAnother: parts[index] = others[index % others.count]
        case .partOfBytes:
            let bytes = (0..<Int.random(in: 0...64, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
            parts[index] = Array(TextEncoding.base64URL.encode(bytes.span).utf8)
        default: parts[0] = changedHeader(parts[0], using: &random)
        }
        return Array(parts.joined(separator: [separator]))
    }

    /// Another member, value or algorithm, in correct JSON.
    private func changedHeader(
        _ part: [UInt8],
        using random: inout SeededGenerator
    ) -> [UInt8] {
        let header = (try? TextEncoding.base64URL.decode(part.span)) ?? []
        let text = String(decoding: header, as: UTF8.self)
        let changes: [String] = [
            text.replacing("{", with: "{ "), text.dropLast() + #","crit":[]}"#,
            text.dropLast() + #","zip":"DEF"}"#, text.dropLast() + #","typ":"JWT"}"#,
            text.replacing("A128GCM", with: "A128CBC-HS256"),
            text.replacing("A128CBC-HS256", with: "A128GCM"),
            text.replacing("dir", with: "ECDH-ES"), text.replacing("ECDH-ES", with: "dir"),
            text.replacing("RSA-OAEP-256", with: "dir"), text.replacing("ES256", with: "PS256"),
            text.replacing("PS256", with: "none"), text.replacing("EC", with: "oct"),
            text.replacing("P-256", with: "P-384"), text.replacing(#""x""#, with: #""y""#),
            text.dropLast() + #","alg":"none"}"#, "{}", "[]", "", text + text,
        ]
        return Array(changes[Int.random(in: 0..<changes.count, using: &random)].base64URL.utf8)
    }
}
