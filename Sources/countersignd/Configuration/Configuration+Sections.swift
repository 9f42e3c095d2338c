import CommandLineTool
import ConfigurationFiles
import ServerOperation
import TransactionApproval
import Verification
import VerifierServer

// Each section of the file is parsed straight into the part of the server's configuration.

extension VerifierServer.Configuration.Store {
    init(_ section: ConfigurationSection) throws(ConfigurationFailure) {
        switch (try section.optionalFile("sqlite"), try section.optionalText("postgresql")) {
        case (let file?, nil): self = .sqlite(path: file)
        case (nil, let connection?): self = .postgreSQL(connection)
        default:
            throw ConfigurationFailure("the member store must contain either sqlite or postgresql")
        }
    }
}

extension VerifierServer.Configuration.Keys {
    /// The descriptor of a `KeyDescriptor` is opened last; until then its text is the path.
    init(_ section: ConfigurationSection) throws(ConfigurationFailure) {
        let text = try section.text("encryptionKeys")
        self.init(
            encryption: .file(
                KeyDescriptor(text) == nil ? try section.file("encryptionKeys") : text
            ),
            agreement: try section.key("agreementKey"),
            nextAgreement: try section.optionalKey("nextAgreementKey"),
            response: try section.key("responseKey"),
            nextResponse: try section.optionalKey("nextResponseKey"),
            checkpoint: try section.key("checkpointKey")
        )
        pkcs11 = try section.optionalSection("pkcs11").map(
            VerifierServer.Configuration.PKCS11.init(_:)
        )
    }
}

extension VerifierServer.Configuration.PKCS11 {
    init(_ section: ConfigurationSection) throws(ConfigurationFailure) {
        let slot = try section.optionalNumber("slot")
        let token: Token
        switch (try section.optionalText("token"), slot.map(UInt.init)) {
        case (let label?, nil): token = .label(label)
        case (nil, let slot?): token = .slot(slot)
        default:
            throw ConfigurationFailure("the member pkcs11 must contain either token or slot")
        }
        self.init(
            library: try section.file("library"),
            token: token,
            pinFile: try section.file("pinFile"),
            sealingKey: try section.optionalText("sealingKey")
        )
    }
}

extension VerifierServer.Configuration.Endpoint {
    init(_ section: ConfigurationSection) throws(ConfigurationFailure) {
        let settings = try section.listenerSettings()
        self.init(
            addresses: settings.addresses.map { .init(host: $0.host, port: $0.port) },
            tls: settings.tls.map {
                .init(
                    certificate: $0.certificate,
                    key: $0.key,
                    clientAuthorities: $0.clientAuthorities
                )
            }
        )
    }
}

extension VerifierServer.Configuration.Web {
    init(_ section: ConfigurationSection) throws(ConfigurationFailure) {
        self.init(files: try section.optionalFile("files"))
    }
}

extension VerifierServer.Configuration.Endpoint {
    /// Nil without `listen`: then the endpoint of devices serves the bank's API too.
    init?(ofBank section: ConfigurationSection) throws(ConfigurationFailure) {
        guard try section.optionalTexts("listen") != nil else {
            guard try section.optionalSection("tls") == nil else {
                throw section.failure("listen", "is missing, for \(section.path(of: "tls"))")
            }
            return nil
        }
        try self.init(section)
    }
}

extension ConfigurationSection {
    /// A file, or `pkcs11:LABEL`.
    func key(_ name: String) throws(ConfigurationFailure) -> String {
        let text = try text(name)
        switch KeyPlace(text) {
        case .file: return try file(name)
        case .token(label: ""): throw failure(name, "has no label after pkcs11:")
        case .token: return text
        }
    }

    func optionalKey(_ name: String) throws(ConfigurationFailure) -> String? {
        try optionalText(name) == nil ? nil : try key(name)
    }
}

extension ConfigurationSection {
    typealias BankOperation = VerifierServer.Configuration.BankOperation

    /// Operations of the bank's API that change something; empty if the member is missing.
    func operations(_ name: String) throws(ConfigurationFailure) -> Set<BankOperation> {
        let texts = try optionalTexts(name) ?? []
        return Set(
            try texts.map { text throws(ConfigurationFailure) in
                guard let operation = BankOperation(rawValue: text) else {
                    let allowed = BankOperation.allCases.map(\.rawValue).joined(separator: ", ")
                    throw failure(name, "cannot contain \(text.onOneLine); allowed: \(allowed)")
                }
                return operation
            }
        )
    }
}

extension VerifierServer.Configuration.Limits {
    init(ofServer section: ConfigurationSection) throws(ConfigurationFailure) {
        self.init()
        connections = try section.number("connections")
        connectionsPerAddress = try section.optionalNumber("connectionsPerAddress")
        drain = .seconds(try section.number("shutdownSeconds"))
    }
}

extension VerifierServer.Configuration.Integrity {
    init(_ section: ConfigurationSection) throws(ConfigurationFailure) {
        self.init()
        forgedRows = try section.word("forgedRows") ?? .report
        let minutes: Int = try section.number("auditMinutes")
        auditInterval = minutes == 0 ? nil : .seconds(60 * minutes)
    }
}

/// The words of the member `events`.
enum ConfiguredEvents: String, CaseIterable {
    /// Changes of accounts, devices and transactions.
    case accounts
    /// Devices to notify, for a bank that sends its own push messages.
    case pushes
}

extension VerifierServer.Configuration.Webhook {
    init(_ section: ConfigurationSection) throws(ConfigurationFailure) {
        guard let enterprise = EnterpriseID(try section.text("enterprise")) else {
            throw section.failure("enterprise", "is not the name of an enterprise")
        }
        let events: ConfiguredEvents = try section.required(word: "events")
        self.init(
            enterprise: enterprise.text,
            topic: events == .accounts ? .events : .pushes,
            url: try section.text("url"),
            secrets: try section.files("secrets"),
            authorities: try section.optionalFile("caCertificates")
        )
        guard (1...2).contains(secrets.count) else {
            throw section.failure("secrets", "must name one or two files")
        }
    }
}

extension VerifierServer.Configuration.Push {
    init(_ section: ConfigurationSection) throws(ConfigurationFailure) {
        self.init()
        perMinute = try section.number("perMinute")
        fcm = try section.optionalSection("fcm").map { fcm throws(ConfigurationFailure) in
            FCM(
                serviceAccount: try fcm.file("serviceAccount"),
                endpoint: try fcm.optionalText("endpoint")
            )
        }
        web = try section.optionalSection("web").map { web throws(ConfigurationFailure) in
            guard case .file = KeyPlace(try web.text("key")) else {
                throw web.failure("key", "must be a file, because no key of a token can be used")
            }
            return Web(
                key: try web.file("key"),
                contact: try web.text("contact"),
                services: try web.optionalTexts("services"),
                authorities: try web.optionalFile("caCertificates")
            )
        }
    }
}
