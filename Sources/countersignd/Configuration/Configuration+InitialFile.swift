import CommandLineTool

extension Configuration {
    /// The commented file that `init` writes: a server on loopback.
    ///
    /// Each kind of file has its own folder, because it may have its own disk.
    static let initialFile = """
        // The configuration of a verifier: JSON with comments and trailing commas.
        // Relative paths start at the folder of this file. Unknown members are rejected.
        // An environment variable overrides a member: COUNTERSIGND_SERVER_ORIGIN sets server.origin.
        {
        \(lines(of: ConfigurationMember.table, indent: "  ").joined(separator: "\n"))
        }

        """

    private static let width = 98

    private static func lines(of members: [ConfigurationMember], indent: String) -> [String] {
        Array(members.map { lines(of: $0, indent: indent) }.joined(separator: [""]))
    }

    private static func lines(of member: ConfigurationMember, indent: String) -> [String] {
        let comment = filled(
            member.text.split(separator: " ").map(String.init),
            width: width - indent.count - 3
        ).map {
            "\(indent)// \($0)"
        }
        let name = "\"\(member.name)\""
        return switch member.sample {
        case .value(let value): comment + ["\(indent)\(name): \(value),"]
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

    private static func block(
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
