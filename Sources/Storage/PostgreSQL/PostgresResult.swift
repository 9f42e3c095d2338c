import CPostgres

/// The server's result of one statement.
final class PostgresResult {
    private let handle: OpaquePointer

    init(_ handle: OpaquePointer) {
        self.handle = handle
    }

    deinit {
        PQclear(handle)
    }

    /// Nil if the statement succeeded.
    var failure: PostgresFailure? {
        switch PQresultStatus(handle) {
        case PGRES_COMMAND_OK, PGRES_TUPLES_OK: return nil
        default:
            // Errors of libpq itself have no SQLSTATE and concern the connection.
            guard let state = errorField(Self.sqlStateField) else { return .lost }
            return PostgresFailure(sqlState: state, text: errorField(Self.messageField) ?? "")
        }
    }

    var isEndOfPipeline: Bool { PQresultStatus(handle) == PGRES_PIPELINE_SYNC }

    private func errorField(_ code: Int32) -> String? {
        PQresultErrorField(handle, code).map { String(cString: $0) }
    }

    /// The command tag, such as `INSERT 0 1` or `ROLLBACK`.
    var tag: String { String(cString: PQcmdStatus(handle)) }

    var changedRowCount: Int {
        tag.hasPrefix("SELECT") ? 0 : Int(String(cString: PQcmdTuples(handle))) ?? 0
    }

    /// The rows of a result in binary form, for the values of the statement.
    func rows(of statement: Statement, _ bound: [SQLValue]) throws(PostgresFailure) -> [Row] {
        let columns = 0..<PQnfields(handle)
        return try (0..<PQntuples(handle)).map { row throws(PostgresFailure) in
            let values = try columns.map { column throws(PostgresFailure) in
                try value(row, column)
            }
            let row = Row(values, of: statement)
            do throws(StoreFailure) {
                try statement.check(row, against: bound)
            } catch {
                throw .refused(error)
            }
            return row
        }
    }

    /// The only number of a result in text form.
    var number: Int64? {
        PQntuples(handle) == 1 ? Int64(String(cString: PQgetvalue(handle, 0, 0))) : nil
    }

    /// The rows of a result in text form with two columns.
    var pairs: [(String, String)] {
        (0..<PQntuples(handle)).map { row in
            (
                String(cString: PQgetvalue(handle, row, 0)),
                String(cString: PQgetvalue(handle, row, 1))
            )
        }
    }

    /// The only number of a result in binary form.
    var binaryNumber: Int64? {
        // A value of another type is not the number either: `try?`.
        guard PQntuples(handle) == 1, case .integer(let number)? = try? value(0, 0)
        else { return nil }
        return number
    }

    // PG_DIAG_SQLSTATE and PG_DIAG_MESSAGE_PRIMARY, which Swift does not import because they are
    // characters.
    private static let sqlStateField = Int32(UInt8(ascii: "C"))
    private static let messageField = Int32(UInt8(ascii: "M"))

    private func value(_ row: Int32, _ column: Int32) throws(PostgresFailure) -> SQLValue {
        guard PQgetisnull(handle, row, column) == 0 else { return .null }
        let bytes = UnsafeRawBufferPointer(
            start: PQgetvalue(handle, row, column),
            count: Int(PQgetlength(handle, row, column))
        )
        switch PQftype(handle, column) {
        case PostgresType.integer where bytes.count == 8:
            return .integer(Int64(bigEndian: bytes.loadUnaligned(as: Int64.self)))
        case PostgresType.shortInteger where bytes.count == 4:
            return .integer(Int64(Int32(bigEndian: bytes.loadUnaligned(as: Int32.self))))
        case PostgresType.text:
            guard let text = String(validating: bytes, as: UTF8.self) else { break }
            return .text(text)
        case PostgresType.bytes:
            return .bytes(Array(bytes))
        default: break
        }
        throw .refused(.damaged)
    }
}
