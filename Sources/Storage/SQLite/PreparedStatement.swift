import CSQLite
import Glibc

/// A statement that SQLite has compiled.
final class PreparedStatement {
    private let handle: OpaquePointer
    /// Kept, because the statement's identity is the key under which this one is found.
    private let statement: Statement
    private let connection: OpaquePointer
    /// The index of the value for each parameter, in SQLite's order: that of first appearance.
    private let places: [Int]
    /// The bound texts and bytes, one after the other.
    ///
    /// They stay there, so SQLite needs no copies, each of which would be an allocation.
    private var bound: UnsafeMutableRawPointer
    private var capacity = 0

    init(_ statement: Statement, on connection: OpaquePointer) throws(StoreFailure) {
        var handle: OpaquePointer?
        let flags = UInt32(SQLITE_PREPARE_PERSISTENT)
        let code = sqlite3_prepare_v3(connection, statement.text, -1, flags, &handle, nil)
        guard code == SQLITE_OK, let handle else {
            throw StoreFailure(sqliteCode: code, on: connection)
        }
        self.handle = handle
        self.statement = statement
        self.connection = connection
        bound = .allocate(byteCount: capacity, alignment: 1)
        places = (0..<sqlite3_bind_parameter_count(handle)).map { index in
            let name = sqlite3_bind_parameter_name(handle, index + 1).map { String(cString: $0) }
            return Int(name?.dropFirst() ?? "").map { $0 - 1 } ?? -1
        }
        guard places.sorted() == Array(places.indices) else { throw .misuse }
    }

    deinit {
        sqlite3_finalize(handle)
        bound.deallocate()
    }

    var isReadOnly: Bool { sqlite3_stmt_readonly(handle) != 0 }

    /// Ends the statement, which otherwise keeps its transaction open.
    func reset() {
        // Its result is that of the last step.
        sqlite3_reset(handle)
    }

    func bind(_ values: [SQLValue]) throws(StoreFailure) {
        guard values.count == places.count else { throw .misuse }
        reserve(places.reduce(0) { $0 + values[$1].byteCount })
        var end = 0
        for (index, place) in places.enumerated() {
            try check(bind(values[place], at: Int32(index + 1), from: &end))
        }
    }

    private func reserve(_ byteCount: Int) {
        guard capacity < byteCount else { return }
        bound.deallocate()
        bound = .allocate(byteCount: byteCount, alignment: 1)
        capacity = byteCount
    }

    private func bind(_ value: SQLValue, at index: Int32, from end: inout Int) -> Int32 {
        switch value {
        case .null:
            return sqlite3_bind_null(handle, index)
        case .integer(let number):
            return sqlite3_bind_int64(handle, index, number)
        case .text(let text):
            let (start, count) = keep(text.utf8.span, from: &end)
            // PostgreSQL cannot store NUL.
            guard memchr(start, 0, count) == nil else { return SQLITE_MISUSE }
            return bindText(start, count, at: index)
        case .malformedText(let bytes):
            let (start, count) = keep(bytes.span, from: &end)
            return bindText(start, count, at: index)
        case .bytes(let bytes):
            let (start, count) = keep(bytes.span, from: &end)
            return sqlite3_bind_blob64(handle, index, start, UInt64(count), nil)
        }
    }

    private func bindText(
        _ start: UnsafeRawPointer,
        _ count: Int,
        at index: Int32
    ) -> Int32 {
        let characters = start.assumingMemoryBound(to: CChar.self)
        let encoding = UInt8(SQLITE_UTF8)
        return sqlite3_bind_text64(handle, index, characters, UInt64(count), nil, encoding)
    }

    /// Appends bytes to the bound ones.
    ///
    /// Even empty bytes have an address: SQLite takes a null pointer for NULL.
    private func keep(
        _ bytes: Span<UInt8>,
        from end: inout Int
    ) -> (start: UnsafeRawPointer, count: Int) {
        let place = bound + end
        bytes.withUnsafeBytes {
            if let start = $0.baseAddress { place.copyMemory(from: start, byteCount: $0.count) }
        }
        end += bytes.count
        return (UnsafeRawPointer(place), bytes.count)
    }

    /// Returns whether there is a row.
    func step() throws(StoreFailure) -> Bool {
        switch sqlite3_step(handle) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        case let code: throw StoreFailure(sqliteCode: code, on: connection)
        }
    }

    func row() throws(StoreFailure) -> Row {
        let count = sqlite3_column_count(handle)
        var values: [SQLValue] = []
        values.reserveCapacity(Int(count))
        for column in 0..<count { values.append(try value(column)) }
        return Row(values, of: statement)
    }

    private func value(_ column: Int32) throws(StoreFailure) -> SQLValue {
        switch sqlite3_column_type(handle, column) {
        case SQLITE_NULL: return .null
        case SQLITE_INTEGER: return .integer(sqlite3_column_int64(handle, column))
        case SQLITE_TEXT:
            let start = sqlite3_column_text(handle, column)
            let contents = contents(start, column)
            // A reader that expects text then fails; an audit can still print the value.
            guard !hasNUL(contents),
                let text = try? UTF8Span(validating: Span(_unsafeElements: contents))
            else { return .malformedText(Array(contents)) }
            return .text(String(copying: text))
        case SQLITE_BLOB:
            let start = sqlite3_column_blob(handle, column)?.assumingMemoryBound(to: UInt8.self)
            return .bytes(Array(contents(start, column)))
        default: throw .damaged
        }
    }

    /// `memchr` needs an address, also for no bytes.
    private func hasNUL(_ contents: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let start = contents.baseAddress else { return false }
        return memchr(start, 0, contents.count) != nil
    }

    private func contents(
        _ start: UnsafePointer<UInt8>?,
        _ column: Int32
    ) -> UnsafeBufferPointer<UInt8> {
        // SQLite returns the size of the last requested value, so call it second.
        UnsafeBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column)))
    }

    private func check(_ code: Int32) throws(StoreFailure) {
        guard code == SQLITE_OK else { throw StoreFailure(sqliteCode: code, on: connection) }
    }
}

extension SQLValue {
    fileprivate var byteCount: Int {
        switch self {
        case .null, .integer: 0
        case .text(let text): text.utf8.count
        case .bytes(let bytes), .malformedText(let bytes): bytes.count
        }
    }
}
