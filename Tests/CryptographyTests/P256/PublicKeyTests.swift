import Testing

@testable import Cryptography

@Suite struct `P-256 public keys` {
    private static let x = "6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296"
    private static let y = "4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5"
    private static let zero = String(repeating: "0", count: 64)
    private static let prime = "ffffffff00000001000000000000000000000000ffffffffffffffffffffffff"
    /// The point with x = 5; 32 bytes can also write x as 5 + the prime.
    private static let smallX = String(repeating: "0", count: 63) + "5"
    private static let smallXAgain =
        "ffffffff00000001000000000000000000000001000000000000000000000004"
    private static let yOfSmallX =
        "459243b9aa581806fe913bce99817ade11ca503c64d9a3c533415c083248fbcc"

    @Test(arguments: ["04" + x + y, "04" + smallX + yOfSmallX])
    func `are read from a point on the curve`(point: String) throws {
        let point = try [UInt8](hexadecimal: point)
        #expect(try P256.PublicKey(uncompressedPoint: point.span).uncompressedPoint == point)
    }

    @Test(
        arguments: [
            // Infinity, in one byte and in many; compressed; hybrid; no format byte; wrong lengths.
            "", "00", "00" + zero + zero, "04" + zero + zero, "02" + x, "03" + x, "02" + x + y,
            "03" + x + y, "06" + x + y, "07" + x + y, "00" + x + y, "05" + x + y, "84" + x + y,
            x + y,
            "04" + x, "04" + x + y + "00", "04" + x + y.dropLast(2), "0004" + x + y,
            // Not on the curve: changed y, exchanged coordinates, a point of secp256k1.
            "04" + x + y.dropLast(1) + "4", "04" + y + x, "04" + x + zero, "04" + zero + y,
            "0479be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798"
                + "483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8",
            // Coordinates that are not below the prime.
            "04" + smallXAgain + yOfSmallX, "04" + prime + y, "04" + x + prime,
            "04" + String(repeating: "f", count: 128),
        ] as [String]
    )
    func `are not read from any other bytes`(point: String) throws {
        let point = try [UInt8](hexadecimal: point)
        #expect(throws: CryptographyFailure.invalidCurveEncoding) {
            _ = try P256.PublicKey(uncompressedPoint: point.span)
        }
    }

    @Test func `are not read from a point with one changed bit`() throws {
        let point = try P256.PrivateKey().publicKey.uncompressedPoint
        for bit in 0..<point.count * 8 {
            let other = point.flipping(bit: bit)
            #expect(throws: CryptographyFailure.invalidCurveEncoding) {
                _ = try P256.PublicKey(uncompressedPoint: other.span)
            }
        }
    }

    @Test func `are read only from one form of SubjectPublicKeyInfo`() throws {
        let key = try P256.PrivateKey().publicKey
        let encoded = key.subjectPublicKeyInfo
        #expect(encoded.count == 91)
        #expect(try P256.PublicKey(subjectPublicKeyInfo: encoded.span) == key)
        let hybrid = encoded.prefix(26) + [0x06] + encoded.dropFirst(27)
        for other in [[], encoded + [0], encoded.dropLast(), [0x30] + encoded, Array(hybrid)] {
            expectRefused(Array(other))
        }
        for bit in 0..<27 * 8 { expectRefused(encoded.flipping(bit: bit)) }
    }

    @Test func `are equal if their points are equal`() throws {
        let (key, other) = (try P256.PrivateKey().publicKey, try P256.PrivateKey().publicKey)
        #expect(key == (try P256.PublicKey(uncompressedPoint: key.uncompressedPoint.span)))
        #expect(key != other)
    }

    private func expectRefused(_ encoded: [UInt8]) {
        #expect(throws: CryptographyFailure.invalidCurveEncoding) {
            _ = try P256.PublicKey(subjectPublicKeyInfo: encoded.span)
        }
    }
}
