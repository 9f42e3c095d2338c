/// Writes the binary form of what is hashed, signed or sealed.
///
/// Numbers are big-endian and of fixed width, everything else carries its length: no two different
/// sequences of fields give the same bytes.
package struct FieldWriter {
    package private(set) var bytes: [UInt8] = []

    /// One with room for so many bytes: growing to them in steps costs more than a hash over them.
    package init(reserving byteCount: Int = 256) {
        bytes.reserveCapacity(byteCount)
    }

    package mutating func append(_ number: UInt8) { bytes.append(number) }

    package mutating func append(_ number: UInt16) { append(bigEndian: number) }

    package mutating func append(_ number: UInt32) { append(bigEndian: number) }

    package mutating func append(_ number: UInt64) { append(bigEndian: number) }

    /// The length in 4 bytes, then the field.
    package mutating func append(_ field: [UInt8]) { append(field: field) }

    /// The length in 4 bytes, then the text in UTF-8.
    package mutating func append(_ text: String) { append(field: text.utf8) }

    package mutating func append(_ identifier: some TextIdentifier) { append(identifier.text) }

    /// The 16 bytes alone: there are never more or fewer.
    package mutating func append(_ identifier: some RandomIdentifier) {
        bytes.append(contentsOf: identifier.bytes)
    }

    package mutating func append(_ moment: Timestamp) { append(moment.milliseconds) }

    private mutating func append(field: some Collection<UInt8>) {
        append(UInt32(field.count))
        bytes.append(contentsOf: field)
    }

    private mutating func append(bigEndian number: some FixedWidthInteger) {
        withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
    }
}
