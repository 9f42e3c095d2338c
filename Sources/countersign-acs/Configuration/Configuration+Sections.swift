import ConfigurationFiles
import ServerOperation
import TransactionApproval

// Each section of the file is parsed straight into its part of the configuration.

extension Configuration.Store {
    init(_ section: ConfigurationSection) throws(ConfigurationFailure) {
        switch (try section.optionalFile("sqlite"), try section.optionalText("postgresql")) {
        case (let file?, nil): self = .sqlite(path: file)
        case (nil, let connection?): self = .postgreSQL(connection)
        default:
            throw ConfigurationFailure("the member store must contain either sqlite or postgresql")
        }
    }
}

extension Configuration.VerifierAccess {
    init(_ section: ConfigurationSection) throws(ConfigurationFailure) {
        guard let origin = ServerOrigin(try section.text("origin")) else {
            throw section.failure("origin", "must be https://HOST or https://HOST:PORT")
        }
        self.init(
            origin: origin,
            token: try section.file("token"),
            authorities: try section.optionalFile("authorities"),
            client: try section.optionalClient()
        )
    }
}

extension ConfigurationSection {
    /// Nil if neither file is named.
    fileprivate func optionalClient() throws(ConfigurationFailure) -> TLSFiles? {
        switch (try optionalFile("certificate"), try optionalFile("key")) {
        case (let certificate?, let key?): return TLSFiles(certificate: certificate, key: key)
        case (nil, nil): return nil
        case (_?, nil): throw failure("key", "is required with certificate")
        case (nil, _?): throw failure("certificate", "is required with key")
        }
    }
}

extension Configuration.Server {
    init(_ section: ConfigurationSection, isSandbox: Bool) throws(ConfigurationFailure) {
        let directories = try section.section("directories")
        let tls = try directories.section("tls")
        // Without its certificate, a directory server could not be identified.
        _ = try tls.text("clientAuthorities")
        let challenges = try section.section("challenges")
        self.init(
            directories: try directories.listenerSettings(),
            challenges: try challenges.listenerSettings(),
            origin: try challenges.publicOrigin("origin", isSandbox: isSandbox),
            connectionsPerAddress: try challenges.optionalNumber("connectionsPerAddress")
        )
    }
}

extension ConfigurationSection {
    fileprivate func publicOrigin(
        _ name: String,
        isSandbox: Bool
    ) throws(ConfigurationFailure) -> ServerOrigin {
        guard let origin = ServerOrigin(try text(name)) else {
            throw failure(name, "must be https://HOST or https://HOST:PORT")
        }
        // `ServerOrigin` has http only for this machine.
        guard isSandbox || origin.text.hasPrefix("https://") else {
            throw failure(name, "must begin with https://, because sandbox is false")
        }
        return origin
    }
}

extension Configuration.Notifications {
    init(_ section: ConfigurationSection) throws(ConfigurationFailure) {
        self.init(
            url: try section.text("url"),
            secrets: try section.files("secrets"),
            authorities: try section.optionalFile("authorities")
        )
        guard (1...2).contains(secrets.count) else {
            throw section.failure("secrets", "must name one or two files")
        }
    }
}

extension Configuration.IssuerAPI {
    init(_ section: ConfigurationSection) throws(ConfigurationFailure) {
        self.init(
            listener: try section.listenerSettings(),
            token: try section.file("token")
        )
    }
}
