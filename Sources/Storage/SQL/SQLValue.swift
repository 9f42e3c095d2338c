/// A value that both engines store and return unchanged.
package enum SQLValue: Sendable {
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

/// Texts are equal if they have the same bytes, as in both engines.
///
/// Swift's own `==` and hash also take other spellings of a text for the same one. For that they sort
/// combining marks, in a time that can grow with the square of their count.
extension SQLValue: Hashable {
    package static func == (first: SQLValue, second: SQLValue) -> Bool {
        switch (first, second) {
        case (.null, .null): true
        case (.integer(let first), .integer(let second)): first == second
        case (.text(let first), .text(let second)): first.hasBytes(of: second)
        case (.bytes(let first), .bytes(let second)): first == second
        case (.malformedText(let first), .malformedText(let second)): first == second
        default: false
        }
    }

    package func hash(into hasher: inout Hasher) {
        switch self {
        case .null: hasher.combine(UInt8(0))
        case .integer(let value): hasher.combine(value)
        case .text(var text):
            text.withUTF8 { hasher.combine(bytes: .init($0)) }
            // No byte of a text, so a text and the next one do not run together.
            hasher.combine(UInt8(0xff))
        case .bytes(let bytes), .malformedText(let bytes): hasher.combine(bytes)
        }
    }
}

extension String {
    fileprivate func hasBytes(of other: String) -> Bool {
        guard utf8.count == other.utf8.count else { return false }
        var (left, right) = (self, other)
        return left.withUTF8 { left in right.withUTF8 { right in left.elementsEqual(right) } }
    }
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
