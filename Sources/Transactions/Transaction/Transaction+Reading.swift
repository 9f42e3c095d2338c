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
                context: reader.context(),
                // Only the author of a title needs the broken rule: `try?`.
                title: reader.text(.title) { try? DisplayText($0) },
                fields: reader.list(.displayFields, of: DisplayField.init),
                amounts: reader.list(.amounts, of: Amount.init),
                payees: reader.list(.payees, of: Payee.init)
            ),
            reference: reader.optionalText(.reference, as: ExternalReference.init),
            returnURL: reader.optionalText(.returnURL, as: ReturnURL.init),
            acceptedAuthentication: AuthenticationTypes(
                rawValue: reader.number(.acceptedAuthentication)
            ),
            created: reader.time(.created),
            deadline: reader.time(.deadline),
            epoch: reader.number(.epoch),
            nonce: reader.nonce()
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

    /// A number with the width of its type.
    mutating func number<Number: FixedWidthInteger & UnsignedInteger>(
        _ field: Transaction.Field
    ) throws(Transaction.Failure) -> Number {
        try value(field) { reader throws(FieldReader.Failure) in try reader.number() }
    }

    mutating func time(_ field: Transaction.Field) throws(Transaction.Failure) -> Timestamp {
        try value(field) { reader throws(FieldReader.Failure) in try reader.moment() }
    }

    mutating func nonce() throws(Transaction.Failure) -> TransactionNonce {
        try value(.nonce) { reader throws(FieldReader.Failure) in
            TransactionNonce(checked: try reader.bytes(TransactionNonce.byteCount))
        }
    }

    mutating func context() throws(Transaction.Failure) -> Transaction.Context {
        guard let context = Transaction.Context(rawValue: try number(.context)) else {
            throw .invalid(.context)
        }
        return context
    }

    /// Any error of `read` makes the field invalid, as does an element that breaks a rule.
    mutating func list<Element>(
        _ field: Transaction.Field,
        of read: (inout FieldReader) throws(FieldReader.Failure) -> Element?
    ) throws(Transaction.Failure) -> [Element] {
        let elements: [Element]? = try value(field) { reader throws(FieldReader.Failure) in
            var elements: [Element] = []
            for _ in 0..<(try reader.byte()) {
                guard let element = try read(&reader) else { return nil }
                elements.append(element)
            }
            return elements
        }
        guard let elements else { throw .invalid(field) }
        return elements
    }

    /// A value in binary form.
    private mutating func value<Value>(
        _ field: Transaction.Field,
        read: (inout FieldReader) throws(FieldReader.Failure) -> Value
    ) throws(Transaction.Failure) -> Value {
        var value = FieldReader(try bytes(of: field))
        do throws(FieldReader.Failure) {
            let result = try read(&value)
            try value.end()
            return result
        } catch {
            throw .invalid(field)
        }
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
        do throws(FieldReader.Failure) { try reader.end() } catch { throw .notCanonical }
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

// The caller knows the field, so the reason does not matter: `try?`.

extension Transaction.DisplayField {
    fileprivate init?(from reader: inout FieldReader) throws(FieldReader.Failure) {
        guard
            let label = reader.displayText(), let value = reader.displayText(),
            let field = try? Self(label: label, value: value)
        else { return nil }
        self = field
    }
}

extension Transaction.Payee {
    fileprivate init?(from reader: inout FieldReader) throws(FieldReader.Failure) {
        guard
            let name = reader.displayText(),
            let recipient = try Recipient(from: &reader),
            let payee = try? Self(name: name, recipient: recipient)
        else { return nil }
        self = payee
    }
}

extension Transaction.Payee.Recipient {
    fileprivate init?(from reader: inout FieldReader) throws(FieldReader.Failure) {
        let text = try reader.text(atMost: .max)
        if text.isEmpty, let merchant = reader.displayText() {
            self = .merchant(merchant)
        } else if let account = AccountNumber(text) {
            self = .account(account)
        } else {
            return nil
        }
    }
}

extension Amount {
    /// A wrong exponent would move the decimal point.
    fileprivate init?(from reader: inout FieldReader) throws(FieldReader.Failure) {
        let code = String(decoding: try reader.bytes(3), as: UTF8.self)
        let exponent = try reader.byte()
        guard let currency = Currency(code), currency.exponent == exponent else { return nil }
        self.init(minorUnits: try reader.number(), currency: currency)
    }
}

extension FieldReader {
    fileprivate mutating func displayText() -> DisplayText? {
        (try? text(atMost: .max)).flatMap { try? DisplayText($0) }
    }
}
