/// Rows of a report: their number, and the names of the first ones.
package struct ReportedRows: Equatable, Sendable {
    package private(set) var count = 0
    package private(set) var names: [String] = []

    private static let maximumNames = 10

    package init() {}

    package mutating func append(_ name: String) {
        count += 1
        if names.count < Self.maximumNames { names.append(name) }
    }
}
