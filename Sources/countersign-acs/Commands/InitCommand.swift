import CommandLineTool
import ConfigurationFiles

struct InitCommand: Command {
    static let name = "init"
    static let summary =
        "Create the configuration, the encryption keys, the issuer's token and the store."
    static let discussion = """
        If the configuration does not exist, the command creates the file below. Then it creates the \
        files of encryptionKeys and of server.issuer.token, and the store. If the configuration is \
        not in /etc/countersign-acs, it names a store next to it, not in /var/lib/countersign-acs.

        \(ConfigurationTable.acs.initialFile.indented)
        The other files come from the card scheme, from a CA, and from the verifier. countersign-acs \
        doctor checks them all.

        encryptionKeys can be "descriptor:3" for keys that are not in a file of this machine. Then \
        the parent process opens descriptor 3, for example with 3<FILE in a shell.

        The command never overwrites a file. If it was interrupted, repeat it.

        Environment variables override members of the configuration, for every command. The name is \
        COUNTERSIGN_ACS_ and the member in capitals, with _ for each dot. Write strings as they are, \
        and all other values as JSON. An array can only be set as a whole. Unknown variables with \
        this prefix are rejected. No variable contains a secret: variables name the files with the \
        secrets.

        \(ConfigurationTable.acs.variableList)
        """

    @ConfigurationPath private var path: String

    func run(on terminal: Terminal) async throws(CommandFailure) {
        let table = ConfigurationTable.acs
        try table.checkOwner(of: [path])
        let file = ConfigurationFile(path, of: table)
        let isNew = try file.create()
        let lock = try file.lockForInitialization()
        defer { withExtendedLifetime(lock) {} }
        let configuration = try Configuration(readingFileAt: path)
        try terminal.output.print("\(isNew ? "created" : "found  ")  \(path.onOneLine)")
        try await Initialization(configuration: configuration, terminal: terminal).run()
        try terminal.output.print(advice(for: configuration))
    }

    private func advice(for configuration: Configuration) -> String {
        let option =
            path == ConfigurationTable.acs.defaultPath ? "" : " --config \(path.shellWord)"
        return """

            Create a token at the verifier, with --config if its configuration is elsewhere:
                (umask 077; countersignd token create acs cards \
            --enterprise \(configuration.enterprise) >\(configuration.verifier.token.shellWord))

            Back up the encryption keys, but not together with the store.

            Install the certificates and keys of the directory servers, and check them:
                countersign-acs doctor\(option)
            """
    }
}
