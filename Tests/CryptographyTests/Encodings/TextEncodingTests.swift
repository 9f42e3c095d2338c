import Testing

@testable import Cryptography

extension TextEncoding {
    static let all = [hexadecimal, base32, base64, base64URL]
}

@Suite struct `Text encodings` {
    // RFC 4648, section 10; our hexadecimal is lower case.
    @Test(arguments: [
        ("", "", "", "", ""),
        ("f", "66", "MY======", "Zg==", "Zg"),
        ("fo", "666f", "MZXQ====", "Zm8=", "Zm8"),
        ("foo", "666f6f", "MZXW6===", "Zm9v", "Zm9v"),
        ("foob", "666f6f62", "MZXW6YQ=", "Zm9vYg==", "Zm9vYg"),
        ("fooba", "666f6f6261", "MZXW6YTB", "Zm9vYmE=", "Zm9vYmE"),
        ("foobar", "666f6f626172", "MZXW6YTBOI======", "Zm9vYmFy", "Zm9vYmFy"),
        ("\u{1F}~\u{3E}?", "1f7e3e3f", "D57D4PY=", "H34+Pw==", "H34-Pw"),
        ("\u{7FF}", "dfbf", "367Q====", "378=", "378"),
    ])
    func `match the published texts`(
        plain: String,
        hexadecimal: String,
        base32: String,
        base64: String,
        base64URL: String
    ) throws {
        let bytes = Array(plain.utf8)
        for (encoding, text) in zip(TextEncoding.all, [hexadecimal, base32, base64, base64URL]) {
            #expect(encoding.encode(bytes.span) == text)
            #expect(try encoding.decode(text) == bytes)
        }
    }

    @Test(arguments: TextEncoding.all.indices)
    func `decode their own output for every length and every byte`(index: Int) throws {
        let encoding = TextEncoding.all[index]
        for count in 0...100 {
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 77 &+ count) }
            let text = encoding.encode(bytes.span)
            #expect(try encoding.decode(text) == bytes)
            let secretText = try encoding.encode(secret: bytes.span)
            #expect(secretText.array == Array(text.utf8))
            let decoded = try secretText.withBytes { text in try encoding.decode(secret: text) }
            #expect(decoded.array == bytes)
        }
        let everyByte = (0...255).map { UInt8($0) }
        #expect(try encoding.decode(encoding.encode(everyByte.span)) == everyByte)
    }

    @Test(arguments: [
        (TextEncoding.hexadecimal, "0123456789abcdefABCDEF", 2),
        (.base32, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz234567", 8),
        (.base64, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/", 4),
        (.base64URL, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_", 4),
    ])
    func `reject all characters outside the alphabet`(
        encoding: TextEncoding,
        alphabet: String,
        groupCount: Int
    ) throws {
        let group = [UInt8](repeating: UInt8(ascii: "A"), count: groupCount)
        for place in 0..<groupCount - 1 {
            for character in UInt8.min...UInt8.max {
                var text = group
                text[place] = character
                let decoded = Result { try encoding.decode(secret: text.span).count }
                if alphabet.utf8.contains(character) {
                    #expect(throws: Never.self) { try decoded.get() }
                } else {
                    #expect(throws: CryptographyFailure.malformedEncoding(offset: place)) {
                        try decoded.get()
                    }
                }
            }
        }
    }
}
