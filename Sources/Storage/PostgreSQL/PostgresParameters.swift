import CPostgres

/// Type numbers of PostgreSQL's catalog (pg_type), for which libpq has no names.
enum PostgresType {
    static let unknown: Oid = 0
    static let bytes: Oid = 17
    static let integer: Oid = 20
    static let shortInteger: Oid = 23
    static let text: Oid = 25
}

/// Values in the protocol's binary form.
struct PostgresParameters {
    private(set) var types: [Oid] = []
    private var bytes: [UInt8] = []
    /// Nil for a null.
    private var offsets: [Int?] = []
    private var lengths: [Int32] = []

    init(_ values: [SQLValue]) throws(PostgresFailure) {
        for value in values { try append(value) }
    }

    private mutating func append(_ value: SQLValue) throws(PostgresFailure) {
        let start = bytes.count
        switch value {
        // The server derives its type from the statement.
        case .null: types.append(PostgresType.unknown)
        case .integer(let number):
            types.append(PostgresType.integer)
            withUnsafeBytes(of: number.bigEndian) { bytes += $0 }
        case .text(let text):
            types.append(PostgresType.text)
            bytes += text.utf8
        case .bytes(let value):
            types.append(PostgresType.bytes)
            bytes += value
        // PostgreSQL stores only UTF-8.
        case .malformedText: throw .refused(.misuse)
        }
        guard let length = Int32(exactly: bytes.count - start) else { throw .refused(.misuse) }
        offsets.append(value == .null ? nil : start)
        lengths.append(length)
    }

    /// Passes what libpq's functions expect: count, values, lengths, formats.
    func withPointers<Result>(
        _ body: (Int32, [UnsafePointer<CChar>?], [Int32], [Int32]) -> Result
    ) -> Result {
        // One more byte, because an empty array has no address, and a null pointer means NULL.
        (bytes + [0]).withUnsafeBytes { buffer in
            let start = buffer.baseAddress?.assumingMemoryBound(to: CChar.self)
            let pointers = offsets.map { offset in
                offset.flatMap { offset in start.map { $0 + offset } }
            }
            let formats = [Int32](repeating: 1, count: pointers.count)
            return body(Int32(pointers.count), pointers, lengths, formats)
        }
    }
}
