/// The rows of a message or an object in one version, at most one for each name.
///
/// It is a class because each message has it. A copy of a structure would count references to all of
/// its parts.
package final class ElementRows: Sendable {
    package let rows: [Field]
    private let places: NameIndex
    /// The places of currencies, each with that of its exponent.
    let currencies: [(currency: Int, exponent: Int)]

    static let none = ElementRows([])

    init(_ rows: [Field]) {
        self.rows = rows
        let places = NameIndex(rows.map(\.name))
        self.places = places
        currencies = ["purchase", "recurring", "merchant"].compactMap { kind in
            guard let currency = places[kind + "Currency"], let exponent = places[kind + "Exponent"]
            else { return nil }
            return (currency, exponent)
        }
    }

    /// Nil for a name that is in no row.
    func place(of name: String) -> Int? { places[name] }
}

/// The rows of a message or an object, which are sorted by version once.
package struct VersionedRows: Sendable {
    package let all: [Field]
    private let versions: [ProtocolVersion: ElementRows]

    init(_ rows: [Field]) {
        all = rows
        var versions: [ProtocolVersion: ElementRows] = [:]
        for version in ProtocolVersion.allCases {
            versions[version] = ElementRows(rows.filter { $0.versions.contains(version) })
        }
        self.versions = versions
    }

    package subscript(version: ProtocolVersion) -> ElementRows { versions[version] ?? .none }
}
