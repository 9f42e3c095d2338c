/// The output of a hash or a MAC: up to 64 bytes, stored inline without a heap allocation.
///
/// A MAC can be a one-time code, so the value compares in constant time and hides its bytes when
/// printed.
package struct Digest: Equatable, Sendable {
    package let byteCount: Int
    private var storage = InlineArray<64, UInt8>(repeating: 0)

    /// Lets `fill` write `byteCount` bytes, at most 64.
    @inline(__always)
    init(
        byteCount: Int,
        filledBy fill: (UnsafeMutablePointer<UInt8>) throws(CryptographyFailure) -> Void
    ) throws(CryptographyFailure) {
        precondition(byteCount <= storage.count)
        self.byteCount = byteCount
        var span = storage.mutableSpan
        try span.withUnsafeMutableBufferPointer { buffer throws(CryptographyFailure) in
            // The array is never empty, so it has an address.
            // swift-format-ignore: NeverForceUnwrap
            try fill(buffer.baseAddress!)
        }
    }

    /// Copies at most 64 bytes.
    package init(copying bytes: Span<UInt8>) {
        precondition(bytes.count <= storage.count)
        byteCount = bytes.count
        for index in 0..<bytes.count { storage[index] = bytes[index] }
    }

    @inline(__always)
    package func withBytes<Result: ~Copyable, Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(storage.span.extracting(first: byteCount))
    }

    /// The 31 bits at the offset in the last half-byte (RFC 4226, section 5.3).
    @inline(__always)
    package var truncated: UInt32 {
        let bytes = storage.span
        let offset = Int(bytes[byteCount - 1] & 0xf)
        return UInt32(bytes[offset] & 0x7f) << 24 | UInt32(bytes[offset + 1]) << 16
            | UInt32(bytes[offset + 2]) << 8 | UInt32(bytes[offset + 3])
    }

    package var array: [UInt8] { withBytes { $0.array } }

    package static func == (left: Digest, right: Digest) -> Bool {
        left.withBytes { bytes in right.withBytes { equalInConstantTime(bytes, $0) } }
    }
}

extension Digest: CustomStringConvertible, CustomReflectable {
    package var description: String { "<redacted>" }
    package var customMirror: Mirror { Mirror(self, children: [:]) }
}
