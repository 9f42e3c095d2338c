package import StrictJSON

/// The identifiers that the parties gave to one transaction, as far as they are known.
package struct TransactionIDs: Equatable, Sendable {
    package var server: String?
    package var directory: String?
    package var acs: String?
    package var sdk: String?

    package init() {}

    /// The well-formed identifiers of a message; all others are left out.
    package init(in members: [JSONValue.Member]) {
        for (name, path) in Self.paths {
            let text = members.text(of: name)
            self[keyPath: path] = text.flatMap { isUUID($0) ? $0 : nil }
        }
    }

    /// Adds the identifiers that only `other` knows.
    package mutating func fill(from other: TransactionIDs) {
        for (_, path) in Self.paths where self[keyPath: path] == nil {
            self[keyPath: path] = other[keyPath: path]
        }
    }

    /// The names of identifiers that both know, with different values.
    func conflicts(with other: TransactionIDs) -> [String] {
        Self.paths.compactMap { name, path in
            guard let ours = self[keyPath: path], let theirs = other[keyPath: path] else {
                return nil
            }
            // Letters of either case write the same identifier (RFC 4122, section 3).
            return ours.lowercased() == theirs.lowercased() ? nil : name
        }
    }

    var members: [JSONValue.Member] {
        Self.paths.compactMap { name, path in
            self[keyPath: path].map { JSONValue.Member(name: name, value: .string($0)) }
        }
    }

    /// The identifier with the name of an element.
    func text(of name: String) -> String? {
        Self.paths.first { $0.name == name }.flatMap { self[keyPath: $0.path] }
    }

    static var names: [String] { paths.map(\.name) }

    private typealias Path = any WritableKeyPath<TransactionIDs, String?> & Sendable

    private static let paths: [(name: String, path: Path)] = [
        ("threeDSServerTransID", \.server), ("acsTransID", \.acs), ("dsTransID", \.directory),
        ("sdkTransID", \.sdk),
    ]
}
