import Cryptography
import TransactionApproval

/// A position in an account's transactions that stays valid when rows are added or archived.
///
/// Its text is opaque and has exactly one spelling.
package struct TransactionCursor: Equatable, Comparable, Sendable {
    let created: Timestamp
    let id: String

    /// Before all transactions.
    static let newest = TransactionCursor(created: .latest, id: "")

    init(of record: TransactionRecord) {
        self.init(created: record.created, id: record.id.text)
    }

    private init(created: Timestamp, id: String) {
        self.created = created
        self.id = id
    }

    /// Nil unless it is the `text` of a cursor.
    package init?(_ text: String) {
        // The position of the error does not matter.
        guard let bytes = try? TextEncoding.base64URL.decode(text) else { return nil }
        var reader = FieldReader(bytes)
        guard
            let created = try? reader.moment(),
            let id = try? reader.identifier(TransactionID.self),
            (try? reader.end()) != nil
        else { return nil }
        self.init(created: created, id: id.text)
    }

    package var text: String {
        var writer = FieldWriter()
        writer.append(created)
        writer.append(id)
        return TextEncoding.base64URL.encode(writer.bytes.span)
    }

    package static func < (left: TransactionCursor, right: TransactionCursor) -> Bool {
        (left.created, left.id) < (right.created, right.id)
    }
}
