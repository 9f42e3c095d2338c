import CommandLineTool
import Sealing
import Verification
import VerifierServer

/// The configuration of one verifier.
struct Configuration: Equatable, Sendable {
    enum Store: Equatable, Sendable {
        case sqlite(path: String)
        /// A connection string of libpq, without a password.
        case postgreSQL(String)
    }

    /// The configuration file itself.
    let path: String
    var store: Store
    let journal: String
    /// A path, or the text of a `KeyDescriptor`.
    let encryptionKeys: String
    /// Nil if the keys are in a file.
    var keyDescriptor: Int32?
    let agreementKey: String
    let responseKey: String
    let nextResponseKey: String?
    let checkpointKey: String
    let server: Server?
    let operation: Listening?
    let logLevel: Log.Level
    let webhooks: [Webhook]
    let push: Push

    static let defaultPath = "/etc/countersign/countersignd.json"
}

extension Configuration {
    /// Can be read only once: reading closes a descriptor.
    var keySource: KeyFile.Source {
        keyDescriptor.map { .descriptor($0) } ?? .file(encryptionKeys)
    }
}

/// The folder of a file, with its slash; empty for the current folder.
func folder(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
}
