import CommandLineTool

/// Where the parts of one verifier are.
struct Configuration: Equatable, Sendable {
    enum Store: Equatable, Sendable {
        case sqlite(path: String)
        /// A connection string of libpq, without a password.
        case postgreSQL(String)
    }

    /// The file that says so.
    let path: String
    var store: Store
    let journal: String
    let encryptionKeys: String
    let agreementKey: String
    let checkpointKey: String

    static let standardPath = "/etc/countersign/countersignd.json"

    static let option = Option<FilePath?>(
        "config",
        help: "The configuration, if not \(standardPath)."
    )

    static func path(in arguments: ParsedArguments) throws(CommandFailure) -> String {
        try arguments[option]?.text ?? standardPath
    }

    /// What `init` writes where there is no configuration: each kind of thing in a folder that can
    /// be storage of its own.
    static let standardText = """
        {
          "store": {"sqlite": "store/countersign.db"},
          "journal": "journal/journal",
          "encryptionKeys": "keys/encryption",
          "agreementKey": "keys/agreement",
          "checkpointKey": "keys/checkpoint"
        }

        """
}

/// The folder that a file lies in, with its slash; nothing where that is the current one.
func folder(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
}
