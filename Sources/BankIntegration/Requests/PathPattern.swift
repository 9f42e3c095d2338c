import Transactions

/// A path with parameters: `/bank/v1/enterprises/{enterprise}`.
///
/// `Name` is the type of the parameters.
package struct PathPattern<Name: PathParameter>: Sendable {
    private enum Part: Sendable {
        case word(String)
        case name(Name)
    }

    package let text: String
    private let parts: [Part]

    /// Every parameter of the pattern must be a `Name`.
    package init(_ text: String) {
        self.text = text
        parts = text.split(separator: "/").map { part in
            guard part.hasPrefix("{") else { return .word(String(part)) }
            guard let name = Name(rawValue: String(part.dropFirst().dropLast())) else {
                preconditionFailure("no name of paths: \(part)")
            }
            return .name(name)
        }
    }

    /// The values of the parameters; nil if the path does not match.
    package func names(in path: ArraySlice<Substring>) -> [Name: String]? {
        guard path.count == parts.count else { return nil }
        var names: [Name: String] = [:]
        for (part, text) in zip(parts, path) {
            switch part {
            case .word(let word): guard word == text else { return nil }
            case .name(let name):
                // Names need no escapes, so each path has one spelling.
                guard let text = EnterpriseID(String(text))?.text else { return nil }
                names[name] = text
            }
        }
        return names
    }
}

/// The parameters of the paths of one API.
package protocol PathParameter: Hashable, RawRepresentable<String>, Sendable {}
