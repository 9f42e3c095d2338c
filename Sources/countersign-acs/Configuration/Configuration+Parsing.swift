import CommandLineTool
import ConfigurationFiles
import ServerOperation
import ThreeDSIssuer
import TransactionApproval
import Transactions

extension Configuration {
    /// Every command that uses the files of the ACS comes here first, so root is stopped here.
    init(readingFileAt path: String) throws(CommandFailure) {
        let table = ConfigurationTable.acs
        let members = try table.read(fileAt: path) { section throws(ConfigurationFailure) in
            try Members(section)
        }
        let keys = try EncryptionKeys(members.encryptionKeys, from: .ofEnvironment)
        self.init(path: path, members, keys)
        try table.checkOwner(of: ownedFiles)
    }

    private init(path: String, _ members: Members, _ encryptionKeys: EncryptionKeys) {
        self.init(
            path: path,
            store: members.store,
            encryptionKeys: encryptionKeys,
            enterprise: members.enterprise,
            verifier: members.verifier,
            directories: members.directories,
            server: members.server,
            issuer: members.issuer,
            notifications: members.notifications,
            operation: members.operation,
            settings: members.settings,
            isSandbox: members.isSandbox,
            logLevel: members.logLevel
        )
    }
}

/// The values of the file, before the descriptor of the encryption keys is opened.
private struct Members {
    let store: Configuration.Store
    /// A path, or `descriptor:N`.
    let encryptionKeys: String
    let enterprise: EnterpriseID
    let verifier: Configuration.VerifierAccess
    let directories: [DirectoryConnection]
    let server: Configuration.Server
    let issuer: Configuration.IssuerAPI?
    let notifications: Configuration.Notifications?
    let operation: ListenerSettings?
    let settings: IssuerSettings
    let isSandbox: Bool
    let logLevel: Log.Level

    init(_ section: ConfigurationSection) throws(ConfigurationFailure) {
        store = try Configuration.Store(try section.section("store"))
        let keys = try section.text("encryptionKeys")
        encryptionKeys =
            KeyDescriptor(keys) == nil ? try section.file("encryptionKeys") : keys
        guard let enterprise = EnterpriseID(try section.text("enterprise")) else {
            throw section.failure("enterprise", "is not the name of an enterprise")
        }
        self.enterprise = enterprise
        verifier = try Configuration.VerifierAccess(try section.section("verifier"))
        let isSandbox = try section.boolean("sandbox")
        self.isSandbox = isSandbox
        directories = try section.sections("directories").map {
            directory throws(ConfigurationFailure) in
            try DirectoryConnection(directory, isSandbox: isSandbox)
        }
        let server = try section.section("server")
        self.server = try Configuration.Server(server, isSandbox: isSandbox)
        issuer = try server.optionalSection("issuer").map(Configuration.IssuerAPI.init(_:))
        notifications = try section.optionalSection("notifications")
            .map(Configuration.Notifications.init(_:))
        operation = try section.optionalSection("operation").map {
            operation throws(ConfigurationFailure) in try operation.listenerSettings()
        }
        var settings = try IssuerSettings(section, isSandbox: isSandbox)
        for connection in directories {
            settings.schemeLogos[connection.directory.id] = connection.logo
        }
        self.settings = settings
        logLevel = try section.optionalSection("log")?.word("level") ?? .info
        try check(section)
    }

    private func check(_ section: ConfigurationSection) throws(ConfigurationFailure) {
        guard !directories.isEmpty else {
            throw section.failure("directories", "must contain a directory server")
        }
        guard Set(directories.map(\.rid)).count == directories.count else {
            throw ConfigurationFailure("two directories have the same rid")
        }
        guard !isSandbox || server.challenges.addresses.allSatisfy(\.isLoopback) else {
            throw section.failure(
                "sandbox",
                "must be false: server.challenges.listen has an address for other machines"
            )
        }
        try Configuration.listeners(server, issuer, operation).checkAddresses()
        guard Set(files).count == files.count else {
            throw ConfigurationFailure("two members name the same file")
        }
    }

    /// The files that must differ.
    private var files: [String] {
        let files =
            [encryptionKeys, verifier.token, issuer?.token].compactMap { $0 }
            + (notifications?.secrets ?? [])
        guard case .sqlite(let path) = store else { return files }
        return files + [path]
    }
}
