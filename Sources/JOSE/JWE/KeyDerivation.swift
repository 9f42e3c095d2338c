package import Cryptography

/// The inputs of a key derivation from a shared secret (NIST SP 800-56A, section 5.8.1).
///
/// Protocols fill them in differently: RFC 7518 with names of algorithms, EMV 3-D Secure with none.
package struct KeyDerivation: Sendable {
    package let algorithmID: [UInt8]
    package let partyUInfo: [UInt8]
    package let partyVInfo: [UInt8]
    package let byteCount: Int

    package init(
        algorithmID: [UInt8],
        partyUInfo: [UInt8],
        partyVInfo: [UInt8],
        byteCount: Int
    ) {
        self.algorithmID = algorithmID
        self.partyUInfo = partyUInfo
        self.partyVInfo = partyVInfo
        self.byteCount = byteCount
    }

    /// Derives a key of `byteCount` bytes.
    package func key(
        from sharedSecret: borrowing SecureBytes
    ) throws(JOSEFailure) -> SecureBytes {
        let info = fixedInfo
        return try orRefused(
            ConcatKDF.derive(from: sharedSecret, fixedInfo: info.span, byteCount: byteCount)
        )
    }

    /// RFC 7518, section 4.6.2: three values after their lengths, then the count of derived bits.
    private var fixedInfo: [UInt8] {
        let values = [algorithmID, partyUInfo, partyVInfo]
        // The derivation refuses a count whose bits overflow.
        return values.flatMap { Self.bigEndian($0.count) + $0 } + Self.bigEndian(byteCount &* 8)
    }

    private static func bigEndian(_ number: Int) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) }
    }
}
