import Storage

/// A row that cannot be read, although all others can.
package struct UnreadableRow: Error, Equatable, Sendable {
    let name: String
    /// The version of a key that this process lacks; nil if another program changed the row.
    let missingKey: UInt32?

    /// For a list of such rows.
    package var text: String {
        missingKey.map { "\(name) (version \($0) of the encryption key is missing)" } ?? name
    }

    var failure: StoreFailure {
        missingKey.map { .missingKey(version: $0) } ?? .forged(row: name)
    }
}

extension RowSeal {
    /// The row with this name; throws a failure that has another cause than the row.
    func unreadable(
        _ name: String,
        after failure: StoreFailure,
        on connection: any SQLConnection
    ) throws(StoreFailure) -> UnreadableRow {
        switch failure.reason {
        case .forged, .damaged: return UnreadableRow(name: name, missingKey: nil)
        case .missingKey(let version):
            // A rotation seals the secrets first. With their key, a process lacks no key of the store,
            // unless one of a new file, of removed keys, or of an attacker.
            try checkNewestKey(on: connection)
            return UnreadableRow(name: name, missingKey: version)
        default: throw failure
        }
    }
}
