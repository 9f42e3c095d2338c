package import OneTimePassword

/// A 64-bit number as a JSON string of decimal digits.
///
/// Many JSON parsers round numbers above 2^53, and a rounded counter gives another code.
package protocol DecimalMember: Codable {
    init(_ value: UInt64)

    var value: UInt64 { get }
}

extension DecimalMember {
    package init(from decoder: any Decoder) throws {
        // `Counter` accepts no sign, space or leading zero.
        self = try decoder.value(of: String.self) { text in
            Counter(text).map { Self($0.value) }
        }
    }

    package func encode(to encoder: any Encoder) throws {
        try encoder.write(String(value))
    }
}

extension Counter: DecimalMember {}
extension Generation: DecimalMember {}
extension Epoch: DecimalMember {}
