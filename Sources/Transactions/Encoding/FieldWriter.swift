/// Writes the binary form of data that is hashed, signed or sealed.
///
/// Numbers have a fixed width and all other fields have a length, so different fields never have
/// the same bytes.
package struct FieldWriter {
    package private(set) var bytes: [UInt8] = []

    /// Reserves memory: growing in steps costs more than a hash.
    package init(reserving byteCount: Int = 256) {
        bytes.reserveCapacity(byteCount)
    }

    package mutating func append(_ number: UInt8) { bytes.append(number) }

    package mutating func append(_ number: UInt16) { append(bigEndian: number) }

    package mutating func append(_ number: UInt32) { append(bigEndian: number) }

    package mutating func append(_ number: UInt64) { append(bigEndian: number) }

    package mutating func append(_ field: [UInt8]) { append(field: field) }

    package mutating func append(_ text: String) { append(field: text.utf8) }

    package mutating func append(_ identifier: some TextIdentifier) { append(identifier.text) }

    /// Without a length, which is constant.
    package mutating func append(raw content: [UInt8]) { bytes.append(contentsOf: content) }

    package mutating func append(_ moment: Timestamp) { append(moment.milliseconds) }

    /// Keeps the memory for other fields.
    package mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

    private mutating func append(field: some Collection<UInt8>) {
        append(UInt32(field.count))
        bytes.append(contentsOf: field)
    }

    private mutating func append(bigEndian number: some FixedWidthInteger) {
        withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
    }
}
