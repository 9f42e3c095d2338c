/// A moving factor: 64 bits without a sign, and no way round the end.
public struct Counter: Hashable, Sendable {
    public let value: UInt64

    public init(_ value: UInt64) {
        self.value = value
    }

    /// Reads decimal digits and nothing else: no sign, no space, no leading zero.
    public init?(_ text: some StringProtocol) {
        guard let value = decimalNumber(text) else { return nil }
        self.value = value
    }

    /// The counter after this one; there is none after the last.
    public var next: Counter? { advanced(by: 1) }

    func advanced(by distance: Int) -> Counter? {
        let (sum, overflow) = value.addingReportingOverflow(UInt64(distance))
        return overflow ? nil : Counter(sum)
    }

    /// The 8 bytes that are hashed (RFC 4226, section 5.1).
    var bigEndianBytes: InlineArray<8, UInt8> {
        InlineArray { UInt8(truncatingIfNeeded: value >> UInt64(56 - 8 * $0)) }
    }
}

extension Counter: Comparable {
    public static func < (left: Counter, right: Counter) -> Bool { left.value < right.value }
}

extension Counter: CustomStringConvertible {
    public var description: String { String(value) }
}
