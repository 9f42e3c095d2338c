import Cryptography
import FailureTranslation
import OneTimePassword
import Storage
import TransactionApproval

extension AccountCSV {
    /// The position of each column.
    struct Layout {
        private let places: [Column: Int]
        private let count: Int

        init(_ line: Span<UInt8>) throws(LoadFailure) {
            let header = line.extracting(droppingFirst: byteOrderMarkLength(of: line))
            var record = CSVRecord()
            try translating(record.split(header)) { (_: CSVRecord.Failure) in
                LoadFailure.header(.quoting)
            }
            var places: [Column: Int] = [:]
            for (place, field) in record.fields.enumerated() {
                guard
                    let column = Column.allCases.first(where: { $0.stands(in: field, of: header) })
                else {
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
        ) throws(RowFailure) -> AccountRow {
            guard fields.count == count else {
                throw .refused(.fieldCount(fields.count, expected: count))
            }
            guard let enterprise = EnterpriseID(try text(.enterprise, line, fields) ?? "") else {
                throw .refused(.enterprise)
            }
            guard let type = AccountType(try text(.accountType, line, fields) ?? "") else {
                throw .refused(.accountType)
            }
            guard let id = AccountID(try text(.accountID, line, fields) ?? "") else {
                throw .refused(.accountID)
            }
            let person = try text(.person, line, fields)
            return AccountRow(
                account: AccountReference(
                    enterprise: enterprise,
                    key: AccountKey(type: type, id: id)
                ),
                person: try person.map { name throws(RowFailure) in
                    try translatingSystemFailure(
                        PersonID(named: name, in: enterprise),
                        to: RowFailure.system
                    )
                },
                token: try token(line, fields)
            )
        }

        private func token(
            _ line: Span<UInt8>,
            _ fields: [CSVRecord.Field]
        ) throws(RowFailure) -> Token? {
            guard let secret = try secret(line, fields) else {
                for column in Column.tokenDetails where field(column, fields) != nil {
                    throw .refused(.incompleteToken)
                }
                return nil
            }
            guard let serial = try text(.serial, line, fields) else {
                throw .refused(.incompleteToken)
            }
            guard let name = DeviceName(serial) else { throw .refused(.serial) }
            let algorithm = try text(.algorithm, line, fields) ?? HMACAlgorithm.sha1.rawValue
            guard let algorithm = HMACAlgorithm(rawValue: algorithm) else {
                throw .refused(.algorithm)
            }
            let digits = try text(.digits, line, fields) ?? "6"
            guard let digits = HOTP.Digits.allCases.first(where: { "\($0.rawValue)" == digits })
            else {
                throw .refused(.digits)
            }
            guard
                let counter = Counter(try text(.counter, line, fields) ?? "0"),
                let token = Token(
                    serial: name,
                    suite: TokenSuite(algorithm: algorithm, digits: digits),
                    secret: secret,
                    counter: counter
                )
            else { throw .refused(.counter) }
            return token
        }

        /// Copies the secret directly into locked memory, and nowhere else.
        private func secret(
            _ line: Span<UInt8>,
            _ fields: [CSVRecord.Field]
        ) throws(RowFailure) -> Secret? {
            let (field, encoding): (CSVRecord.Field, TextEncoding)
            if let hexadecimal = self.field(.hexadecimalSecret, fields) {
                (field, encoding) = (hexadecimal, .hexadecimal)
            } else if let base32 = self.field(.base32Secret, fields) {
                (field, encoding) = (base32, .base32)
            } else {
                return nil
            }
            let bytes = try translating(
                encoding.decode(secret: line.extracting(field.range)),
                to: RowFailure.init(decoding:)
            )
            return try bytes.withBytes { bytes throws(RowFailure) in
                try translating(Secret(copying: bytes), to: RowFailure.init(secret:))
            }
        }

        /// Nil if the column is missing or empty.
        private func text(
            _ column: Column,
            _ line: Span<UInt8>,
            _ fields: [CSVRecord.Field]
        ) throws(RowFailure) -> String? {
            guard let field = field(column, fields) else { return nil }
            guard let text = CSVRecord.text(of: field, in: line) else { throw .refused(.notText) }
            return text
        }

        private func field(_ column: Column, _ fields: [CSVRecord.Field]) -> CSVRecord.Field? {
            places[column].map { fields[$0] }.flatMap { $0.range.isEmpty ? nil : $0 }
        }
    }
}

extension AccountCSV.Column {
    /// Compares in place: a wrong header may be a row with a secret in it.
    fileprivate func stands(in field: CSVRecord.Field, of line: Span<UInt8>) -> Bool {
        let name = rawValue.utf8
        return name.count == field.range.count
            && zip(field.range, name).allSatisfy { line[$0] == $1 }
    }
}

/// Some programs write a byte order mark before the first line.
private func byteOrderMarkLength(of line: Span<UInt8>) -> Int {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let isMarked = line.count >= mark.count && mark.indices.allSatisfy { line[$0] == mark[$0] }
    return isMarked ? mark.count : 0
}

extension PersonID {
    /// The person with this name; the same in every file.
    fileprivate init(named name: String, in enterprise: EnterpriseID) throws(CryptographyFailure) {
        var writer = FieldWriter()
        writer.append("countersign person 1")
        writer.append(enterprise)
        writer.append(name)
        self.init(checked: Array(try writer.sha256().array.prefix(Self.byteCount)))
    }
}
