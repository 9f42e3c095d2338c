import CommandLineTool
import TransactionApproval
import VerifierServer

extension Configuration {
    /// Reads a file in which no member is unknown, but comments may be, and what variables of the
    /// environment put in the place of its members.
    ///
    /// Relative paths begin where the file lies, those of variables too.
    init(readingFileAt path: String) throws(CommandFailure) {
        let bytes = CommentedJSON(try ConfigurationFile(path).contents()).blanked
        let variables = try ConfigurationVariables.ofEnvironment()
        // Whoever looks for the fault is to look at all that it can be in.
        let sources = variables.names.map { "\(path), with \($0)" } ?? path
        let document: ConfigurationDocument
        do throws(ConfigurationDocument.Failure) {
            document = try ConfigurationDocument(reading: bytes, with: variables)
        } catch {
            throw .malformed(sources, error.reason(in: bytes))
        }
        try self.init(document, readFrom: path, shownAs: sources)
    }

    private init(
        _ document: ConfigurationDocument,
        readFrom file: String,
        shownAs path: String
    ) throws(CommandFailure) {
        let folder = folder(of: file)
        func resolved(_ member: String, _ name: String) throws(CommandFailure) -> String {
            guard !member.isEmpty else {
                throw .malformed(path, "the member \(name) is empty")
            }
            return member.hasPrefix("/") ? member : folder + member
        }
        self.path = file
        switch (document.store.sqlite, document.store.postgresql) {
        case (let file?, nil): store = .sqlite(path: try resolved(file, "store.sqlite"))
        case (nil, let connection?): store = .postgreSQL(connection)
        default:
            throw .malformed(path, "the member store must hold either sqlite or postgresql")
        }
        journal = try resolved(document.journal, "journal")
        let descriptor = KeyDescriptor(document.encryptionKeys)
        encryptionKeys =
            descriptor != nil
            ? document.encryptionKeys : try resolved(document.encryptionKeys, "encryptionKeys")
        keyDescriptor = try descriptor?.opened(by: .ofEnvironment)
        agreementKey = try resolved(document.agreementKey, "agreementKey")
        responseKey = try resolved(document.responseKey, "responseKey")
        nextResponseKey = try document.nextResponseKey.map { key throws(CommandFailure) in
            try resolved(key, "nextResponseKey")
        }
        checkpointKey = try resolved(document.checkpointKey, "checkpointKey")
        func listening(
            _ member: ConfigurationDocument.Listening,
            _ name: String
        ) throws(CommandFailure) -> Listening {
            try Listening(member, name, in: path) { file, inner throws(CommandFailure) in
                try resolved(file, "\(name).\(inner)")
            }
        }
        server = try document.server.map { server throws(CommandFailure) in
            try Server(server, in: path, at: try listening(server.listening, "server"))
        }
        operation = try document.operation.map { operation throws(CommandFailure) in
            try listening(operation, "operation")
        }
        guard let level = Log.Level(rawValue: document.log?.level ?? Log.Level.info.rawValue) else {
            throw .malformed(path, "the member log.level is none of debug, info and error")
        }
        logLevel = level
        webhooks = try (document.webhooks ?? []).map { member throws(CommandFailure) in
            try Webhook(member, in: path) { file, name throws(CommandFailure) in
                try resolved(file, name)
            }
        }
        guard Set(webhooks.map(\.purpose)).count == webhooks.count else {
            throw .malformed(path, "two webhooks tell the same of one enterprise")
        }
        push = try Push(document.push, in: path) { file, name throws(CommandFailure) in
            try resolved(file, name)
        }
        guard Set(files).count == files.count else {
            throw .malformed(path, "two members name the same file")
        }
    }

    private var files: [String] {
        let keys =
            [encryptionKeys, agreementKey, responseKey, checkpointKey]
            + [nextResponseKey].compactMap { $0 }
        guard case .sqlite(let path) = store else { return keys + [journal] }
        return keys + [journal, path]
    }
}

extension Configuration.Listening {
    fileprivate init(
        _ member: ConfigurationDocument.Listening,
        _ name: String,
        in path: String,
        resolving resolved: (String, String) throws(CommandFailure) -> String
    ) throws(CommandFailure) {
        self.name = name
        addresses = try member.listen.map { text throws(CommandFailure) in
            guard let address = Configuration.Address(text) else {
                throw .malformed(
                    path,
                    "the member \(name).listen holds what is no address in numbers with a port"
                )
            }
            return address
        }
        tls = try member.tls.map { tls throws(CommandFailure) in
            Configuration.TLS(
                certificate: try resolved(tls.certificate, "tls.certificate"),
                key: try resolved(tls.key, "tls.key")
            )
        }
    }
}

extension CommandFailure {
    static func malformed(_ path: String, _ reason: String) -> CommandFailure {
        CommandFailure(
            .malformedInput,
            "\(path): \(reason)",
            hint: "countersignd help init shows a whole configuration"
        )
    }
}
