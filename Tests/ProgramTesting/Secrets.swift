package import Foundation

/// Searches output for known secrets, in every form in which a program may write bytes.
package struct Secrets {
    private var forms: [(name: String, form: Data)] = []

    package init() {}

    /// Adds the text, and the bytes that it may encode.
    package mutating func add(_ name: String, _ text: String) {
        add(name, Array(text.utf8))
    }

    package mutating func add(_ name: String, _ bytes: [UInt8]) {
        forms += Self.forms(of: bytes).map { (name, $0) }
    }

    /// The names of the secrets that occur.
    package func found(in data: Data) -> Set<String> {
        Set(forms.filter { data.range(of: $0.form) != nil }.map(\.name))
    }

    package func found(in text: String) -> Set<String> { found(in: Data(text.utf8)) }

    /// For a program that searches texts without regard to letter case.
    package var texts: [String] {
        Set(forms.compactMap { String(data: $0.form, encoding: .utf8) }).sorted()
    }

    private static func forms(of bytes: [UInt8]) -> [Data] {
        let hexadecimal = bytes.map { String(format: "%02x", $0) }
        let percent = hexadecimal.map { "%" + $0 }.joined()
        let texts =
            [hexadecimal.joined(), percent].flatMap { [$0, $0.uppercased()] }
            + [percentEncoded(bytes)] + (0..<3).flatMap { base64(bytes, after: $0) }
        return [Data(bytes), Data(bytes.reversed())] + texts.map { Data($0.utf8) }
    }

    /// As in an address: letters, digits and four more characters are not escaped.
    private static func percentEncoded(_ bytes: [UInt8]) -> String {
        bytes.map { byte in
            let character = Character(Unicode.Scalar(byte))
            let isPlain =
                character.isASCII
                && (character.isLetter || character.isNumber || "-._~".contains(character))
            return isPlain ? String(character) : String(format: "%%%02X", byte)
        }.joined()
    }

    /// In both alphabets, without the digits that depend on the neighbouring bytes; `count` bytes
    /// precede it.
    private static func base64(_ bytes: [UInt8], after count: Int) -> [String] {
        let padded = Data([UInt8](repeating: 0, count: count) + bytes)
        let standard = padded.base64EncodedString()
        let whole = (padded.count / 3) * 4
        let core = String(standard.prefix(whole).dropFirst((count * 4 + 2) / 3))
        return [core, core.replacing("+", with: "-").replacing("/", with: "_")]
    }
}
