import CommandLineTool

/// The commented file that `init` writes: a server on loopback.
///
/// Each kind of file has its own folder, because it may have its own disk.
struct InitialFile {
    /// For the default path of the configuration.
    static let packaged = InitialFile(dataFolder: "/var/lib/countersign/")

    /// The folder of store and journal; empty for the folder of the configuration.
    private let dataFolder: String

    private init(dataFolder: String) {
        self.dataFolder = dataFolder
    }

    /// For a configuration in this folder, an absolute path without links.
    ///
    /// Another verifier of the machine must not share the store of the package.
    init(in folder: String) {
        self = folder == "/etc/countersign" ? .packaged : InitialFile(dataFolder: "")
    }

    var text: String {
        """
        // The configuration of a verifier: JSON with comments and trailing commas.
        // Relative paths start at the folder of this file. Unknown members are rejected.
        // An environment variable overrides a member: COUNTERSIGND_SERVER_ORIGIN sets server.origin.
        {
        \(lines(of: ConfigurationMember.table, indent: "  ").joined(separator: "\n"))
        }

        """
    }

    private static let width = 98

    private func lines(of members: [ConfigurationMember], indent: String) -> [String] {
        Array(members.map { lines(of: $0, indent: indent) }.joined(separator: [""]))
    }

    private func lines(of member: ConfigurationMember, indent: String) -> [String] {
        let comment = filled(
            member.text.split(separator: " ").map(String.init),
            width: Self.width - indent.count - 3
        ).map {
            "\(indent)// \($0)"
        }
        let name = "\"\(member.name)\""
        return switch member.sample {
        case .value(let value): comment + ["\(indent)\(name): \(value),"]
        case .inDataFolder(let value): comment + ["\(indent)\(name): \(value(dataFolder)),"]
        case .comment(let value): comment + ["\(indent)// \(name): \(value),"]
        case .withSection: []
        case .members: comment + block(of: member, named: name, indent: indent)
        case .commentedMembers:
            comment
                + block(of: member, named: name, indent: "").map {
                    $0.isEmpty ? "\(indent)//" : "\(indent)// \($0)"
                }
        }
    }

    private func block(
        of member: ConfigurationMember,
        named name: String,
        indent: String
    ) -> [String] {
        guard member.isArrayOfSections else {
            let inner = lines(of: member.members, indent: indent + "  ")
            return ["\(indent)\(name): {"] + inner + ["\(indent)},"]
        }
        let inner = lines(of: member.members, indent: indent + "    ")
        return ["\(indent)\(name): [", "\(indent)  {"] + inner
            + ["\(indent)  },", "\(indent)],"]
    }
}
