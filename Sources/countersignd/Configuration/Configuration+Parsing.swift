import CommandLineTool
import StrictJSON
import TransactionApproval
import VerifierServer

extension Configuration {
    /// Reads the file and the environment variables that override its members.
    ///
    /// Relative paths start at the folder of the file, also those in variables.
    init(readingFileAt path: String) throws(CommandFailure) {
        let bytes = CommentedJSON(try ConfigurationFile(path).contents()).blanked
        let variables = try ConfigurationVariables.ofEnvironment()
        do throws(ConfigurationFault) {
            let document = variables.applied(to: try JSONValue(configuration: bytes))
            let section = try ConfigurationSection(document, folder: folder(of: path))
            self = try Configuration(section, path: path)
        } catch {
            // The fault can be in any of the sources.
            let sources = variables.names.map { "\(path), with \($0)" } ?? path
            throw .malformed(sources, error.message)
        }
        keyDescriptor = try KeyDescriptor(encryptionKeys)?.opened(by: .ofEnvironment)
    }

    private init(
        _ section: ConfigurationSection,
        path: String
    ) throws(ConfigurationFault) {
        self.path = path
        store = try Store(section.section("store"))
        journal = try section.file("journal")
        let keys = try section.text("encryptionKeys")
        encryptionKeys =
            KeyDescriptor(keys) == nil ? try section.file("encryptionKeys") : keys
        agreementKey = try section.file("agreementKey")
        responseKey = try section.file("responseKey")
        nextResponseKey = try section.optionalFile("nextResponseKey")
        checkpointKey = try section.file("checkpointKey")
        server = try section.optionalSection("server").map { server throws(ConfigurationFault) in
            try Server(server)
        }
        operation = try section.optionalSection("operation").map {
            operation throws(ConfigurationFault) in
            try Listening(operation, named: "operation")
        }
        logLevel = try section.optionalSection("log")?.word("level") ?? .info
        webhooks = try section.sections("webhooks").map { webhook throws(ConfigurationFault) in
            try Webhook(webhook)
        }
        push = try Push(section.optionalSection("push"))
        guard Set(webhooks.map(\.purpose)).count == webhooks.count else {
            throw ConfigurationFault("two webhooks have the same enterprise and the same events")
        }
        guard Set(files).count == files.count else {
            throw ConfigurationFault("two members name the same file")
        }
    }

    /// The files that `init` creates.
    var files: [String] {
        let keys =
            [encryptionKeys, agreementKey, responseKey, checkpointKey]
            + [nextResponseKey].compactMap { $0 }
        guard case .sqlite(let path) = store else { return keys + [journal] }
        return keys + [journal, path]
    }
}

extension Configuration.Store {
    fileprivate init(_ section: ConfigurationSection) throws(ConfigurationFault) {
        switch (try section.optionalFile("sqlite"), try section.optionalText("postgresql")) {
        case (let file?, nil): self = .sqlite(path: file)
        case (nil, let connection?): self = .postgreSQL(connection)
        default:
            throw ConfigurationFault("the member store must contain either sqlite or postgresql")
        }
    }
}

extension JSONValue {
    fileprivate init(configuration bytes: [UInt8]) throws(ConfigurationFault) {
        do throws(StrictJSON.Failure) {
            try self.init(reading: bytes, limits: .message)
        } catch {
            throw ConfigurationFault(error.reason(in: bytes))
        }
    }
}

extension CommandFailure {
    static func malformed(_ path: String, _ reason: String) -> CommandFailure {
        CommandFailure(
            .malformedInput,
            "\(path): \(reason)",
            hint: "countersignd help init shows a complete configuration"
        )
    }
}
