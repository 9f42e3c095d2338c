import StrictJSON

/// The values that decide the conditions in an object of a message.
struct Scope {
    let members: [JSONValue.Member]
    /// The rows of the object, whose names the object itself decides.
    let rows: [Field]
    let facts: TransactionFacts?
    let receiver: Component

    /// Empty if the element is absent, and nil if nothing is known of it.
    ///
    /// A name with a point is that of a member of an object: `recurringInd.amountInd`.
    func texts(of name: String) -> [String]? {
        let path = name.split(separator: ".")
        guard let first = path.first, rows.contains(where: { $0.name == first }) else {
            return facts?.texts(of: name)
        }
        let value = path.reduce(JSONValue?.some(.object(members))) { value, name in
            guard case .object(let members) = value else { return nil }
            return members.value(of: name)
        }
        return value.map(\.texts) ?? []
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
