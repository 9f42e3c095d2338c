/// The rows of a message or an object in one version.
package struct ElementRows: Sendable {
    package let rows: [Field]
    /// The place in `rows` of each name; no version has two rows of one name.
    private let places: [ElementName: Int]

    static let none = ElementRows([])

    init(_ rows: [Field]) {
        self.rows = rows
        places = Dictionary(
            uniqueKeysWithValues: rows.enumerated().map { place, row in
                (ElementName(text: row.name), place)
            }
        )
    }

    package var names: Set<String> { Set(places.keys.map(\.text)) }

    /// Nil for a name that is in no row.
    func place(of name: String) -> Int? { places[ElementName(text: name)] }
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
