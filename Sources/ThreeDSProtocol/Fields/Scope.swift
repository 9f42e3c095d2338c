import StrictJSON

/// The values that decide the conditions in an object of a message.
struct Scope {
    let values: [String: JSONValue]
    /// The names of the object's rows: the object itself decides about them.
    let names: Set<String>
    let facts: TransactionFacts?
    let receiver: Component

    init(
        _ members: [JSONValue.Member],
        names: Set<String>,
        facts: TransactionFacts?,
        receiver: Component
    ) {
        var values = [String: JSONValue](minimumCapacity: members.count)
        // All elements have names in ASCII. Swift's `==` would accept a Kelvin sign for a K.
        for member in members where member.name.utf8.allSatisfy({ $0 < 0x80 }) {
            values[member.name] = member.value
        }
        self.values = values
        self.names = names
        self.facts = facts
        self.receiver = receiver
    }

    /// Empty if the element is absent, and nil if nothing is known of it.
    ///
    /// A name with a point is that of a member of an object: `recurringInd.amountInd`.
    func texts(of name: String) -> [String]? {
        if names.contains(name) { return values[name]?.texts ?? [] }
        guard let point = name.firstIndex(of: "."), names.contains(String(name[..<point])) else {
            return facts?.texts(of: name)
        }
        guard case .object(let members) = values[String(name[..<point])] else { return [] }
        return members.value(of: name[name.index(after: point)...])?.texts ?? []
    }
}

extension JSONValue {
    /// The texts that conditions compare; an object with content has one that equals no value.
    var texts: [String] {
        switch self {
        case .string(let text): text.isEmpty ? [] : [text]
        case .boolean(let truth): [truth ? "true" : "false"]
        case .array(let elements): elements.flatMap(\.texts)
        case .number(let number): [number.text]
        case .object(let members): members.isEmpty ? [] : [""]
        case .null: []
        }
    }

    /// A required element with such a value counts as missing.
    var isEmpty: Bool {
        switch self {
        case .string(let text): text.isEmpty
        case .array(let elements): elements.isEmpty
        case .object(let members): members.isEmpty
        case .null: true
        case .number, .boolean: false
        }
    }
}
