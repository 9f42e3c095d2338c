package import Storage

/// A page of rows for a list, in the order of their keys.
///
/// A row that cannot be read is named, and all other rows are read.
package struct RowPage<Element: Sendable>: Sendable {
    package private(set) var elements: [Element] = []
    package private(set) var unreadable: [UnreadableRow] = []
    /// The key of the last row; nil at the end of the table.
    package let end: SQLValue?

    /// `read` returns nil for a row that does not belong to the list.
    init(
        _ rows: [Row],
        _ kind: StaticString,
        by key: Column,
        under seal: RowSeal,
        on connection: any SQLConnection,
        reading read: (Row) throws(StoreFailure) -> Element?
    ) throws(StoreFailure) {
        end = try rows.last.map { row throws(StoreFailure) in try row[key] }
        for row in rows {
            do throws(StoreFailure) {
                if let element = try read(row) { elements.append(element) }
            } catch {
                let name = Self.name(try row[key], kind)
                unreadable.append(try seal.unreadable(name, after: error, on: connection))
            }
        }
    }

    package var rowCount: Int { elements.count + unreadable.count }

    /// The key of the last row, as text; nil at the end of the table.
    var lastName: String? {
        guard case .text(let name)? = end else { return nil }
        return name
    }

    private static func name(_ key: SQLValue, _ kind: StaticString) -> String {
        guard case .text(let name) = key else { return "\(kind) without a name" }
        return "\(kind) \(name)"
    }
}
