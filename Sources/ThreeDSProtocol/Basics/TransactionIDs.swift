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
        func identifier(_ name: String) -> String? {
            members.text(of: name).flatMap { isUUID($0) ? $0 : nil }
        }
        server = identifier(Self.serverName)
        acs = identifier(Self.acsName)
        directory = identifier(Self.directoryName)
        sdk = identifier(Self.sdkName)
    }

    /// Adds the identifiers that only `other` knows.
    package mutating func fill(from other: TransactionIDs) {
        server = server ?? other.server
        acs = acs ?? other.acs
        directory = directory ?? other.directory
        sdk = sdk ?? other.sdk
    }

    /// The names of identifiers that both know, with different values.
    func conflicts(with other: TransactionIDs) -> [String] {
        zip(named, other.named).compactMap { ours, theirs in
            guard let own = ours.text, let other = theirs.text, !own.hasBytes(of: other) else {
                return nil
            }
            // Letters of either case write the same identifier (RFC 4122, section 3).
            return own.lowercased() == other.lowercased() ? nil : ours.name
        }
    }

    var members: [JSONValue.Member] {
        named.compactMap { name, text in
            text.map { JSONValue.Member(name: name, value: .string($0)) }
        }
    }

    /// The identifier with the name of an element.
    func text(of name: String) -> String? { named.first { $0.name == name }?.text }

    static var names: [String] { TransactionIDs().named.map(\.name) }

    private static let serverName = "threeDSServerTransID"
    private static let acsName = "acsTransID"
    private static let directoryName = "dsTransID"
    private static let sdkName = "sdkTransID"

    private var named: [(name: String, text: String?)] {
        [
            (Self.serverName, server), (Self.acsName, acs), (Self.directoryName, directory),
            (Self.sdkName, sdk),
        ]
    }
}
