import TransactionApproval

/// A path of which some parts are names: `/bank/v1/enterprises/{enterprise}`.
struct PathPattern: Sendable {
    private enum Part: Sendable {
        case word(String)
        case name(PathName)
    }

    let text: String
    private let parts: [Part]

    /// Takes a pattern of the program's own, in which every name is one of `PathName`.
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

    /// What stands where the names are; nil where the path is another one.
    func names(in path: ArraySlice<Substring>) -> [PathName: String]? {
        guard path.count == parts.count else { return nil }
        var names: [PathName: String] = [:]
        for (part, text) in zip(parts, path) {
            switch part {
            case .word(let word): guard word == text else { return nil }
            case .name(let name):
                guard isName(text) else { return nil }
                names[name] = String(text)
            }
        }
        return names
    }
}

/// What a path can name.
enum PathName: String, CaseIterable, Sendable {
    case enterprise
    case accountType, accountID
    case otherType, otherID
    case activation, device, credential, transaction, login
    case sequence, target
}

/// Names need no escapes, so none is read: there is one spelling of each path.
///
/// Dots alone would lead elsewhere on the way here.
private func isName(_ text: Substring) -> Bool {
    text != "." && text != ".." && EnterpriseID(String(text)) != nil
}
