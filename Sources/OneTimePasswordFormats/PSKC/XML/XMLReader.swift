import CXML

/// Parses a document into a tree of elements, with expat.
///
/// It fetches nothing and expands no entity: a document type declaration is rejected where it
/// begins.
final class XMLReader {
    typealias Failure = PSKCDocument.ReadingFailure

    static let maximumByteCount = 4 << 20
    /// The deepest known element, in a signature, is at depth 9.
    private static let maximumDepth = 32
    /// Separates namespace and name; no document can contain it.
    private static let separator: Unicode.Scalar = "\u{1}"

    private let parser: XML_Parser
    private var root: XMLElement?
    private var openElements: [XMLElement] = []
    private var failure: Failure?

    static func root(of document: Span<UInt8>) throws(Failure) -> XMLElement {
        guard document.count <= maximumByteCount else { throw .tooLarge }
        guard isUTF8(document) else { throw .encodingRefused }
        return try XMLReader().read(document)
    }

    /// Expat reads a zero byte or certain first bytes as UTF-16, whatever encoding was set.
    private static func isUTF8(_ document: Span<UInt8>) -> Bool {
        // The reason does not matter.
        document.withUnsafeBufferPointer { !$0.contains(0) }
            && (try? UTF8Span(validating: document)) != nil
    }

    private init() throws(Failure) {
        var memory = XML_Memory_Handling_Suite.wiped
        let parser = XML_ParserCreate_MM("UTF-8", &memory, String(Self.separator))
        guard let parser else { throw .tooLarge }
        self.parser = parser
        setHandlers()
    }

    deinit {
        XML_ParserFree(parser)
    }

    private func read(_ document: Span<UInt8>) throws(Failure) -> XMLElement {
        let status = document.withUnsafeBytes { bytes in
            XML_Parse(
                parser,
                bytes.baseAddress?.assumingMemoryBound(to: CChar.self),
                Int32(bytes.count),
                1
            )
        }
        if let failure { throw failure }
        guard status == XML_STATUS_OK, let root else {
            throw XML_GetErrorCode(parser) == XML_ERROR_NO_MEMORY ? .tooLarge : .notXML(line: line)
        }
        return root
    }

    private var line: Int { Int(XML_GetCurrentLineNumber(parser)) }

    private func refuse(_ failure: Failure) {
        // Expat still calls some handlers after it was stopped.
        if self.failure == nil { self.failure = failure }
        XML_StopParser(parser, 0)
    }
}

// MARK: Handlers for expat

extension XMLReader {
    private func setHandlers() {
        // Expat calls handlers only during `read`, which keeps this reader alive.
        XML_SetUserData(parser, Unmanaged.passUnretained(self).toOpaque())
        XML_SetXmlDeclHandler(parser) { reader, _, encoding, _ in
            XMLReader.behind(reader)?.declare(encoding: encoding)
        }
        XML_SetStartDoctypeDeclHandler(parser) { reader, _, _, _, _ in
            XMLReader.behind(reader)?.refuse(.doctypeRefused)
        }
        XML_SetElementHandler(
            parser,
            { reader, name, attributes in XMLReader.behind(reader)?.start(name, attributes) },
            { reader, _ in XMLReader.behind(reader)?.end() }
        )
        XML_SetCharacterDataHandler(parser) { reader, characters, count in
            XMLReader.behind(reader)?.append(characters, Int(count))
        }
    }

    private static func behind(_ pointer: UnsafeMutableRawPointer?) -> XMLReader? {
        pointer.map { Unmanaged<XMLReader>.fromOpaque($0).takeUnretainedValue() }
    }

    private func declare(encoding: UnsafePointer<XML_Char>?) {
        guard let encoding else { return }
        if String(cString: encoding).uppercased() != "UTF-8" { refuse(.encodingRefused) }
    }

    private func start(
        _ name: UnsafePointer<XML_Char>?,
        _ attributes: UnsafeMutablePointer<UnsafePointer<XML_Char>?>?
    ) {
        guard openElements.count < Self.maximumDepth else { return refuse(.tooLarge) }
        guard failure == nil, let name else { return }
        let fullName = String(cString: name)
        let attributes = Self.dictionary(attributes)
        // Swift's comparison would treat the Kelvin sign as a K.
        guard
            ([fullName] + attributes.keys).allSatisfy({ $0.utf8.allSatisfy(Unicode.ASCII.isASCII) })
        else { return refuse(.unexpectedElement(line: line)) }
        let (namespace, localName) = Self.parted(fullName)
        let element = XMLElement(
            name: localName,
            namespace: XMLElement.Namespace(rawValue: namespace),
            attributes: attributes,
            line: line
        )
        if root == nil { root = element }
        openElements.last?.children.append(element)
        openElements.append(element)
    }

    private func end() {
        _ = openElements.popLast()
    }

    private func append(_ characters: UnsafePointer<XML_Char>?, _ count: Int) {
        let bytes = UnsafeRawPointer(characters)?.assumingMemoryBound(to: UInt8.self)
        openElements.last?.text.append(UnsafeBufferPointer(start: bytes, count: count))
    }

    private static func parted(_ name: String) -> (namespace: String, name: String) {
        let parts = name.unicodeScalars.split(separator: separator, maxSplits: 1).map(String.init)
        return parts.count == 2 ? (parts[0], parts[1]) : ("", name)
    }

    /// Alternating names and values that end with a null pointer; the names differ.
    private static func dictionary(
        _ attributes: UnsafeMutablePointer<UnsafePointer<XML_Char>?>?
    ) -> [String: String] {
        var result: [String: String] = [:]
        guard var next = attributes else { return result }
        while let name = next[0], let value = next[1] {
            result[String(cString: name)] = String(cString: value)
            next += 2
        }
        return result
    }
}
