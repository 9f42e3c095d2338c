/// A name compared by its bytes: Swift strings of different code points can be equal.
struct ExactName: Hashable {
    private let text: String

    init(_ text: String) {
        self.text = text
    }

    static func == (left: ExactName, right: ExactName) -> Bool {
        left.text.hasBytes(of: right.text)
    }

    func hash(into hasher: inout Hasher) {
        // A string's own hash is equal for all of its spellings; an attacker's object could have
        // them all.
        text.utf8.withContiguousStorageIfAvailable { hasher.combine(bytes: .init($0)) }
    }
}

extension String {
    /// Returns whether both texts have the same bytes.
    ///
    /// Swift's `==` also accepts other spellings of a text. For that it sorts combining marks, in a
    /// time that can grow with the square of their count.
    @inlinable
    package func hasBytes(of other: String) -> Bool {
        guard utf8.count == other.utf8.count else { return false }
        // Swift distinguishes short texts fastest.
        if utf8.count <= 64, self != other { return false }
        return hasBytes(other.utf8)
    }

    @usableFromInline
    func hasBytes(_ other: String.UTF8View) -> Bool {
        let (left, right) = (utf8.span, other.span)
        return left.indices.allSatisfy { left[$0] == right[$0] }
    }
}

extension [JSONValue.Member] {
    /// The first member with exactly this name.
    package func value(of name: String) -> JSONValue? {
        first { $0.name.hasBytes(of: name) }?.value
    }

    var repeatAName: Bool {
        // Few names are compared faster than hashed.
        guard count > 4 else { return indices.contains { repeatsAName(at: $0) } }
        var names = Set<ExactName>(minimumCapacity: count)
        return contains { !names.insert(ExactName($0.name)).inserted }
    }

    private func repeatsAName(at index: Int) -> Bool {
        self[..<index].contains { $0.name.hasBytes(of: self[index].name) }
    }
}
