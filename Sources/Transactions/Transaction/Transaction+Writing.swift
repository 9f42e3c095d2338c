extension Transaction {
    /// The bytes that are hashed, signed, stored, sent and displayed.
    ///
    /// docs/protocol/transactions.md defines the form.
    package var canonicalBytes: [UInt8] {
        var writer = FieldWriter()
        for byte in Self.opening { writer.append(byte) }
        for field in Field.allCases {
            writer.append(field.rawValue)
            writer.append(value(of: field))
        }
        return writer.bytes
    }

    static let opening: [UInt8] = Array("CSTX".utf8) + [1]

    /// Above the sum of all limits; it protects readers of foreign bytes.
    package static let maximumByteCount = 65_536

    private func value(of field: Field) -> [UInt8] {
        switch field {
        case .enterprise: Array(enterprise.text.utf8)
        case .id: Array(id.text.utf8)
        case .accountType: Array(account.type.text.utf8)
        case .accountID: Array(account.id.text.utf8)
        case .context: [content.context.rawValue]
        case .title: Array(content.title.text.utf8)
        case .displayFields: list(content.fields) { $0.append($1) }
        case .amounts: list(content.amounts) { $0.append($1) }
        case .payees: list(content.payees) { $0.append($1) }
        case .reference: Array((reference?.text ?? "").utf8)
        case .returnURL: Array((returnURL?.text ?? "").utf8)
        case .acceptedAuthentication: [acceptedAuthentication.rawValue]
        case .created: number(created.milliseconds)
        case .deadline: number(deadline.milliseconds)
        case .epoch: number(epoch)
        case .nonce: nonce.bytes
        }
    }
}

private func number(_ number: UInt64) -> [UInt8] {
    var writer = FieldWriter()
    writer.append(number)
    return writer.bytes
}

/// No list has more than 100 elements, so one byte is enough for the count.
private func list<Element>(
    _ elements: [Element],
    append: (inout FieldWriter, Element) -> Void
) -> [UInt8] {
    var writer = FieldWriter()
    writer.append(UInt8(elements.count))
    for element in elements { append(&writer, element) }
    return writer.bytes
}

extension FieldWriter {
    fileprivate mutating func append(_ field: Transaction.DisplayField) {
        append(field.label.text)
        append(field.value.text)
    }

    fileprivate mutating func append(_ amount: Amount) {
        for byte in amount.currency.code.utf8 { append(byte) }
        append(UInt8(amount.currency.exponent))
        append(amount.minorUnits)
    }

    fileprivate mutating func append(_ payee: Transaction.Payee) {
        append(payee.name.text)
        switch payee.recipient {
        case .account(let account): append(account.text)
        case .merchant(let merchant):
            append("")
            append(merchant.text)
        }
    }
}
