/// A member of the configuration file, with everything that the parser and the documents need.
struct ConfigurationMember: Sendable {
    indirect enum Kind: Sendable {
        case text
        /// One of these words.
        case word([String])
        case number(ClosedRange<Int>)
        case texts
        case section([ConfigurationMember])
        /// An array of objects.
        case sections([ConfigurationMember])
    }

    /// How `init` writes the member.
    enum Sample: Sendable {
        case value(String)
        /// With a path in the data folder, which ends with a slash or is empty.
        case inDataFolder(@Sendable (String) -> String)
        /// In a comment, because the member is optional.
        case comment(String)
        /// Member by member, each with its own comment.
        case members
        case commentedMembers
        /// As a part of its section's value.
        case withSection
    }

    let name: String
    let kind: Kind
    let text: String
    let sample: Sample
    /// The value of an omitted member; nil if the member is required.
    let fallback: String?

    init(
        _ name: String,
        _ kind: Kind,
        _ text: String,
        sample: Sample,
        default fallback: String? = nil
    ) {
        self.name = name
        self.kind = kind
        self.text = text
        self.sample = sample
        self.fallback = fallback
    }

    var members: [ConfigurationMember] {
        switch kind {
        case .section(let members), .sections(let members): members
        case .text, .word, .number, .texts: []
        }
    }

    /// Whether a variable's text is the value itself and not JSON.
    var isText: Bool {
        switch kind {
        case .text, .word: true
        case .number, .texts, .section, .sections: false
        }
    }

    var isArrayOfSections: Bool {
        if case .sections = kind { true } else { false }
    }
}

// MARK: Paths

extension ConfigurationMember {
    /// A member and the names that lead to it, as in `server.tls.key`.
    struct Place: Sendable {
        let path: String
        let member: ConfigurationMember
        /// Whether an environment variable can set it: an array is set only as a whole.
        let hasVariable: Bool

        /// `COUNTERSIGND_SERVER_TLS_KEY`.
        var variable: String {
            ConfigurationVariables.prefix + path.uppercased().map { $0 == "." ? "_" : $0 }
        }
    }

    /// Every member of the table, each after the section that contains it.
    static let places = places(of: table, under: "", hasVariable: true)

    private static func places(
        of members: [ConfigurationMember],
        under prefix: String,
        hasVariable: Bool
    ) -> [Place] {
        members.flatMap { member in
            let path = prefix + member.name
            let inner = places(
                of: member.members,
                under: path + ".",
                hasVariable: hasVariable && !member.isArrayOfSections
            )
            return [Place(path: path, member: member, hasVariable: hasVariable)] + inner
        }
    }
}
