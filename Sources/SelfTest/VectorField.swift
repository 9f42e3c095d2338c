/// A field of a test vector and its JSON type.
package struct VectorField: Sendable {
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

    package static func text(_ name: String) -> VectorField { VectorField(name, .text) }
    package static func bytes(_ name: String) -> VectorField { VectorField(name, .bytes) }
    package static func integer(_ name: String) -> VectorField { VectorField(name, .integer) }

    package static func list(_ name: String) -> VectorField { VectorField(name, .list) }

    /// The same field, but optional.
    package var optional: VectorField { VectorField(name, kind, isOptional: true) }

    private init(_ name: String, _ kind: Kind, isOptional: Bool = false) {
        self.name = name
        self.kind = kind
        self.isOptional = isOptional
    }
}
