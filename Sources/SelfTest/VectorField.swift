/// A field of a test vector and its JSON type.
struct VectorField: Sendable {
    enum Kind: Sendable {
        case text
        /// Text of lower-case hexadecimal digits.
        case bytes
        case integer
        case list
    }

    let name: String
    let kind: Kind
    let isOptional: Bool

    static func text(_ name: String) -> VectorField { VectorField(name, .text) }
    static func bytes(_ name: String) -> VectorField { VectorField(name, .bytes) }
    static func integer(_ name: String) -> VectorField { VectorField(name, .integer) }

    static func list(_ name: String) -> VectorField { VectorField(name, .list) }

    /// The same field, but optional.
    var optional: VectorField { VectorField(name, kind, isOptional: true) }

    private init(_ name: String, _ kind: Kind, isOptional: Bool = false) {
        self.name = name
        self.kind = kind
        self.isOptional = isOptional
    }
}
