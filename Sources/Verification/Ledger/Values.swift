import Sealing
import Storage
import TransactionApproval

// How values of the domain are stored.

extension SQLValue {
    init(_ identifier: some TextIdentifier) { self = .text(identifier.text) }
    init(_ identifier: some RandomIdentifier) { self = .bytes(identifier.bytes) }
    init(_ identifier: (some TextIdentifier)?) { self = identifier.map { SQLValue($0) } ?? .null }
    init(_ moment: Timestamp) { self = .integer(Int64(moment.milliseconds)) }
    init(_ moment: Timestamp?) { self = moment.map { SQLValue($0) } ?? .null }
    init(_ bytes: [UInt8]?) { self = bytes.map { .bytes($0) } ?? .null }
    init(_ text: String?) { self = text.map { .text($0) } ?? .null }
    init(_ flag: Bool) { self = .integer(flag ? 1 : 0) }
    init(_ number: Int) { self = .integer(Int64(number)) }
    init(_ value: some RawRepresentable<UInt8>) { self = .integer(Int64(value.rawValue)) }

    /// The types of stored numbers ensure that they fit into a signed integer.
    init(_ number: UInt64) { self = .integer(Int64(number)) }
}

extension NamedValues {
    /// The account in the three columns that most tables have.
    static func account(_ account: AccountReference) -> NamedValues {
        [
            .enterprise: SQLValue(account.enterprise),
            .accountType: SQLValue(account.key.type),
            .accountID: SQLValue(account.key.id),
        ]
    }
}

extension NamedValues {
    /// The names of an account that an event does not concern are empty.
    static func concern(_ concern: EventConcern) -> NamedValues {
        [
            .enterprise: SQLValue(concern.enterprise),
            .accountType: .text(concern.account?.key.type.text ?? ""),
            .accountID: .text(concern.account?.key.id.text ?? ""),
        ]
    }
}

extension [SQLValue] {
    /// The same values, in the order of every statement.
    static func concern(_ concern: EventConcern) -> [SQLValue] {
        let key = concern.account?.key
        return [
            SQLValue(concern.enterprise), .text(key?.type.text ?? ""), .text(key?.id.text ?? ""),
        ]
    }

    /// Enterprise, type and id, in the order of every statement.
    static func account(_ account: AccountReference) -> [SQLValue] {
        [SQLValue(account.enterprise), SQLValue(account.key.type), SQLValue(account.key.id)]
    }
}

extension Row {
    func identifier<Identifier: TextIdentifier>(
        _ column: Column
    ) throws(StoreFailure) -> Identifier {
        let text = try text(column)
        if let identifier = Identifier(text) { return identifier }
        // Version 0.1 accepted names of dots.
        guard hasIdentifierCharacters(text) else { throw .damaged }
        return Identifier(checked: text)
    }

    func identifier<Identifier: RandomIdentifier>(
        _ column: Column
    ) throws(StoreFailure) -> Identifier {
        guard let identifier = Identifier(try bytes(column)) else { throw .damaged }
        return identifier
    }

    func number(_ column: Column) throws(StoreFailure) -> UInt64 {
        guard let number = UInt64(exactly: try integer(column)) else { throw .damaged }
        return number
    }

    func moment(_ column: Column) throws(StoreFailure) -> Timestamp {
        guard let moment = Timestamp(milliseconds: try number(column)) else { throw .damaged }
        return moment
    }

    func optionalMoment(_ column: Column) throws(StoreFailure) -> Timestamp? {
        try isNull(column) ? nil : try moment(column)
    }

    func keyVersion(_ column: Column) throws(StoreFailure) -> UInt32 {
        guard let version = UInt32(exactly: try integer(column)) else { throw .damaged }
        return version
    }

    func flag(_ column: Column) throws(StoreFailure) -> Bool { try integer(column) != 0 }

    /// Reads a value that is stored as its raw number.
    func value<Value: RawRepresentable>(
        _ column: Column
    ) throws(StoreFailure) -> Value where Value.RawValue: FixedWidthInteger {
        guard
            let raw = Value.RawValue(exactly: try integer(column)), let value = Value(rawValue: raw)
        else { throw .damaged }
        return value
    }

    func account() throws(StoreFailure) -> AccountReference {
        AccountReference(
            enterprise: try identifier(.enterprise),
            key: AccountKey(type: try identifier(.accountType), id: try identifier(.accountID))
        )
    }

    /// The names of an account that an event does not concern are null or empty.
    func concern() throws(StoreFailure) -> EventConcern? {
        guard try !isNull(.enterprise) else { return nil }
        let hasAccount = try optionalText(.accountType).map { !$0.isEmpty } ?? false
        return hasAccount ? .account(try account()) : .enterprise(try identifier(.enterprise))
    }

    func sealedValue(_ column: Column) throws(StoreFailure) -> SealedValue {
        guard let value = SealedValue(stored: try bytes(column)) else { throw .damaged }
        return value
    }

    func optionalSealedValue(_ column: Column) throws(StoreFailure) -> SealedValue? {
        try isNull(column) ? nil : try sealedValue(column)
    }
}

// MARK: Lists of times

extension SQLValue {
    /// One after the other in one value.
    static func moments(_ moments: [Timestamp]) -> SQLValue {
        var writer = FieldWriter()
        for moment in moments { writer.append(moment) }
        return .bytes(writer.bytes)
    }
}

extension Row {
    func moments(_ column: Column) throws(StoreFailure) -> [Timestamp] {
        let stored = try bytes(column)
        guard !stored.isEmpty else { return [] }
        var reader = FieldReader(stored)
        var moments: [Timestamp] = []
        while reader.offset < stored.count {
            // `try?`: the row is damaged, whichever byte is wrong.
            guard let moment = try? reader.moment() else { throw .damaged }
            moments.append(moment)
        }
        return moments
    }
}
