/// A value that both engines store and return unchanged.
package enum SQLValue: Hashable, Sendable {
    case null
    case integer(Int64)
    /// Must not contain NUL, which PostgreSQL rejects.
    case text(String)
    case bytes([UInt8])
    /// Another program stored this text in SQLite: it is not UTF-8, or contains NUL.
    ///
    /// It compares as text, so a page can continue after a key that contains it.
    case malformedText([UInt8])
}

extension SQLValue {
    package var integer: Int64 {
        get throws(StoreFailure) {
            guard case .integer(let value) = self else { throw .damaged }
            return value
        }
    }

    package var text: String {
        get throws(StoreFailure) {
            guard case .text(let value) = self else { throw .damaged }
            return value
        }
    }

    package var bytes: [UInt8] {
        get throws(StoreFailure) {
            guard case .bytes(let value) = self else { throw .damaged }
            return value
        }
    }
}

/// A bound value may be an identifier, a digest or a sealed seed, so it is never printed.
extension SQLValue: CustomStringConvertible, CustomReflectable {
    package var description: String { "<redacted>" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
