/// Bytes as text: hexadecimal, base32, base64 and base64url (RFC 4648).
///
/// Decoding is strict: no white space, no unused bits, and one spelling for each byte string. Only
/// hexadecimal and base32 accept both letter cases. Secrets stay in secure memory, and no address
/// or branch depends on them.
package struct TextEncoding: Sendable {
    package static let hexadecimal = TextEncoding(.hexadecimal, padding: .never)
    package static let base32 = TextEncoding(.base32, padding: .allOrNone)
    package static let base64 = TextEncoding(.base64, padding: .always)
    package static let base64URL = TextEncoding(.base64URL, padding: .never)

    private enum Padding { case never, always, allOrNone }

    private let alphabet: Alphabet
    private let padding: Padding

    private init(_ alphabet: Alphabet, padding: Padding) {
        self.alphabet = alphabet
        self.padding = padding
    }
}

// MARK: Secrets

extension TextEncoding {
    package func decode(secret text: Span<UInt8>) throws(CryptographyFailure) -> SecureBytes {
        let body = try bodyCount(of: text)
        return try SecureBytes(count: byteCount(forCharacters: body)) {
            output throws(CryptographyFailure) in
            try decode(text.extracting(first: body), into: output)
        }
    }

    /// The text, as ASCII bytes in secure memory.
    package func encode(secret bytes: Span<UInt8>) throws(CryptographyFailure) -> SecureBytes {
        try SecureBytes(count: characterCount(forBytes: bytes.count)) { output in
            encode(bytes, into: output)
        }
    }
}

// MARK: Public bytes

extension TextEncoding {
    package func decode(_ text: String) throws(CryptographyFailure) -> [UInt8] {
        let characters = Array(text.utf8)
        return try decode(characters.span)
    }

    package func decode(_ text: Span<UInt8>) throws(CryptographyFailure) -> [UInt8] {
        var output: [UInt8] = []
        try decode(text, appendingTo: &output)
        return output
    }

    package func decode(
        _ text: Span<UInt8>,
        appendingTo output: inout [UInt8]
    ) throws(CryptographyFailure) {
        let body = try bodyCount(of: text)
        let start = output.count
        output.append(contentsOf: repeatElement(0, count: byteCount(forCharacters: body)))
        try output.withUnsafeMutableBufferPointer { buffer throws(CryptographyFailure) in
            guard let address = buffer.baseAddress else { return }
            try decodePublic(text.extracting(first: body), into: address + start)
        }
    }

    /// Appends the text, as ASCII bytes.
    package func encode(_ bytes: Span<UInt8>, appendingTo output: inout [UInt8]) {
        let start = output.count
        output.append(contentsOf: repeatElement(0, count: characterCount(forBytes: bytes.count)))
        output.withUnsafeMutableBufferPointer { buffer in
            guard let address = buffer.baseAddress else { return }
            encodePublic(bytes, into: address + start)
        }
    }

    package func encode(_ bytes: Span<UInt8>) -> String {
        String(unsafeUninitializedCapacity: characterCount(forBytes: bytes.count)) { buffer in
            guard let start = buffer.baseAddress else { return 0 }
            encodePublic(bytes, into: start)
            return characterCount(forBytes: bytes.count)
        }
    }
}

// MARK: Lengths

extension TextEncoding {
    private var groupCount: Int {
        switch alphabet.bitsPerCharacter {
        case 4: 2
        case 5: 8
        default: 4
        }
    }

    private func byteCount(forCharacters count: Int) -> Int {
        count * alphabet.bitsPerCharacter / 8
    }

    private func bodyCount(forBytes count: Int) -> Int {
        (count * 8 + alphabet.bitsPerCharacter - 1) / alphabet.bitsPerCharacter
    }

    private func characterCount(forBytes count: Int) -> Int {
        let body = bodyCount(forBytes: count)
        return padding == .never ? body : (body + groupCount - 1) / groupCount * groupCount
    }

    /// The count of characters before the padding, which must be correct.
    private func bodyCount(of text: Span<UInt8>) throws(CryptographyFailure) -> Int {
        let count = text.count
        var body = count
        // A group that contains only padding would be a second spelling of the same bytes.
        while body > 0, count - body < groupCount - 1, text[body - 1] == UInt8(ascii: "=") {
            body -= 1
        }
        let padded = body < count
        let expectsPadding = padding == .always && body % groupCount != 0
        let leftOverBits = body * alphabet.bitsPerCharacter % 8
        guard
            leftOverBits < alphabet.bitsPerCharacter,
            padded ? padding != .never && count % groupCount == 0 : !expectsPadding
        else { throw .malformedEncoding(offset: body) }
        return body
    }
}

// MARK: Base64 of public bytes, by tables

extension TextEncoding {
    /// Decodes groups of four characters; the general loop decodes the rest and finds errors.
    private func decodePublic(
        _ text: Span<UInt8>,
        into output: UnsafeMutablePointer<UInt8>
    ) throws(CryptographyFailure) {
        let groups = alphabet.bitsPerCharacter == 6 ? decodeGroups(text, into: output) : 0
        guard groups * 4 < text.count else { return }
        try decode(text, from: groups * 4, into: output + groups * 3)
    }

    /// Returns the count of groups before the first wrong character or the last, shorter group.
    private func decodeGroups(
        _ text: Span<UInt8>,
        into output: UnsafeMutablePointer<UInt8>
    ) -> Int {
        alphabet.values.withUnsafeBufferPointer { values in
            text.withUnsafeBufferPointer { text in
                for group in 0..<text.count / 4 {
                    func value(_ index: Int) -> UInt32 {
                        UInt32(values[Int(text[group * 4 + index])])
                    }
                    let (a, b, c, d) = (value(0), value(1), value(2), value(3))
                    guard (a | b | c | d) < 64 else { return group }
                    let bytes = a << 18 | b << 12 | c << 6 | d
                    output[group * 3] = UInt8(truncatingIfNeeded: bytes >> 16)
                    output[group * 3 + 1] = UInt8(truncatingIfNeeded: bytes >> 8)
                    output[group * 3 + 2] = UInt8(truncatingIfNeeded: bytes)
                }
                return text.count / 4
            }
        }
    }

    /// Encodes groups of three bytes; the general loop encodes the rest.
    private func encodePublic(_ bytes: Span<UInt8>, into output: UnsafeMutablePointer<UInt8>) {
        let groups = alphabet.bitsPerCharacter == 6 ? bytes.count / 3 : 0
        alphabet.characters.withUnsafeBufferPointer { characters in
            bytes.withUnsafeBufferPointer { bytes in
                for group in 0..<groups {
                    func byte(_ index: Int) -> Int { Int(bytes[group * 3 + index]) }
                    let sextets = byte(0) << 16 | byte(1) << 8 | byte(2)
                    output[group * 4] = characters[sextets >> 18]
                    output[group * 4 + 1] = characters[sextets >> 12 & 63]
                    output[group * 4 + 2] = characters[sextets >> 6 & 63]
                    output[group * 4 + 3] = characters[sextets & 63]
                }
            }
        }
        let rest = bytes.extracting(droppingFirst: groups * 3)
        if !rest.isEmpty { encode(rest, into: output + groups * 4) }
    }
}

// MARK: The loops

extension TextEncoding {
    private func decode(
        _ text: Span<UInt8>,
        from start: Int = 0,
        into output: UnsafeMutablePointer<UInt8>
    ) throws(CryptographyFailure) {
        var pending: UInt32 = 0
        var pendingBits = 0
        var written = 0
        for offset in start..<text.count {
            let value = alphabet.value(of: text[offset])
            guard let value else { throw .malformedEncoding(offset: offset) }
            pending = pending << UInt32(alphabet.bitsPerCharacter) | UInt32(value)
            pendingBits += alphabet.bitsPerCharacter
            if pendingBits >= 8 {
                pendingBits -= 8
                output[written] = UInt8(truncatingIfNeeded: pending >> UInt32(pendingBits))
                written += 1
            }
        }
        let strayBits = pending & (1 << UInt32(pendingBits) - 1)
        guard strayBits == 0 else { throw .malformedEncoding(offset: text.count - 1) }
    }

    private func encode(_ bytes: Span<UInt8>, into output: UnsafeMutablePointer<UInt8>) {
        var pending: UInt32 = 0
        var pendingBits = 0
        var written = 0
        func write(_ sextet: UInt32) {
            output[written] = alphabet.character(for: UInt8(truncatingIfNeeded: sextet))
            written += 1
        }
        for offset in 0..<bytes.count {
            pending = pending << 8 | UInt32(bytes[offset])
            pendingBits += 8
            while pendingBits >= alphabet.bitsPerCharacter {
                pendingBits -= alphabet.bitsPerCharacter
                write(pending >> UInt32(pendingBits) & alphabet.mask)
            }
        }
        if pendingBits > 0 {
            write(pending << UInt32(alphabet.bitsPerCharacter - pendingBits) & alphabet.mask)
        }
        while written < characterCount(forBytes: bytes.count) {
            output[written] = UInt8(ascii: "=")
            written += 1
        }
    }
}
