/// A header field, without the white space that HTTP allows around its value.
package struct HTTPField: Equatable, Sendable {
    package let name: String
    package let value: String

    package init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}

extension [HTTPField] {
    /// The value of the one field of this lower-case name, printable ASCII throughout.
    ///
    /// A second field would be joined to the first by one reader and passed over by another.
    func value(of name: String) throws(SignatureFailure) -> String {
        let found = filter { $0.name.utf8.elementsEqual(name.utf8, by: isSameLetter) }
        guard let field = found.first else { throw .missing(name) }
        guard found.count == 1 else { throw .repeated(name) }
        guard field.value.isPrintableLine else { throw .malformed(name) }
        return field.value
    }
}

extension String {
    /// Whether this is ASCII on one line, with something in it and no space at either end.
    ///
    /// Of such texts alone is `==` true only of the same bytes: Unicode has a second semicolon that
    /// Swift takes for the first.
    var isPrintableLine: Bool {
        !isEmpty && utf8.allSatisfy { (0x20...0x7e).contains($0) }
            && utf8.first != UInt8(ascii: " ") && utf8.last != UInt8(ascii: " ")
    }
}

/// Field names have no letter case (RFC 9110, section 5.1), but only in ASCII.
private func isSameLetter(_ character: UInt8, _ lowerCase: UInt8) -> Bool {
    let isUpperCase = (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(character)
    return (isUpperCase ? character | 0x20 : character) == lowerCase
}
