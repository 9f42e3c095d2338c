@testable import Cryptography

extension SecureBytes {
    /// A secret with known bytes.
    init(_ bytes: [UInt8]) throws(CryptographyFailure) {
        try self.init(copying: bytes.span)
    }

    var array: [UInt8] { withBytes { $0.array } }
}

extension [UInt8] {
    init(hexadecimal: String) throws(CryptographyFailure) {
        self = try TextEncoding.hexadecimal.decode(hexadecimal)
    }

    /// The same bytes with one bit inverted.
    func flipping(bit: Int) -> [UInt8] {
        var flipped = self
        flipped[bit / 8] ^= 1 << UInt8(bit % 8)
        return flipped
    }
}
