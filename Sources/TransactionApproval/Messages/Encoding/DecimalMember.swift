package import OneTimePassword

/// A number of 64 bits, in JSON a string of decimal digits without a leading zero.
///
/// Many readers of JSON hold numbers as fractions, which are exact up to 2^53 only: a counter that
/// one of them rounded would make another code.
package protocol DecimalMember: Codable {
    init(_ value: UInt64)

    var value: UInt64 { get }
}

extension DecimalMember {
    package init(from decoder: any Decoder) throws {
        // A counter is read exactly: no sign, no space, no leading zero.
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
