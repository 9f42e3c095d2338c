/// A signed message in compact serialization (RFC 7515) that is not verified yet.
package struct JWS: Sendable {
    package enum Algorithm: String, Sendable, CaseIterable {
        /// ECDSA on P-256; the signature is r followed by s.
        case es256 = "ES256"
        /// RSASSA-PSS with SHA-256.
        case ps256 = "PS256"
    }

    /// A claim of the sender until the signature was verified.
    package let algorithm: Algorithm

    let header: Header
    let parts: CompactParts
    let signature: [UInt8]
    /// Only a verified payload leaves this type.
    let payload: [UInt8]

    package init(
        reading text: [UInt8],
        maximumByteCount: Int
    ) throws(JOSEFailure) {
        parts = try CompactParts(text, count: 3, maximumByteCount: maximumByteCount)
        header = try Header(parts.decoded(0))
        algorithm = try header.algorithm("alg")
        payload = try parts.decoded(1)
        signature = try parts.decoded(2)
    }
}
