import Cryptography
import TransactionApproval

extension SecureBytes {
    /// A secret with known bytes.
    init(_ bytes: [UInt8]) throws(CryptographyFailure) {
        try self.init(copying: bytes.span)
    }
}

/// Like `#require`, for noncopyable values.
func required<Value: ~Copyable>(_ value: consuming Value?) throws -> Value {
    guard let value else { throw Missing() }
    return value
}

private struct Missing: Error {}

extension CredentialSeed {
    /// A seed with known bytes.
    init(_ bytes: [UInt8]) throws {
        self = try required(CredentialSeed(try SecureBytes(bytes)))
    }

    var array: [UInt8] { withBytes { $0.array } }
}

extension [UInt8] {
    /// The same bytes with one bit flipped.
    func flipping(bit: Int) -> [UInt8] {
        var flipped = self
        flipped[bit / 8] ^= 1 << UInt8(bit % 8)
        return flipped
    }

    /// The same bytes once for each bit, with that bit flipped.
    var eachWithOneBitFlipped: [[UInt8]] { (0..<count * 8).map { flipping(bit: $0) } }
}

extension EnterpriseID {
    static let bank = EnterpriseID(checked: "bank")
    static let shop = EnterpriseID(checked: "shop")
}

extension CredentialID {
    static let one = CredentialID(checked: Array(0..<16))
    static let other = CredentialID(checked: Array(1...16))
}

extension CredentialContext {
    static func sample(
        enterprise: EnterpriseID = .bank,
        id: CredentialID = .one,
        kind: CredentialKind = .user,
        generation: UInt64 = 3
    ) -> CredentialContext {
        CredentialContext(
            enterprise: enterprise,
            id: id,
            kind: kind,
            generation: Generation(generation)
        )
    }
}
