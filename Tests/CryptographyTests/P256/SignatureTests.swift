import Testing

@testable import Cryptography

@Suite struct `P-256 signatures` {
    private let message = Array("a message".utf8)

    @Test(arguments: [0, 1, 1000])
    func `are valid only for their key and message`(count: Int) throws {
        let key = try P256.PrivateKey()
        let message = [UInt8](repeating: 7, count: count)
        let raw = try key.signature(for: message.span).raw
        #expect(try isValid(raw, key, message))
        #expect(try !isValid(raw, key, message + [0]))
        #expect(try !isValid(raw, P256.PrivateKey(), message))
    }

    @Test func `are invalid after a change of one bit`() throws {
        let key = try P256.PrivateKey()
        let raw = try key.signature(for: message.span).raw
        for bit in 0..<raw.count * 8 {
            #expect(try !isValid(raw.flipping(bit: bit), key, message))
        }
    }

    @Test func `are invalid, without an error, if a number is outside the curve's order`() throws {
        let order = try [UInt8](
            hexadecimal: "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551"
        )
        let key = try P256.PrivateKey()
        let raw = try key.signature(for: message.span).raw
        let (r, s) = (Array(raw.prefix(32)), Array(raw.suffix(32)))
        let (zero, most) = ([UInt8](repeating: 0, count: 32), [UInt8](repeating: 255, count: 32))
        for wrong in [zero + s, r + zero, zero + zero, order + s, r + order, most + most] {
            #expect(try !isValid(wrong, key, message))
        }
    }

    // Every signature differs, so these contain numbers of several lengths.
    @Test func `are decoded from both forms`() throws {
        let key = try P256.PrivateKey()
        for _ in 0..<500 {
            let signature = try key.signature(for: message.span)
            let encoded = signature.distinguishedEncoding
            #expect(try P256.Signature(distinguishedEncoding: encoded.span) == signature)
            #expect(try P256.Signature(raw: signature.raw.span) == signature)
        }
    }

    @Test(arguments: [0, 1, 32, 63, 65, 128])
    func `must have 64 bytes`(count: Int) {
        let raw = [UInt8](repeating: 1, count: count)
        #expect(throws: CryptographyFailure.invalidCurveEncoding) {
            _ = try P256.Signature(raw: raw.span)
        }
    }

    private func isValid(
        _ raw: [UInt8],
        _ key: P256.PrivateKey,
        _ message: [UInt8]
    ) throws -> Bool {
        let signature = try P256.Signature(raw: raw.span)
        return try key.publicKey.isValid(signature, for: message.span)
    }
}
