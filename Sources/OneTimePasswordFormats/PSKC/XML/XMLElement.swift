import OneTimePassword

/// An element of a parsed document.
final class XMLElement {
    /// The element's namespace; elements of other namespaces have no name here.
    enum Namespace: String {
        case pskc = "urn:ietf:params:xml:ns:keyprov:pskc"
        case signature = "http://www.w3.org/2000/09/xmldsig#"
        case encryption = "http://www.w3.org/2001/04/xmlenc#"
        case encryption11 = "http://www.w3.org/2009/xmlenc11#"
        case pkcs5 = "http://www.rsasecurity.com/rsalabs/pkcs/schemas/pkcs-5v2-0#"
        case none = ""
    }

    typealias Failure = PSKCDocument.ReadingFailure

    let name: String
    let namespace: Namespace?
    let attributes: [String: String]
    let line: Int
    var children: [XMLElement] = []
    var text = WipedText()

    init(name: String, namespace: Namespace?, attributes: [String: String], line: Int) {
        self.name = name
        self.namespace = namespace
        self.attributes = attributes
        self.line = line
    }
}

// MARK: Children

extension XMLElement {
    /// Rejects elements that RFC 6030 does not allow here; other namespaces are ignored.
    func allowOnly(_ names: Set<String>) throws(Failure) {
        let stranger = children.first { $0.namespace == .pskc && !names.contains($0.name) }
        if let stranger { throw .unexpectedElement(line: stranger.line) }
    }

    func children(_ name: String, in namespaces: Set<Namespace> = [.pskc]) -> [XMLElement] {
        children.filter { child in
            child.name == name && child.namespace.map(namespaces.contains) == true
        }
    }

    /// The only child of that name; a second one would be ambiguous.
    func child(
        _ name: String,
        in namespaces: Set<Namespace> = [.pskc]
    ) throws(Failure) -> XMLElement? {
        let found = children(name, in: namespaces)
        if found.count > 1 { throw .unexpectedElement(line: found[1].line) }
        return found.first
    }

    func requiredChild(
        _ name: String,
        in namespaces: Set<Namespace> = [.pskc]
    ) throws(Failure) -> XMLElement {
        guard let child = try child(name, in: namespaces) else {
            throw .missing(name, line: line)
        }
        return child
    }

    /// The text of the child of that name, if it exists.
    func childText(_ name: String) throws(Failure) -> String? {
        try child(name)?.plainText()
    }
}

// MARK: Text

extension XMLElement {
    /// Visible text, without the white space around it.
    func plainText() throws(Failure) -> String {
        guard children.isEmpty else { throw malformed }
        let trimmed = trimmingXMLSpace(text.string)
        guard Self.isShowable(trimmed) else { throw malformed }
        return trimmed
    }

    func number() throws(Failure) -> UInt64 {
        guard let number = decimalNumber(try plainText()) else { throw malformed }
        return number
    }

    /// The text without white space, which base64 may contain everywhere.
    func unspacedText() throws(Failure) -> WipedText {
        guard children.isEmpty else { throw malformed }
        var unspaced = WipedText()
        text.withBytes { bytes in
            bytes.withUnsafeBufferPointer { bytes in
                for word in bytes.split(whereSeparator: isXMLSpace) {
                    unspaced.append(UnsafeBufferPointer(rebasing: word))
                }
            }
        }
        return unspaced
    }

    /// A failure can quote this text, so it must be safe to log.
    static func isShowable(_ text: String) -> Bool {
        text.utf8.count <= 1024 && isPlainText(text)
    }

    var malformed: Failure { .malformed(name, line: line) }
}

// MARK: Attributes

extension XMLElement {
    func attribute(_ name: String) throws(Failure) -> String? {
        guard let value = attributes[name] else { return nil }
        guard Self.isShowable(value) else { throw .malformed(name, line: line) }
        return value
    }

    func requiredAttribute(_ name: String) throws(Failure) -> String {
        guard let value = try attribute(name) else { throw .missing(name, line: line) }
        return value
    }

    func numberAttribute(_ name: String) throws(Failure) -> UInt32? {
        guard let value = try attribute(name) else { return nil }
        guard let number = decimalNumber(value).flatMap(UInt32.init(exactly:)) else {
            throw .malformed(name, line: line)
        }
        return number
    }

    func requiredNumberAttribute(_ name: String) throws(Failure) -> UInt32 {
        guard let number = try numberAttribute(name) else { throw .missing(name, line: line) }
        return number
    }

    /// A Boolean attribute (XML Schema, part 2, section 3.2.2).
    func flagAttribute(_ name: String) throws(Failure) -> Bool? {
        switch attributes[name] {
        case nil: nil
        case "true", "1": true
        case "false", "0": false
        default: throw .malformed(name, line: line)
        }
    }
}

// MARK: White space

private func isXMLSpace(_ byte: UInt8) -> Bool {
    " \t\r\n".utf8.contains(byte)
}

private func trimmingXMLSpace(_ text: String) -> String {
    let body = text.utf8.drop(while: isXMLSpace)
    guard let last = body.lastIndex(where: { !isXMLSpace($0) }) else { return "" }
    return String(Substring(body[...last]))
}
