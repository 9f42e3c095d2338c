import TransactionApproval

/// A path with parameters: `/bank/v1/enterprises/{enterprise}`.
struct PathPattern: Sendable {
    private enum Part: Sendable {
        case word(String)
        case name(PathName)
    }

    let text: String
    private let parts: [Part]

    /// Every parameter of the pattern must be a `PathName`.
    init(_ text: String) {
        self.text = text
        parts = text.split(separator: "/").map { part in
            guard part.hasPrefix("{") else { return .word(String(part)) }
            guard let name = PathName(rawValue: String(part.dropFirst().dropLast())) else {
                preconditionFailure("no name of paths: \(part)")
            }
            return .name(name)
        }
    }

    /// The values of the parameters; nil if the path does not match.
    func names(in path: ArraySlice<Substring>) -> [PathName: String]? {
        guard path.count == parts.count else { return nil }
        var names: [PathName: String] = [:]
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

/// The parameters of paths.
enum PathName: String, CaseIterable, Sendable {
    case enterprise
    case accountType, accountID
    case otherType, otherID
    case activation, device, credential, transaction, login
    case sequence, target
}
