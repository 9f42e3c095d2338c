/// A header field without optional white space around its value.
package struct HTTPField: Equatable, Sendable {
    package let name: String
    package let value: String

    package init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}

extension [HTTPField] {
    /// The value of the field with this lower-case name.
    ///
    /// A repeated field is an error, because parsers disagree about it.
    func value(of name: String) throws(SignatureFailure) -> String {
        let found = fields(named: name)
        guard let field = found.first else { throw .missing(name) }
        guard found.count == 1 else { throw .repeated(name) }
        guard field.value.isPrintableLine else { throw .malformed(name) }
        return field.value
    }

    /// Whether there is a field with this lower-case name, however malformed.
    func contains(_ name: String) -> Bool { !fields(named: name).isEmpty }

    private func fields(named name: String) -> [HTTPField] {
        filter { $0.name.utf8.elementsEqual(name.utf8, by: isSameLetter) }
    }
}

extension String {
    /// Whether this is non-empty printable ASCII without a space at either end.
    ///
    /// Only for such text does `==` mean equal bytes: Swift treats two Unicode semicolons as equal.
    var isPrintableLine: Bool {
        !isEmpty && utf8.allSatisfy { (0x20...0x7e).contains($0) }
            && utf8.first != UInt8(ascii: " ") && utf8.last != UInt8(ascii: " ")
    }
}

/// Field names ignore case (RFC 9110, section 5.1), in ASCII only.
private func isSameLetter(_ character: UInt8, _ lowerCase: UInt8) -> Bool {
    let isUpperCase = (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(character)
    return (isUpperCase ? character | 0x20 : character) == lowerCase
}
