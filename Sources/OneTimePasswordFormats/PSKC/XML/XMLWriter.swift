/// Writes elements one after another, into memory that is wiped.
struct XMLWriter: ~Copyable {
    typealias Failure = PSKCDocument.WritingFailure

    private(set) var output = WipedText()
    private var openElements: [String] = []

    init() {
        output.append(#"<?xml version="1.0" encoding="UTF-8"?>"# + "\n")
    }

    /// Attributes without a value are omitted.
    mutating func start(
        _ name: String,
        _ attributes: KeyValuePairs<String, String?> = [:]
    ) throws(Failure) {
        output.append("<" + name)
        for (attribute, value) in attributes {
            guard let value else { continue }
            output.append(" \(attribute)=\"\(try Self.escaped(value, for: attribute))\"")
        }
        output.append(">")
        openElements.append(name)
    }

    mutating func end() {
        if let name = openElements.popLast() { output.append("</\(name)>\n") }
    }

    mutating func empty(
        _ name: String,
        _ attributes: KeyValuePairs<String, String?>
    ) throws(Failure) {
        try start(name, attributes)
        end()
    }

    mutating func leaf(_ name: String, _ text: String?) throws(Failure) {
        guard let text else { return }
        try start(name)
        output.append(try Self.escaped(text, for: name))
        end()
    }

    /// Writes text that needs no escaping.
    mutating func append(_ text: Span<UInt8>) {
        text.withUnsafeBufferPointer { output.append($0) }
    }

    /// Rejects text that a reader would change.
    private static func escaped(_ text: String, for name: String) throws(Failure) -> String {
        guard
            XMLElement.isShowable(text), text.unicodeScalars.first != " ",
            text.unicodeScalars.last != " "
        else { throw .malformed(name) }
        // By scalars: a bracket with a combining mark is another `Character`.
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}
