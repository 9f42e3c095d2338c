extension Transaction {
    /// Reads the bytes that `canonicalBytes` writes; each transaction has one form.
    package init(canonicalBytes: [UInt8]) throws(Failure) {
        var reader = try CanonicalReader(canonicalBytes)
        try self.init(
            enterprise: reader.text(.enterprise, as: EnterpriseID.init),
            id: reader.text(.id, as: TransactionID.init),
            account: AccountKey(
                type: reader.text(.accountType, as: AccountType.init),
                id: reader.text(.accountID, as: AccountID.init)
            ),
            content: Content(
                context: reader.value(.context) { Context(rawValue: try $0.byte()) },
                // Only the author of a title needs the broken rule: `try?`.
                title: reader.text(.title) { try? DisplayText($0) },
                fields: reader.list(.displayFields) { try DisplayField(from: &$0) },
                amounts: reader.list(.amounts) { try Amount(from: &$0) },
                payees: reader.list(.payees) { try Payee(from: &$0) }
            ),
            reference: reader.optionalText(.reference, as: ExternalReference.init),
            returnURL: reader.optionalText(.returnURL, as: ReturnURL.init),
            acceptedAuthentication: reader.value(.acceptedAuthentication) {
                AuthenticationTypes(rawValue: try $0.byte())
            },
            created: reader.value(.created) { try $0.moment() },
            deadline: reader.value(.deadline) { try $0.moment() },
            epoch: reader.value(.epoch) { try $0.number() },
            nonce: reader.value(.nonce) { try $0.identifier() }
        )
        try reader.end()
    }
}

/// Returns the fields in their fixed order.
private struct CanonicalReader {
    private var reader: FieldReader

    init(_ bytes: [UInt8]) throws(Transaction.Failure) {
        guard
            bytes.count <= Transaction.maximumByteCount, bytes.starts(with: Transaction.opening)
        else { throw .notCanonical }
        reader = FieldReader(Array(bytes.dropFirst(Transaction.opening.count)))
    }

    /// A value in binary form; nil or an error of `read` makes the field invalid.
    mutating func value<Value>(
        _ field: Transaction.Field,
        read: (inout FieldReader) throws -> Value?
    ) throws(Transaction.Failure) -> Value {
        var value = FieldReader(try bytes(of: field))
        do {
            guard let result = try read(&value) else { throw Transaction.Failure.invalid(field) }
            try value.end()
            return result
        } catch {
            throw .invalid(field)
        }
    }

    mutating func list<Element>(
        _ field: Transaction.Field,
        read: (inout FieldReader) throws -> Element
    ) throws(Transaction.Failure) -> [Element] {
        try value(field) { reader in try (0..<reader.byte()).map { _ in try read(&reader) } }
    }

    mutating func text<Value>(
        _ field: Transaction.Field,
        as make: (String) -> Value?
    ) throws(Transaction.Failure) -> Value {
        guard
            let text = String(validating: try bytes(of: field), as: UTF8.self),
            let value = make(text)
        else { throw .invalid(field) }
        return value
    }

    mutating func optionalText<Value>(
        _ field: Transaction.Field,
        as make: (String) -> Value?
    ) throws(Transaction.Failure) -> Value? {
        try text(field) { $0.isEmpty ? .some(nil) : make($0).map { .some($0) } }
    }

    func end() throws(Transaction.Failure) {
        do { try reader.end() } catch { throw .notCanonical }
    }

    /// A length beyond the end names the field only: `try?`.
    private mutating func bytes(
        of field: Transaction.Field
    ) throws(Transaction.Failure) -> [UInt8] {
        guard (try? reader.byte()) == field.rawValue else { throw .missing(field) }
        guard let bytes = try? reader.field(atMost: Transaction.maximumByteCount) else {
            throw .invalid(field)
        }
        return bytes
    }
}

extension Transaction.DisplayField {
    fileprivate init(from reader: inout FieldReader) throws {
        try self.init(label: DisplayText(from: &reader), value: DisplayText(from: &reader))
    }
}

extension Transaction.Payee {
    fileprivate init(from reader: inout FieldReader) throws {
        let name = try DisplayText(from: &reader)
        guard let account = AccountNumber(try reader.text(atMost: .max)) else {
            throw Transaction.Failure.invalid(.payees)
        }
        try self.init(name: name, account: account)
    }
}

extension Amount {
    /// A wrong exponent would move the decimal point.
    fileprivate init(from reader: inout FieldReader) throws {
        let code = String(decoding: try reader.bytes(3), as: UTF8.self)
        let exponent = try reader.byte()
        guard
            let currency = Currency(code), currency.exponent == exponent,
            let amount = Amount(minorUnits: try reader.number(), currency: currency)
        else { throw Transaction.Failure.invalid(.amounts) }
        self = amount
    }
}

extension DisplayText {
    fileprivate init(from reader: inout FieldReader) throws {
        try self.init(reader.text(atMost: .max))
    }
}
