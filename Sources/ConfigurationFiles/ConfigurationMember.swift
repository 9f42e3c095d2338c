/// A member of the configuration file, with everything that the parser and the documents need.
package struct ConfigurationMember: Sendable {
    package indirect enum Kind: Sendable {
        case text
        /// One of these words.
        case word([String])
        case number(ClosedRange<Int>)
        case boolean
        case texts
        case section([ConfigurationMember])
        /// An array of objects.
        case sections([ConfigurationMember])
    }

    /// How `init` writes the member.
    package enum Sample: Sendable {
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

    package let name: String
    package let kind: Kind
    package let text: String
    package let sample: Sample
    /// The value of an omitted member; nil if the member is required.
    package let fallback: String?

    package init(
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
        case .text, .word, .number, .boolean, .texts: []
        }
    }

    /// Whether a variable's text is the value itself and not JSON.
    var isText: Bool {
        switch kind {
        case .text, .word: true
        case .number, .boolean, .texts, .section, .sections: false
        }
    }

    var isArrayOfSections: Bool {
        if case .sections = kind { true } else { false }
    }
}

// MARK: Paths

extension ConfigurationMember {
    /// A member and the names that lead to it, as in `server.tls.key`.
    package struct Place: Sendable {
        package let path: String
        package let member: ConfigurationMember
        /// Whether an environment variable can set it: an array is set only as a whole.
        package let hasVariable: Bool
        /// `COUNTERSIGND_SERVER_TLS_KEY`.
        package let variable: String
    }

    /// `prefix`: of the variables.
    static func places(
        of members: [ConfigurationMember],
        under section: String = "",
        prefix: String,
        hasVariable: Bool = true
    ) -> [Place] {
        members.flatMap { member in
            let path = section + member.name
            let inner = places(
                of: member.members,
                under: path + ".",
                prefix: prefix,
                hasVariable: hasVariable && !member.isArrayOfSections
            )
            let place = Place(
                path: path,
                member: member,
                hasVariable: hasVariable,
                variable: prefix + path.uppercased().map { $0 == "." ? "_" : $0 }
            )
            return [place] + inner
        }
    }
}
