import CommandLineTool
import ConfigurationFiles
import ServerOperation
import TransactionApproval
import VerifierServer

extension Configuration {
    /// Reads the file and the environment variables that override its members.
    ///
    /// Every command that uses the files of the verifier comes here first, so root is stopped here.
    init(readingFileAt path: String) throws(CommandFailure) {
        let table = ConfigurationTable.countersignd
        self = try table.read(fileAt: path) { section throws(ConfigurationFailure) in
            try Configuration(section, path: path)
        }
        try table.checkOwner(of: ownedFiles)
        if let descriptor = KeyDescriptor(self.keys.encryptionPath) {
            self.keys.encryption = .descriptor(try descriptor.opened(by: .ofEnvironment))
        }
    }

    private init(
        _ section: ConfigurationSection,
        path: String
    ) throws(ConfigurationFailure) {
        typealias Endpoint = VerifierServer.Configuration.Endpoint
        let store = try VerifierServer.Configuration.Store(section.section("store"))
        let journal = try section.file("journal")
        let keys = try VerifierServer.Configuration.Keys(section)
        let server = try section.optionalSection("server")
        let origin = try server.map { server throws(ConfigurationFailure) in
            guard let origin = ServerOrigin(try server.text("origin")) else {
                throw server.failure("origin", "must be https://HOST or https://HOST:PORT")
            }
            return origin
        }
        var verifier = VerifierServer.Configuration(
            origin: origin?.text ?? "",
            store: store,
            journal: journal,
            keys: keys,
            api: try server.map(Endpoint.init(_:)) ?? Endpoint(addresses: []),
            operation: try section.optionalSection("operation").map(Endpoint.init(_:))
        )
        if let bank = try section.optionalSection("bank") {
            verifier.bank = try Endpoint(ofBank: bank)
            verifier.secondPerson = try bank.operations("secondPerson")
        }
        if let server {
            verifier.limits = try .init(ofServer: server)
            verifier.web = try server.optionalSection("web").map(
                VerifierServer.Configuration.Web.init(_:)
            )
        }
        if let integrity = try section.optionalSection("integrity") {
            verifier.integrity = try .init(integrity)
        }
        if let log = try section.optionalSection("log") {
            verifier.logging.level = try log.word("level") ?? .info
        }
        verifier.webhooks = try section.sections("webhooks").map(
            VerifierServer.Configuration.Webhook.init(_:)
        )
        if let push = try section.optionalSection("push") { verifier.push = try .init(push) }
        self.init(path: path, origin: origin, verifier: verifier)
        let purposes = verifier.webhooks.map { "\($0.enterprise) \($0.topic)" }
        guard Set(purposes).count == purposes.count else {
            throw ConfigurationFailure("two webhooks have the same enterprise and the same events")
        }
        if let key = self.push.web?.key, files.count(where: { $0 == key }) > 1 {
            throw ConfigurationFailure("the member push.web.key must name a file of its own")
        }
        guard Set(files).count == files.count else {
            throw ConfigurationFailure("two members name the same file")
        }
        try listeners.checkAddresses()
        let labels = keysInToken
        guard Set(labels).count == labels.count else {
            throw ConfigurationFailure("two members name the same key of the token")
        }
        guard labels.isEmpty || self.keys.pkcs11 != nil else {
            throw ConfigurationFailure("the member pkcs11 is missing, for pkcs11:\(labels[0])")
        }
    }

    private var listeners: [NamedListener] {
        let endpoints: [(section: String, VerifierServer.Configuration.Endpoint?)] = [
            ("server", self.api), ("bank", self.bank), ("operation", self.operation),
        ]
        return endpoints.compactMap { section, endpoint in
            endpoint.map { NamedListener(section: section, settings: $0.settings) }
        }
    }

    /// The files that `init` creates.
    var files: [String] {
        let keys = privateKeys.filter { KeyPlace($0) == .file($0) }
        let files = [self.keys.encryptionPath] + keys + [self.journal]
        guard case .sqlite(let path) = self.store else { return files }
        return files + [path]
    }

    private var privateKeys: [String] {
        [
            self.keys.agreement, self.keys.nextAgreement, self.keys.response,
            self.keys.nextResponse, self.keys.checkpoint, self.push.web?.key,
        ].compactMap { $0 }
    }

    /// The keys that `init` also creates for an existing store, by their member.
    var laterKeys: [(member: String, place: String)] {
        [
            ("nextAgreementKey", self.keys.nextAgreement),
            ("nextResponseKey", self.keys.nextResponse), ("push.web.key", self.push.web?.key),
        ].compactMap { member, place in place.map { (member, $0) } }
    }

    /// The labels of the keys that `init` creates in a token.
    private var keysInToken: [String] {
        let labels = privateKeys.compactMap { place in
            if case .token(let label) = KeyPlace(place) { label } else { nil }
        }
        return labels + [self.keys.pkcs11?.sealingKey].compactMap { $0 }
    }
}

extension Configuration {
    /// The files that only the user of the verifier can read.
    fileprivate var ownedFiles: [String] {
        let secrets = self.webhooks.flatMap(\.secrets)
        let push = [self.push.fcm?.serviceAccount].compactMap { $0 }
        let pin = [self.keys.pkcs11?.pinFile].compactMap { $0 }
        // The parent process opens a descriptor.
        return (files + secrets + push + pin).filter { KeyDescriptor($0) == nil }
    }
}
