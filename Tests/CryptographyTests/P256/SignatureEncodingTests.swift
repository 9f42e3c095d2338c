import Testing

@testable import Cryptography

@Suite struct `The DER encoding of a signature` {
    @Test(arguments: [
        ("", "", "3006020100020100"),
        ("01", "02", "3006020101020102"),
        ("7f", "80", "300702017f02020080"),
        ("0100", "ff", "300802020100020200ff"),
        (
            String(repeating: "ff", count: 32), String(repeating: "7f", count: 32),
            "3045022100" + String(repeating: "ff", count: 32) + "0220"
                + String(repeating: "7f", count: 32)
        ),
        (
            String(repeating: "80", count: 32), String(repeating: "ff", count: 32),
            "3046022100" + String(repeating: "80", count: 32) + "022100"
                + String(repeating: "ff", count: 32)
        ),
    ])
    func `is the shortest one, and is decoded again`(r: String, s: String, encoded: String) throws {
        let raw = try [UInt8](hexadecimal: padded(r) + padded(s))
        let encoded = try [UInt8](hexadecimal: encoded)
        #expect(try P256.Signature(raw: raw.span).distinguishedEncoding == encoded)
        #expect(try P256.Signature(distinguishedEncoding: encoded.span).raw == raw)
    }

    @Test(arguments: [
        "", "30", "3000", "3080", "30800201010201020000", "3003020101",
        // A long length instead of a short one, and a length of the length.
        "308106020101020102", "30820006020101020102", "300702810101020102",
        // Redundant zeros, a missing zero (a negative number), and an empty number.
        "300702020001020102", "30070201010202007f", "3006020180020102", "30060201010201ff",
        "300402000200", "30050200020101",
        // Bytes after the numbers, after the sequence, and a third number.
        "300602010102010200", "300702010102010200", "3009020101020102020103",
        // Lengths that are too large or too small.
        "3007020101020102", "3005020101020102", "3006020201020102", "3006020101020202",
        "307f020101020102", "3006020101027f02",
        // Other tags.
        "3106020101020102", "2006020101020102", "3006030101020102", "30060201010a0102",
        "3006820101020102", "7006020101020102",
    ])
    func `has no other accepted spelling`(encoded: String) throws {
        try expectRefused(try [UInt8](hexadecimal: encoded))
    }

    @Test func `has no number of more than 32 bytes`() throws {
        let most = [UInt8](repeating: 0x7F, count: 33)
        try expectRefused([0x30, 38, 0x02, 33] + most + [0x02, 0x01, 0x01])
        try expectRefused([0x30, 39, 0x02, 34, 0x00, 0xFF] + most.dropFirst() + [2, 1, 1])
    }

    @Test func `is rejected if a byte is missing`() throws {
        let message: [UInt8] = [1]
        let encoded = try P256.PrivateKey().signature(for: message.span).distinguishedEncoding
        for count in 0..<encoded.count { try expectRefused(Array(encoded.prefix(count))) }
        try expectRefused(encoded + [0])
    }

    @Test func `is accepted only if encoding it again gives the same bytes`() throws {
        let message: [UInt8] = [1]
        let encoded = try P256.PrivateKey().signature(for: message.span).distinguishedEncoding
        for place in encoded.indices {
            for byte in UInt8.min...UInt8.max {
                var changed = encoded
                changed[place] = byte
                // Most of these are rejected.
                let signature = try? P256.Signature(distinguishedEncoding: changed.span)
                #expect(signature == nil || signature?.distinguishedEncoding == changed)
            }
        }
    }

    private func padded(_ number: String) -> String {
        String(repeating: "0", count: 64 - number.count) + number
    }

    private func expectRefused(_ encoded: [UInt8]) throws {
        #expect(throws: CryptographyFailure.invalidCurveEncoding) {
            _ = try P256.Signature(distinguishedEncoding: encoded.span)
        }
    }
}
