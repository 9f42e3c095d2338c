/// A moving factor: an unsigned 64-bit number that never wraps around.
public struct Counter: Hashable, Sendable {
    public let value: UInt64

    public init(_ value: UInt64) {
        self.value = value
    }

    /// Reads only decimal digits: no sign, no space, no leading zero.
    public init?(_ text: some StringProtocol) {
        guard let value = decimalNumber(text) else { return nil }
        self.value = value
    }

    /// The next counter; nil after the last one.
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
