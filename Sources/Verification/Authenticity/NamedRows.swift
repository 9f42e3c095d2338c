import Storage

/// The names of rows, each once: an attacker may forge any number of them.
package struct NamedRows: Equatable, Sendable {
    package static let maximumNames = 1000
    /// After `maximumNames`, the name of all others.
    package static let furtherRows = "more rows: run countersignd audit verify"

    package private(set) var names: [String] = []
    /// After `maximumNames`, the number of times that another row was added.
    private var furtherCount = 0
    private var known: Set<String> = []

    package var count: Int { known.count + furtherCount }
    package var isEmpty: Bool { known.isEmpty }

    /// Returns the new name; nil if it was there before.
    @discardableResult
    mutating func add(_ row: String) -> String? {
        guard !known.contains(row) else { return nil }
        guard known.count == Self.maximumNames else {
            known.insert(row)
            names.append(row)
            return row
        }
        furtherCount += 1
        guard furtherCount == 1 else { return nil }
        names.append(Self.furtherRows)
        return Self.furtherRows
    }

    mutating func add(_ failures: [StoreFailure]) {
        for failure in failures {
            if case .forged(let row) = failure.reason { add(row) }
        }
    }
}
