/// A type that is read and written exactly or rejected, whatever its own `Codable` does.
package protocol ExactJSON {
    /// Returns nil if the value has another type: nothing is converted.
    init?(json value: JSONValue)

    /// Returns nil if the type cannot be written.
    var json: JSONValue? { get }
}

extension String: ExactJSON {
    package init?(json value: JSONValue) {
        guard case .string(let text) = value else { return nil }
        self = text
    }

    package var json: JSONValue? { .string(self) }
}

extension Bool: ExactJSON {
    package init?(json value: JSONValue) {
        guard case .boolean(let boolean) = value else { return nil }
        self = boolean
    }

    package var json: JSONValue? { .boolean(self) }
}

extension ExactJSON where Self: FixedWidthInteger {
    package init?(json value: JSONValue) {
        guard case .number(let number) = value, let integer = number.integer(Self.self)
        else { return nil }
        self = integer
    }

    package var json: JSONValue? { .number(JSONNumber(self)) }
}

extension Int: ExactJSON {}
extension Int8: ExactJSON {}
extension Int16: ExactJSON {}
extension Int32: ExactJSON {}
extension Int64: ExactJSON {}
extension Int128: ExactJSON {}
extension UInt: ExactJSON {}
extension UInt8: ExactJSON {}
extension UInt16: ExactJSON {}
extension UInt32: ExactJSON {}
extension UInt64: ExactJSON {}
extension UInt128: ExactJSON {}

/// A type that is neither read nor written.
private protocol RefusedJSON: ExactJSON {}

extension RefusedJSON {
    package init?(json value: JSONValue) { nil }
    package var json: JSONValue? { nil }
}

// A fraction would be rounded.
extension Float: RefusedJSON {}
extension Double: RefusedJSON {}
// The order would be random, and of two equal names or elements one would be lost.
extension Dictionary: RefusedJSON {}
extension Set: RefusedJSON {}
