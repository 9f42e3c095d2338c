import Cryptography
import OneTimePassword
import TransactionApproval

/// Accounts in a file of comma-separated values that nobody else may read.
///
/// The first line names the columns. A field that is empty says nothing.
package final class AccountCSV: AccountSource {
    package enum Column: String, CaseIterable, Sendable {
        case enterprise
        case accountType = "account_type"
        case accountID = "account_id"
        case person
        case serial = "token_serial"
        case hexadecimalSecret = "token_secret_hex"
        case base32Secret = "token_secret_base32"
        case algorithm = "token_algorithm"
        case digits = "token_digits"
        case counter = "token_counter"

        static let required = [enterprise, accountType, accountID]
        /// Something of a token, of which there is no more than this without a secret.
        static let tokenDetails = [serial, algorithm, digits, counter]
    }

    private var lines: LineReader
    private var line: UInt64 = 1
    package let heading: [UInt8]
    private let layout: Layout
    private var record = CSVRecord()

    package init(_ path: String) throws(LoadFailure) {
        var lines = try LineReader(path)
        guard try lines.advance() else { throw .header(.absent) }
        heading = lines.withLine { line in line.indices.map { line[$0] } }
        layout = try Layout(heading)
        self.lines = lines
    }

    package var progress: (read: Int, of: Int) { (lines.bytesRead, lines.byteCount) }

    package func advance() throws(LoadFailure) -> UInt64? {
        guard try lines.advance() else { return nil }
        line += 1
        return line
    }

    package func withLine<Result, Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try lines.withLine(body)
    }

    package func row() throws(LoadFailure) -> Result<AccountRow, RowRejection> {
        do throws(RowFault) {
            return .success(
                try lines.withLine { line throws(RowFault) in
                    do throws(CSVRecord.Failure) {
                        try record.split(line)
                    } catch {
                        throw .rejected(.quoting)
                    }
                    return try layout.row(of: line, record.fields)
                }
            )
        } catch {
            switch error {
            case .rejected(let rejection): return .failure(rejection)
            case .machine(let failure): throw .machine(failure)
            }
        }
    }
}

/// A row that is left out, or a machine that cannot go on.
private enum RowFault: Error {
    case rejected(RowRejection)
    case machine(MachineFailure)
}

/// Which column is where.
private struct Layout {
    typealias Column = AccountCSV.Column

    private let places: [Column: Int]
    private let count: Int

    init(_ header: [UInt8]) throws(LoadFailure) {
        var record = CSVRecord()
        do throws(CSVRecord.Failure) {
            try record.split(header.span)
        } catch {
            throw .header(.quoting)
        }
        var places: [Column: Int] = [:]
        for (place, field) in record.fields.enumerated() {
            let name = CSVRecord.text(of: field, in: header.span)
            guard let column = name.flatMap(Column.init) else {
                throw .header(.unknownColumn(place + 1))
            }
            guard places.updateValue(place, forKey: column) == nil else {
                throw .header(.repeatedColumn(column.rawValue))
            }
        }
        for column in Column.required where places[column] == nil {
            throw .header(.missingColumn(column.rawValue))
        }
        guard places[.hexadecimalSecret] == nil || places[.base32Secret] == nil else {
            throw .header(.twoSecrets)
        }
        self.places = places
        count = record.fields.count
    }

    func row(
        of line: Span<UInt8>,
        _ fields: [CSVRecord.Field]
    ) throws(RowFault) -> AccountRow {
        guard fields.count == count else {
            throw .rejected(.fieldCount(fields.count, expected: count))
        }
        guard let enterprise = EnterpriseID(try text(.enterprise, line, fields) ?? "") else {
            throw .rejected(.enterprise)
        }
        guard let type = AccountType(try text(.accountType, line, fields) ?? "") else {
            throw .rejected(.accountType)
        }
        guard let id = AccountID(try text(.accountID, line, fields) ?? "") else {
            throw .rejected(.accountID)
        }
        let person = try text(.person, line, fields)
        return AccountRow(
            account: AccountReference(
                enterprise: enterprise,
                key: AccountKey(type: type, id: id)
            ),
            person: try person.map { name throws(RowFault) in
                try onThisMachine { () throws(CryptographyFailure) in
                    try PersonID(named: name, in: enterprise)
                }
            },
            token: try token(line, fields)
        )
    }

    private func token(
        _ line: Span<UInt8>,
        _ fields: [CSVRecord.Field]
    ) throws(RowFault) -> Token? {
        guard let secret = try secret(line, fields) else {
            for column in Column.tokenDetails where field(column, fields) != nil {
                throw .rejected(.incompleteToken)
            }
            return nil
        }
        guard let serial = try text(.serial, line, fields) else {
            throw .rejected(.incompleteToken)
        }
        guard let name = DeviceName(serial) else { throw .rejected(.serial) }
        let algorithm = try text(.algorithm, line, fields) ?? HMACAlgorithm.sha1.rawValue
        guard let algorithm = HMACAlgorithm(rawValue: algorithm) else {
            throw .rejected(.algorithm)
        }
        let digits = try text(.digits, line, fields) ?? "6"
        guard let digits = HOTP.Digits.allCases.first(where: { "\($0.rawValue)" == digits }) else {
            throw .rejected(.digits)
        }
        guard
            let counter = Counter(try text(.counter, line, fields) ?? "0"),
            let token = Token(
                serial: name,
                suite: TokenSuite(algorithm: algorithm, digits: digits),
                secret: secret,
                counter: counter
            )
        else { throw .rejected(.counter) }
        return token
    }

    /// Goes from where it was read into locked memory of its own, and nowhere else.
    private func secret(
        _ line: Span<UInt8>,
        _ fields: [CSVRecord.Field]
    ) throws(RowFault) -> Secret? {
        let (field, encoding): (CSVRecord.Field, TextEncoding)
        if let hexadecimal = self.field(.hexadecimalSecret, fields) {
            (field, encoding) = (hexadecimal, .hexadecimal)
        } else if let base32 = self.field(.base32Secret, fields) {
            (field, encoding) = (base32, .base32)
        } else {
            return nil
        }
        let bytes: SecureBytes
        do throws(CryptographyFailure) {
            bytes = try encoding.decode(secret: line.extracting(field.range))
        } catch .malformedEncoding {
            throw .rejected(.secret)
        } catch {
            throw .machine(MachineFailure(error))
        }
        do throws(Secret.Failure) {
            return try bytes.withBytes { bytes throws(Secret.Failure) in
                try Secret(copying: bytes)
            }
        } catch {
            switch error {
            case .tooShort(let count): throw .rejected(.secretTooShort(byteCount: count))
            case .tooLong: throw .rejected(.secretTooLong)
            case .malformedText: throw .rejected(.secret)
            case .machine(let failure): throw .machine(failure)
            }
        }
    }

    /// Nil where there is no such column, or nothing in it.
    private func text(
        _ column: Column,
        _ line: Span<UInt8>,
        _ fields: [CSVRecord.Field]
    ) throws(RowFault) -> String? {
        guard let field = field(column, fields) else { return nil }
        guard let text = CSVRecord.text(of: field, in: line) else { throw .rejected(.notText) }
        return text
    }

    private func field(_ column: Column, _ fields: [CSVRecord.Field]) -> CSVRecord.Field? {
        places[column].map { fields[$0] }.flatMap { $0.range.isEmpty ? nil : $0 }
    }

    private func onThisMachine<Result>(
        _ body: () throws(CryptographyFailure) -> Result
    ) throws(RowFault) -> Result {
        do throws(CryptographyFailure) {
            return try body()
        } catch {
            throw .machine(MachineFailure(error))
        }
    }
}

extension PersonID {
    /// The person whom a bank calls by this name, in whichever file.
    fileprivate init(
        named name: String,
        in enterprise: EnterpriseID
    ) throws(CryptographyFailure) {
        var writer = FieldWriter()
        writer.append("countersign person 1")
        writer.append(enterprise)
        writer.append(name)
        self.init(checked: Array(try writer.sha256().array.prefix(Self.byteCount)))
    }
}
