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
        index[Key(type: type, version: version)] ?? ElementRows([], in: version)
    }

    private struct Key: Hashable {
        let type: MessageType
        let version: ProtocolVersion
    }

    private static let index: [Key: ElementRows] = {
        var index: [Key: ElementRows] = [:]
        for type in MessageType.allCases {
            for version in ProtocolVersion.allCases {
                index[Key(type: type, version: version)] = ElementRows(
                    rows.filter { row in row.uses.contains { $0.messages.contains(type) } },
                    in: version
                )
            }
        }
        return index
    }()
}

/// The rows of a message or an object in one version.
package struct ElementRows: Sendable {
    package let rows: [Field]
    package let names: Set<String>

    init(_ rows: [Field], in version: ProtocolVersion) {
        self.rows = rows.filter { $0.versions.contains(version) }
        names = Set(self.rows.map(\.name))
    }
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
        case .object(let rows, _): rows
        case .array(let element, _, _): element.rows
        default: []
        }
    }
}
