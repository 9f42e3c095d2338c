import CommandLineTool
import Glibc
import Verifier

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
    /// A path, or `descriptor:` and the number of what whoever begins the program opened for it.
    let encryptionKeys: String
    let agreementKey: String
    /// What answers to devices are signed with.
    let answerKey: String
    /// What they will be signed with one day, where that is decided.
    let nextAnswerKey: String?
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
          "answerKey": "keys/answers",
          "checkpointKey": "keys/checkpoint"
        }

        """
}

extension Configuration {
    private static let descriptorPrefix = "descriptor:"

    static func isDescriptor(_ member: String) -> Bool { member.hasPrefix(descriptorPrefix) }

    /// Nil where the keys are in a file.
    var keyDescriptor: Int32? {
        guard Self.isDescriptor(encryptionKeys) else { return nil }
        let number = Int32(encryptionKeys.dropFirst(Self.descriptorPrefix.count))
        return number.flatMap { $0 > STDERR_FILENO ? $0 : nil }
    }

    /// Read once: a descriptor is closed then.
    var keySource: KeyFile.Source {
        keyDescriptor.map { .descriptor($0) } ?? .file(encryptionKeys)
    }
}

/// The folder that a file lies in, with its slash; nothing where that is the current one.
func folder(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
}
