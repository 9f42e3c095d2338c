/// The bytes of a page, of which only `Markup` becomes a part.
struct PageWriter {
    private(set) var bytes = Array("<!doctype html>".utf8)

    mutating func append(_ part: Markup) {
        switch part {
        case .text(let text): append(escaping: text)
        case .element(let element, let attributes, let content):
            open(element.rawValue, attributes)
            for part in content { append(part) }
            close(element.rawValue)
        case .void(let element, let attributes): open(element.rawValue, attributes)
        case .style(let text, let nonce): append(text, in: "style", nonce)
        case .script(let text, let nonce): append(text, in: "script", nonce)
        }
    }

    /// Browsers decode no escapes in a style or script.
    private mutating func append(_ text: StaticString, in name: String, _ nonce: PageNonce) {
        open(name, [.nonce(nonce)])
        text.withUTF8Buffer { bytes.append(contentsOf: $0) }
        close(name)
    }

    private mutating func open(_ name: String, _ attributes: [Attribute]) {
        bytes += "<\(name)".utf8
        for attribute in attributes {
            bytes += " \(attribute.name)=\"".utf8
            append(escaping: attribute.value)
            bytes.append(UInt8(ascii: "\""))
        }
        bytes.append(UInt8(ascii: ">"))
    }

    private mutating func close(_ name: String) { bytes += "</\(name)>".utf8 }

    /// For elements, and for attributes in double quotes.
    private mutating func append(escaping text: String) {
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "&"): bytes += "&amp;".utf8
            case UInt8(ascii: "<"): bytes += "&lt;".utf8
            case UInt8(ascii: ">"): bytes += "&gt;".utf8
            case UInt8(ascii: "\""): bytes += "&quot;".utf8
            default: bytes.append(byte)
            }
        }
    }
}
