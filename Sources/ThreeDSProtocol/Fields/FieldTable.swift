/// All data elements of all messages and versions.
///
/// A fact that proves wrong is corrected in its row, and nowhere else.
package enum FieldTable {
    package static let rows: [Field] =
        headerRows + requestorRows + authenticationRows + cardRows + cardholderRows + purchaseRows
        + recurringRows + merchantRows + browserRows + appRows + resultRows + issuerRows
        + challengeRequestRows + challengeResponseRows + cardRangeRows + errorRows

    /// The rows of one message.
    package static func rows(of type: MessageType, in version: ProtocolVersion) -> ElementRows {
        index[type]?[version] ?? .none
    }

    private static let index: [MessageType: VersionedRows] = {
        var index: [MessageType: VersionedRows] = [:]
        for type in MessageType.allCases {
            index[type] = VersionedRows(
                rows.filter { row in row.uses.contains { $0.messages.contains(type) } }
            )
        }
        return index
    }()
}

extension FieldTable {
    /// The names of all elements, also of those in objects.
    static let names: Set<String> = {
        var names: Set<String> = []
        func add(_ rows: [Field]) {
            for row in rows {
                names.insert(row.name)
                add(row.form.rows)
            }
        }
        add(rows)
        return names
    }()
}

extension Form {
    /// The rows of the objects in it.
    var rows: [Field] {
        switch self {
        case .object(let rows, _): rows.all
        case .array(let element, _, _): element.rows
        default: []
        }
    }
}
