import Transactions

/// A path with parameters: `/bank/v1/enterprises/{enterprise}`.
///
/// `Name` is the type of the parameters.
package struct PathPattern<Name: PathParameter>: Sendable {
    package let text: String
    package let partCount: Int
    /// The fixed parts with their places, the last one first: most paths begin alike.
    private let words: [(place: Int, text: String)]
    private let names: [(place: Int, name: Name)]

    /// Every parameter of the pattern must be a `Name`.
    package init(_ text: String) {
        self.text = text
        let parts = text.split(separator: "/").map { String($0) }
        var (words, names): ([(Int, String)], [(Int, Name)]) = ([], [])
        for (place, part) in parts.enumerated() {
            if !part.hasPrefix("{") {
                words.append((place, part))
            } else if let name = Name(rawValue: String(part.dropFirst().dropLast())) {
                names.append((place, name))
            } else {
                preconditionFailure("no name of paths: \(part)")
            }
        }
        (partCount, self.words, self.names) = (parts.count, words.reversed(), names)
    }

    /// The values of the parameters; nil if the path does not match.
    package func names(in target: RequestTarget) -> [Name: String]? {
        guard let path = target.parts, path.count == partCount else { return nil }
        let start = path.startIndex
        guard words.allSatisfy({ path[start + $0.place] == $0.text }) else { return nil }
        var values: [Name: String] = [:]
        for (place, name) in names {
            // Names need no escapes, so each path has one spelling.
            guard let value = EnterpriseID(String(path[start + place]))?.text else { return nil }
            values[name] = value
        }
        return values
    }
}

/// The parameters of the paths of one API.
package protocol PathParameter: Hashable, RawRepresentable<String>, Sendable {}
