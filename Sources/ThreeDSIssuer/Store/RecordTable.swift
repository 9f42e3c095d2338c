import Cryptography
package import Storage
import StrictJSON
package import Transactions

/// One step of an authentication, one change of a card, or a new key, for auditors (SEC-99).
package struct IssuerRecord: Equatable, Sendable {
    package enum Step: String, CaseIterable, Codable, Sendable {
        /// An AReq has its response.
        case answered
        /// The person can approve: after the first CReq, or again after the request expired.
        case asked
        /// The challenge has its result.
        case decided
        /// The directory has the result.
        case reported
        /// The result did not reach the directory in time.
        case givenUp
        /// No valid response to the result came in time.
        case unacknowledged
        /// An operator sent the result once more.
        case sentAgain
        /// The challenge ends because of an error message of the directory.
        case errorReceived
        /// The challenge can have no further response.
        case ended
        /// An authorisation used the authentication value.
        case valueUsed
        /// The issuer has the event.
        case eventDelivered
        /// The event did not reach the issuer in time.
        case eventGivenUp
        case cardAdded
        case cardBlocked
        case cardUnblocked
        case cardRemoved
        /// A key for authentication values was added.
        case valueKeyAdded
    }

    package enum Subject: Hashable, Sendable {
        /// By its `acsTransID`.
        case authentication(String)
        /// By its reference, which is random.
        case card(CardReference)
        /// By the number of the key for authentication values.
        case valueKey(UInt8)

        package var text: String {
            switch self {
            case .authentication(let id): id
            case .card(let reference): reference.text
            case .valueKey(let number): "\(number)"
            }
        }

        /// With its kind.
        var name: String {
            switch self {
            case .authentication: "authentication \(text)"
            case .card: "card \(text)"
            case .valueKey: "secret values.\(text)"
            }
        }
    }

    package let time: Timestamp
    package let subject: Subject
    package let step: Step
    /// Codes of the protocol and identifiers, such as `C` or a transaction of the verifier; never
    /// the number of a card, or a person.
    package let details: [String]
}

/// The records in one transaction of the store.
///
/// Each has a MAC over itself and over the MAC before it. So a record that was changed, moved,
/// inserted or removed between others is found. The end of the trail is not protected: a
/// writer of the database can remove the last records.
package struct RecordTable {
    let connection: any SQLConnection
    let secrets: IssuerSecrets

    package func add(_ record: IssuerRecord) throws(StoreFailure) {
        let last = try connection.rows(.lastRecord, []).first
        let number = try last.map { row throws(StoreFailure) in try row.integer(.number) } ?? 0
        // Only another program can have written such a number.
        guard (0..<Int64.max).contains(number) else { throw .damaged }
        let before = try last.map { row throws(StoreFailure) in try row.bytes(.mac) } ?? []
        let content = try orMisuse(StrictJSON.encode(Content(record)))
        try connection.change(
            Table.records.insertion,
            [
                .number: .integer(number + 1),
                .content: .text(String(decoding: content, as: UTF8.self)),
                .mac: .bytes(try mac(of: content, number + 1, after: before)),
            ]
        )
    }

    /// Reads up to `limit` records, and checks each of them.
    package func records(after cursor: Cursor, limit: Int) throws(StoreFailure) -> Page {
        var (records, cursor) = ([NumberedRecord](), cursor)
        let place = cursor == .start ? nil : [SQLValue.integer(cursor.number)]
        for row in try connection.rows(.records, after: place, limit: limit) {
            guard let (record, end) = try authenticRecord(in: row, after: cursor) else {
                // A removed record leaves a gap, in which the chain ends.
                return Page(records: records, end: cursor, broken: cursor.number + 1)
            }
            records.append(NumberedRecord(number: end.number, record: record))
            cursor = end
        }
        return Page(records: records, end: cursor, broken: nil)
    }

    /// Nil if another program changed the row, or the record before it.
    private func authenticRecord(
        in row: Row,
        after cursor: Cursor
    ) throws(StoreFailure) -> (IssuerRecord, Cursor)? {
        guard case .integer(let number) = try row[.number],
            case .text(let text) = try row[.content], case .bytes(let stored) = try row[.mac]
        else { return nil }
        guard number == cursor.number + 1 else { return nil }
        let content = Array(text.utf8)
        let mac = try mac(of: content, number, after: cursor.mac)
        guard stored == mac, let record = Content.record(in: content) else { return nil }
        return (record, Cursor(number: number, mac: mac))
    }

    package struct NumberedRecord: Equatable, Sendable {
        package let number: Int64
        package let record: IssuerRecord
    }

    package struct Page: Sendable {
        package let records: [NumberedRecord]
        package let end: Cursor
        /// The number of the first record that is missing or not authentic; nil if all are.
        package let broken: Int64?
    }

    /// A place in the trail, after a record that was checked.
    package struct Cursor: Equatable, Sendable {
        package let number: Int64
        let mac: [UInt8]

        package static let start = Cursor(number: 0, mac: [])
    }

    private func mac(
        of content: [UInt8],
        _ number: Int64,
        after before: [UInt8]
    ) throws(StoreFailure) -> [UInt8] {
        var writer = FieldWriter()
        writer.append(UInt64(number))
        writer.append(before)
        writer.append(content)
        return try orStoreFailure(secrets.recordKey().authenticate(writer.bytes.span)).array
    }
}

extension RecordTable {
    private struct Content: Codable {
        let time: UInt64
        // One of them is the subject.
        var authentication: String?
        var card: String?
        var valueKey: UInt8?
        let step: IssuerRecord.Step
        let details: [String]

        init(_ record: IssuerRecord) {
            time = record.time.milliseconds
            switch record.subject {
            case .authentication(let id): authentication = id
            case .card(let reference): card = reference.text
            case .valueKey(let number): valueKey = number
            }
            step = record.step
            details = record.details
        }

        private var subject: IssuerRecord.Subject? {
            switch (authentication, card.flatMap { CardReference($0) }, valueKey) {
            case (let id?, nil, nil): .authentication(id)
            case (nil, let reference?, nil): .card(reference)
            case (nil, nil, let number?): .valueKey(number)
            default: nil
            }
        }

        /// Nil for a content that no ACS writes.
        static func record(in bytes: [UInt8]) -> IssuerRecord? {
            // The caller states which record it is, so the reason is not needed: `try?`.
            guard let content = try? StrictJSON.decode(Content.self, from: bytes),
                let time = Timestamp(milliseconds: content.time), let subject = content.subject
            else { return nil }
            return IssuerRecord(
                time: time,
                subject: subject,
                step: content.step,
                details: content.details
            )
        }
    }
}

extension Statement {
    fileprivate static let lastRecord = Statement(
        "SELECT \([Column.number, .mac]) FROM records ORDER BY number DESC LIMIT 1"
    )
}

extension PagedStatement {
    fileprivate static let records = PagedStatement(
        "SELECT \(Table.records.columns) FROM records",
        by: [.number]
    )
}
