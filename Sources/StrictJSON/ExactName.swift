/// A name compared by its bytes: Swift strings of different code points can be equal.
struct ExactName: Hashable {
    private let text: String

    init(_ text: String) {
        self.text = text
    }

    static func == (left: ExactName, right: ExactName) -> Bool {
        // The first comparisons distinguish most names quickly.
        left.text.utf8.count == right.text.utf8.count && left.text == right.text
            && left.text.utf8.elementsEqual(right.text.utf8)
    }

    func hash(into hasher: inout Hasher) {
        // A string's own hash is equal for all of its spellings; an attacker's object could have
        // them all.
        text.utf8.withContiguousStorageIfAvailable { hasher.combine(bytes: .init($0)) }
    }
}

extension [JSONValue.Member] {
    var repeatAName: Bool {
        // Few names are compared faster than hashed.
        guard count > 4 else { return indices.contains { repeatsAName(at: $0) } }
        var names = Set<ExactName>(minimumCapacity: count)
        return contains { !names.insert(ExactName($0.name)).inserted }
    }

    private func repeatsAName(at index: Int) -> Bool {
        self[..<index].contains { ExactName($0.name) == ExactName(self[index].name) }
    }
}
