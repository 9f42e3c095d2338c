import ConfigurationFiles
import ServerOperation
import ThreeDSIssuer
import TransactionApproval
import Transactions

/// The configuration of one ACS, from its file.
///
/// Files are named, and read later: `init` runs before most of them exist.
struct Configuration: Sendable {
    /// The configuration file itself.
    let path: String
    let store: Store
    let encryptionKeys: EncryptionKeys
    /// The enterprise of the verifier that has the accounts of the cards.
    let enterprise: EnterpriseID
    let verifier: VerifierAccess
    let directories: [DirectoryConnection]
    let server: Server
    /// Nil if there is no API for the issuer's programs.
    let issuer: IssuerAPI?
    /// Nil if the issuer gets no events.
    let notifications: Notifications?
    /// Nil for no health checks and metrics.
    let operation: ListenerSettings?
    let settings: IssuerSettings
    /// Whether plain HTTP of this machine is accepted, for trials.
    let isSandbox: Bool
    let logLevel: Log.Level

    enum Store: Equatable, Sendable {
        case sqlite(path: String)
        /// A connection string of libpq without a password.
        case postgreSQL(String)

        /// The disk of the file; nil for a server.
        var volume: Volume? {
            guard case .sqlite(let path) = self else { return nil }
            let folder = folder(of: path)
            return Volume(of: path, holding: folder.isEmpty ? "." : folder)
        }
    }

    struct VerifierAccess: Sendable {
        let origin: ServerOrigin
        /// The file of the token.
        let token: String
        /// CA certificates in PEM; nil for those of the system.
        let authorities: String?
        /// The certificate of the ACS as a client, and its key; nil if the verifier needs none.
        let client: TLSFiles?
    }

    struct Server: Sendable {
        /// For directory servers, with TLS that requires client certificates.
        let directories: ListenerSettings
        /// For devices and browsers.
        let challenges: ListenerSettings
        /// The public address of `challenges`.
        let origin: ServerOrigin
        /// Of `challenges`; nil for the default.
        let connectionsPerAddress: Int?
    }

    /// The receiver of results.
    struct Notifications: Sendable {
        let url: String
        /// One or two files with the keys of signatures.
        let secrets: [String]
        /// CA certificates in PEM; nil for those of the system.
        let authorities: String?
    }

    struct IssuerAPI: Sendable {
        let listener: ListenerSettings
        /// The file of the token that the issuer's programs show.
        let token: String
    }
}

extension Configuration {
    var listeners: [NamedListener] { Self.listeners(server, issuer, operation) }

    static func listeners(
        _ server: Server,
        _ issuer: IssuerAPI?,
        _ operation: ListenerSettings?
    ) -> [NamedListener] {
        [
            ("server.directories", server.directories), ("server.challenges", server.challenges),
            ("server.issuer", issuer?.listener), ("operation", operation),
        ].compactMap { section, settings in
            settings.map { NamedListener(section: section, settings: $0) }
        }
    }

    /// The files that `init` creates; the store creates its own.
    var files: [String] { [encryptionKeys.file, issuer?.token].compactMap { $0 } }

    /// The files that only the user of the ACS can read.
    ///
    /// The keys of TLS are not among them: certificates are often renewed by another user.
    var ownedFiles: [String] {
        let secrets = notifications?.secrets ?? []
        let clients = (directories.map(\.client) + [verifier.client].compactMap { $0 })
        let keys = clients.map(\.key) + directories.map(\.signing.key) + secrets
        guard case .sqlite(let path) = store else { return files + [verifier.token] + keys }
        return files + [path, verifier.token] + keys
    }
}
