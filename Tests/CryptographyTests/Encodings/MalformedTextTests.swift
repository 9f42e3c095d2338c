import Testing

@testable import Cryptography

@Suite struct `Malformed text is rejected` {
    @Test(arguments: [
        "a", "abc", "0x00", " ab", "ab ", "a b", "ab\n", "ab\0", "gg", "-1", "+1", "ab=", "==",
        "０１", "é0", "a\u{301}",
    ])
    func `as hexadecimal`(text: String) {
        expectRefused(text, by: .hexadecimal)
    }

    @Test(arguments: [
        // Lengths that do not make whole bytes, with and without padding.
        "A", "AAA", "AAAAAA", "A=======", "AAA=====", "AAAAAA==",
        // Padding too short, too long, in the middle, or alone.
        "MY=", "MY=====", "MY=======", "MZXW6YTB=", "MZXW6YTB========", "========",
        "MY======MY======", "M=Y=====", "=",
        // Unused bits: MZ would be read as MY.
        "MZ", "MZ======", "MZXR", "MZXW7", "MZXW6YR",
        // Invalid characters.
        "M0", "M1", "M8", "M9", "MY ", " MY", "M Y", "MY\n", "MY\0", "M-", "ＭＹ", "ıı", "ſſ",
    ])
    func `as base32`(text: String) {
        expectRefused(text, by: .base32)
    }

    @Test(arguments: [
        "A", "AAAAA", "Zg", "Zg=", "Zm8", "Zm9vY", "Zg===", "Zm8==", "Zm9v=", "Zm9v==", "Zm9v====",
        "=", "==", "===", "====", "Z===", "Zg==Zg==", "Z=g=",
        // Unused bits: Zh== would be read as Zg==.
        "Zh==", "Zm9=", "Zm9vYh==",
        "Zg-_", "Zm8 ", " Zm8", "Zm 8", "Zm9v\n", "Zm\r\n8=", "Zm9\0", "Ｚm8=", "Zm8＝",
    ])
    func `as base64`(text: String) {
        expectRefused(text, by: .base64)
    }

    @Test(arguments: [
        "A", "AAAAA", "Zg==", "Zg=", "Zm8=", "=", "====", "Zm9v====", "Zh", "Zm9", "Zg+/", "Zm8 ",
        " Zm8", "Zm8\n", "Zm8\0", "Zm8.", "Ｚm8",
    ])
    func `as base64url`(text: String) {
        expectRefused(text, by: .base64URL)
    }

    @Test(arguments: [TextEncoding.base64, .base64URL])
    func `because each byte string has one spelling`(encoding: TextEncoding) throws {
        for text in Self.everyShortText {
            // Most of these texts are rejected.
            guard let bytes = try? encoding.decode(text) else { continue }
            #expect(encoding.encode(bytes.span) == text)
        }
    }

    @Test(arguments: [TextEncoding.hexadecimal, .base32])
    func `because base32 spellings differ only in case and padding`(
        encoding: TextEncoding
    ) throws {
        for text in Self.everyShortText {
            // Most of these texts are rejected.
            guard let bytes = try? encoding.decode(text) else { continue }
            let padded = encoding.encode(bytes.span).uppercased()
            #expect([padded, padded.filter { $0 != "=" }].contains(text))
        }
    }

    /// All texts of up to nine characters from these three characters.
    private static let everyShortText = (1...9).reduce(into: [[""]]) { lengths, _ in
        lengths.append(lengths[lengths.count - 1].flatMap { [$0 + "A", $0 + "B", $0 + "="] })
    }.flatMap { $0 }

    private func expectRefused(
        _ text: String,
        by encoding: TextEncoding,
        _ location: SourceLocation = #_sourceLocation
    ) {
        let characters = Array(text.utf8)
        let failure = #expect(throws: CryptographyFailure.self, sourceLocation: location) {
            _ = try encoding.decode(text)
        }
        #expect(throws: failure ?? .invalidArgument, "as a secret", sourceLocation: location) {
            _ = try encoding.decode(secret: characters.span)
        }
        guard case .malformedEncoding(let offset) = failure else {
            Issue.record("\(String(describing: failure))", sourceLocation: location)
            return
        }
        #expect((0...characters.count).contains(offset), sourceLocation: location)
    }
}
