import CommandLineTool

/// The commented file that `init` writes: a server on loopback.
///
/// Each kind of file has its own folder, because it may have its own disk.
struct InitialFile {
    private let table: ConfigurationTable
    /// The folder of the store; empty for the folder of the configuration.
    private let dataFolder: String

    /// For the default path of the configuration.
    init(of table: ConfigurationTable) {
        self.table = table
        dataFolder = table.texts.dataFolder
    }

    /// For a configuration in this folder, an absolute path without links.
    ///
    /// Another server of the machine must not share the store of the package.
    init(of table: ConfigurationTable, in folder: String) {
        self.table = table
        dataFolder = folder + "/" == table.defaultFolder ? table.texts.dataFolder : ""
    }

    var text: String {
        """
        // The configuration of \(table.texts.subject): JSON with comments and trailing commas.
        // Relative paths start at the folder of this file. Unknown members are rejected.
        // An environment variable overrides a member: \(exampleVariable) sets \(table.texts.example).
        {
        \(lines(of: table.members, indent: "  ").joined(separator: "\n"))
        }

        """
    }

    private var exampleVariable: String {
        table.places.first { $0.path == table.texts.example }?.variable ?? ""
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

extension ConfigurationTable {
    /// The file that `init` writes at the default path.
    package var initialFile: String { InitialFile(of: self).text }
}

extension String {
    /// As an example in help.
    package var indented: String {
        split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.isEmpty ? "" : "    " + $0 }.joined(separator: "\n")
    }
}
