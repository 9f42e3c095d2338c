/// A JSON object with one member.
package struct NamedValue<Value: Encodable>: Encodable {
    private let name: String
    private let value: Value

    package init(_ name: String, _ value: Value) {
        (self.name, self.value) = (name, value)
    }

    package func encode(to encoder: any Encoder) throws {
        var object = encoder.container(keyedBy: Name.self)
        try object.encode(value, forKey: Name(stringValue: name))
    }

    private struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }
}
