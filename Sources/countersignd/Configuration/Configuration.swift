import ConfigurationFiles
import TransactionApproval
import VerifierServer

/// The configuration of one verifier, from its file.
@dynamicMemberLookup
struct Configuration: Sendable {
    /// The configuration file itself.
    let path: String
    /// The public address; nil without the member `server`.
    let origin: ServerOrigin?
    /// Without the member `server`, its origin is empty and its API has no address.
    private(set) var verifier: VerifierServer.Configuration

    static var defaultPath: String { ConfigurationTable.countersignd.defaultPath }

    subscript<Value>(
        dynamicMember member: WritableKeyPath<VerifierServer.Configuration, Value>
    ) -> Value {
        get { verifier[keyPath: member] }
        set { verifier[keyPath: member] = newValue }
    }

    /// Whether the encryption keys come from a descriptor, which can be read only once.
    var readsDescriptor: Bool {
        if case .descriptor = verifier.keys.encryption { true } else { false }
    }
}
