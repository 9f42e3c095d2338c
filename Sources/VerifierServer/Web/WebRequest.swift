import HTTPServer

/// The conditions of a request for a file (RFC 9110, sections 12.5.3 and 13.1.2).
struct WebRequest {
    private let fields: [Field]

    init(_ request: Request) {
        fields = request.fields
    }

    /// Whether the client has this copy.
    ///
    /// A weak tag matches too, because a proxy can make a tag weak.
    func hasCopy(tagged tag: String) -> Bool {
        elements(of: "if-none-match").contains { element in
            element == "*" || element == tag || element == "W/" + tag
        }
    }

    /// Whether the client accepts gzip: named, or by `*`, with a weight above zero.
    var acceptsGzip: Bool {
        var (named, others) = (Bool?.none, Bool?.none)
        for element in elements(of: "accept-encoding") {
            let parts = element.split(separator: ";", omittingEmptySubsequences: false)
                .map { $0.trimmed.lowercased() }
            guard let coding = parts.first else { continue }
            let isAccepted = !parts.dropFirst().contains(where: Self.isZeroWeight)
            switch coding {
            case "gzip", "x-gzip": named = isAccepted
            case "*": others = isAccepted
            default: continue
            }
        }
        return named ?? others ?? false
    }

    /// `q=0`, `q=0.0` (RFC 9110, section 12.4.2).
    private static func isZeroWeight(_ parameter: String) -> Bool {
        guard parameter.hasPrefix("q=") else { return false }
        let weight = parameter.dropFirst(2)
        return weight.hasPrefix("0") && weight.allSatisfy { $0 == "0" || $0 == "." }
    }

    private func elements(of name: String) -> [String] {
        fields.filter { $0.isCalled(name) }
            .flatMap { $0.value.split(separator: ",") }
            .map { String($0.trimmed) }
    }
}

extension Substring {
    /// Without spaces and tabs at both ends.
    fileprivate var trimmed: Substring {
        let isSpace = { (character: Character) in character == " " || character == "\t" }
        guard let last = lastIndex(where: { !isSpace($0) }) else { return self[endIndex...] }
        return self[...last].drop(while: isSpace)
    }
}
