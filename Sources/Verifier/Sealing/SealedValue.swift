import TransactionApproval

/// A secret at rest: encrypted under a key that is not in the database, and bound to its owner.
package struct SealedValue: Equatable, Sendable {
    /// Which of the verifier's keys it is under.
    package let keyVersion: UInt32
    /// Nonce, ciphertext and tag.
    let bytes: [UInt8]

    init(keyVersion: UInt32, bytes: [UInt8]) {
        self.keyVersion = keyVersion
        self.bytes = bytes
    }

    /// Reads what a store kept; nil where it is none.
    package init?(stored: [UInt8]) {
        var reader = FieldReader(stored)
        guard
            // Why it is none does not matter: the record is damaged.
            (try? reader.byte()) == Self.format,
            let keyVersion = try? reader.number(UInt32.self)
        else { return nil }
        self.init(keyVersion: keyVersion, bytes: Array(stored.dropFirst(reader.offset)))
    }

    package var stored: [UInt8] {
        var writer = FieldWriter()
        writer.append(Self.format)
        writer.append(keyVersion)
        return writer.bytes + bytes
    }

    private static let format: UInt8 = 1
}
