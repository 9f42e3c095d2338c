/// The configuration file of one program: its members, and the names in documents and messages.
package struct ConfigurationTable: Sendable {
    /// The program that reads the file, such as `countersignd`.
    package let program: String
    /// The path without `--config`.
    package let defaultPath: String
    package let members: [ConfigurationMember]
    /// The command of the program whose help lists the environment variables.
    let variableHelp: String
    let texts: ConfigurationTexts
    /// Every member, each after the section that contains it.
    package let places: [ConfigurationMember.Place]

    package init(
        of program: String,
        at defaultPath: String,
        variablesListedBy variableHelp: String,
        _ texts: ConfigurationTexts,
        _ members: [ConfigurationMember]
    ) {
        self.program = program
        self.defaultPath = defaultPath
        self.members = members
        self.variableHelp = variableHelp
        self.texts = texts
        let prefix = Self.prefix(of: program)
        places = ConfigurationMember.places(of: members, prefix: prefix)
    }

    /// Of the names of environment variables, such as `COUNTERSIGND_`.
    package var prefix: String { Self.prefix(of: program) }

    private static func prefix(of program: String) -> String {
        program.uppercased().map { $0 == "-" ? "_" : $0 } + "_"
    }

    var defaultFolder: String { folder(of: defaultPath) }
}

/// The parts of the documents of a configuration that differ from program to program.
package struct ConfigurationTexts: Sendable {
    /// The title of the reference.
    let title: String
    /// The subject of the file, such as "a verifier".
    let subject: String
    /// The folder of the data in the file for the default path, with its slash.
    let dataFolder: String
    /// The paths in the data folder, as the end of a sentence of the reference.
    let dataPaths: String
    /// A member that a variable sets, for the first lines of the file.
    let example: String
    /// Lines that set variables in a shell.
    let examples: [String]

    package init(
        title: String,
        subject: String,
        dataFolder: String,
        dataPaths: String,
        example: String,
        examples: [String]
    ) {
        self.title = title
        self.subject = subject
        self.dataFolder = dataFolder
        self.dataPaths = dataPaths
        self.example = example
        self.examples = examples
    }
}
