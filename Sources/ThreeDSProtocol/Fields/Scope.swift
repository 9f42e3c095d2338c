import StrictJSON

/// The values that decide the conditions in an object of a message.
struct Scope {
    /// The value of each row; nil if the object does not have it.
    let values: [JSONValue?]
    /// The object's rows: the object itself decides about them.
    private let rows: ElementRows
    private let facts: TransactionFacts?
    let receiver: Component

    init(
        _ members: [JSONValue.Member],
        _ rows: ElementRows,
        facts: TransactionFacts?,
        receiver: Component
    ) {
        var values = [JSONValue?](repeating: nil, count: rows.rows.count)
        for member in members {
            if let place = rows.place(of: member.name) { values[place] = member.value }
        }
        self.values = values
        self.rows = rows
        self.facts = facts
        self.receiver = receiver
    }

    /// Empty if the element is absent, and nil if nothing is known of it.
    ///
    /// A name with a point is that of a member of an object: `recurringInd.amountInd`.
    func texts(of name: String) -> [String]? {
        if let place = rows.place(of: name) { return values[place]?.texts ?? [] }
        guard let point = name.firstIndex(of: "."),
            let place = rows.place(of: String(name[..<point]))
        else { return facts?.texts(of: name) }
        guard case .object(let members) = values[place] else { return [] }
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
