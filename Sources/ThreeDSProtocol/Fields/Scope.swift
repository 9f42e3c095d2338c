import StrictJSON

/// The values that decide the conditions in an object of a message.
struct Scope {
    private let members: [JSONValue.Member]
    /// The place in `members` of each row; nil if the object does not have it.
    private let places: [Int?]
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
        var places = [Int?](repeating: nil, count: rows.rows.count)
        for index in members.indices {
            if let row = rows.place(of: members[index].name) { places[row] = index }
        }
        self.places = places
        self.members = members
        self.rows = rows
        self.facts = facts
        self.receiver = receiver
    }

    /// The value of a row of the object.
    subscript(row: Int) -> JSONValue? { places[row].map { members[$0].value } }

    /// Empty if the element is absent, and nil if nothing is known of it.
    ///
    /// A name with a point is that of a member of an object: `recurringInd.amountInd`.
    func texts(of name: String) -> [String]? {
        if let row = rows.place(of: name) { return self[row]?.texts ?? [] }
        guard let point = name.firstIndex(of: "."),
            let row = rows.place(of: String(name[..<point]))
        else { return facts?.texts(of: name) }
        guard case .object(let members) = self[row] else { return [] }
        return members.value(of: String(name[name.index(after: point)...]))?.texts ?? []
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
