import Transactions

/// The fields of contents of rows, beyond those of hashed and signed data.
extension FieldWriter {
    mutating func append(_ flag: Bool) { append(UInt8(flag ? 1 : 0)) }

    /// A flag, and the value if there is one.
    mutating func append<Value>(
        optional value: Value?,
        _ write: (inout FieldWriter, Value) -> Void
    ) {
        append(value != nil)
        if let value { write(&self, value) }
    }

    mutating func append(optional text: String?) {
        append(optional: text) { $0.append($1) }
    }

    mutating func append(_ amount: Amount) {
        append(amount.minorUnits)
        append(amount.currency.code)
    }
}

extension FieldReader {
    /// More than the longest message.
    private static let maximumByteCount = 4 << 20

    mutating func field() throws(Failure) -> [UInt8] { try field(atMost: Self.maximumByteCount) }

    mutating func text() throws(Failure) -> String { try text(atMost: Self.maximumByteCount) }

    mutating func bytesOfField(count: Int) throws(Failure) -> [UInt8] {
        let start = offset
        let bytes = try field(atMost: count)
        guard bytes.count == count else { throw .malformed(offset: start) }
        return bytes
    }

    /// A value by its text; nil is a malformed one.
    mutating func value<Value>(_ make: (String) -> Value?) throws(Failure) -> Value {
        let start = offset
        guard let value = make(try text()) else { throw .malformed(offset: start) }
        return value
    }

    mutating func flag() throws(Failure) -> Bool {
        let start = offset
        switch try byte() {
        case 0: return false
        case 1: return true
        default: throw .malformed(offset: start)
        }
    }

    mutating func optional<Value>(
        _ read: (inout FieldReader) throws(Failure) -> Value
    ) throws(Failure) -> Value? {
        try flag() ? try read(&self) : nil
    }

    mutating func optionalText() throws(Failure) -> String? {
        try optional { reader throws(Failure) in try reader.text() }
    }

    mutating func optionalMoment() throws(Failure) -> Timestamp? {
        try optional { reader throws(Failure) in try reader.moment() }
    }

    mutating func optionalCount() throws(Failure) -> Int? {
        try optional { reader throws(Failure) in Int(clamping: try reader.number(UInt64.self)) }
    }

    mutating func optionalAmount() throws(Failure) -> Amount? {
        try optional { reader throws(Failure) in try reader.amount() }
    }

    mutating func amount() throws(Failure) -> Amount {
        let start = offset
        let units = try number(UInt64.self)
        guard let currency = Currency(try text()),
            let amount = Amount(minorUnits: units, currency: currency)
        else { throw .malformed(offset: start) }
        return amount
    }
}
