import ServerOperation

extension VerifierServer {
    /// Everything that a verifier server needs to know before it starts.
    ///
    /// Paths are used as they are. `VerifierServer.start()` checks the values.
    public struct Configuration: Sendable {
        /// The public address that devices call and that signatures cover: `https://HOST` or
        /// `https://HOST:PORT`; `http://` only for 127.0.0.1 and localhost.
        public var origin: String
        public var store: Store
        /// The file of the journal, which should not be on the same storage as the store.
        public var journal: String
        public var keys: Keys
        /// The endpoint for devices, and for the bank's programs unless `bank` is set.
        public var api: Endpoint
        /// The endpoint of the bank's programs; nil to serve them at `api`.
        public var bank: Endpoint?
        /// The operations of the bank's API that take effect only after a second token confirms them.
        ///
        /// Verifiers that share a store need the same set.
        public var secondPerson: Set<BankOperation> = []
        /// The endpoint of `/health/live`, `/health/ready` and `/metrics`, which needs no token;
        /// nil for none.
        public var operation: Endpoint?
        /// The web device at `api`; nil to serve none.
        public var web: Web?
        public var integrity = Integrity()
        public var limits = Limits()
        public var webhooks: [Webhook] = []
        public var push = Push()
        public var logging = Logging()
        /// Set it for one start if the last audit record is more than a day old, after you checked the
        /// clock of this machine.
        ///
        /// Otherwise the server does not start: the store keeps its time, also if the clock was wrong.
        public var acceptsLateClock = false

        public init(
            origin: String,
            store: Store,
            journal: String,
            keys: Keys,
            api: Endpoint,
            operation: Endpoint? = nil
        ) {
            self.origin = origin
            self.store = store
            self.journal = journal
            self.keys = keys
            self.api = api
            self.operation = operation
        }
    }
}

extension VerifierServer.Configuration {
    /// The operations that can require a second person, by their ids in the API's description.
    ///
    /// Requests for approvals, typed codes and logins are missing: a person decides them.
    public enum BankOperation: String, CaseIterable, Codable, Sendable {
        case createEnterprise, setPolicy
        case addAccount, linkAccounts, unlinkAccounts, replaceAccount
        case issueActivation
        case revokeDevice, enableDevice, disableDevice
        case unlockCredential, enableCredential, disableCredential
        case resynchroniseDevice
        case retryDelivery
    }

    public enum Store: Equatable, Sendable {
        /// The path of an SQLite database, for one verifier.
        case sqlite(path: String)
        /// A connection string of libpq without a password, for one or several verifiers.
        case postgreSQL(String)
    }

    /// The verifier's keys: files that only their owner may access, or keys in an HSM.
    ///
    /// All but `encryption` can be `pkcs11:LABEL`, for a key of the token in `pkcs11`.
    public struct Keys: Sendable {
        public enum Source: Equatable, Sendable {
            case file(String)
            /// An open descriptor, which is closed after it was read.
            case descriptor(Int32)
        }

        /// The keys that encrypt the secrets in the store.
        public var encryption: Source
        /// The path that log and errors name, and where newer encryption keys are looked for.
        public var encryptionPath: String
        /// The key for activations and rekeys.
        public var agreement: String
        /// The key for activations and rekeys after the next key change; nil if none is planned.
        public var nextAgreement: String?
        /// The key that signs responses to devices.
        public var response: String
        /// The key that will sign responses after the next key change; nil if none is planned.
        public var nextResponse: String?
        /// The key that signs the journal.
        public var checkpoint: String
        /// The HSM; nil for none.
        public var pkcs11: PKCS11?

        public init(
            encryption: Source,
            encryptionPath: String? = nil,
            agreement: String,
            nextAgreement: String? = nil,
            response: String,
            nextResponse: String? = nil,
            checkpoint: String
        ) {
            self.encryption = encryption
            if case .file(let path) = encryption {
                self.encryptionPath = encryptionPath ?? path
            } else {
                self.encryptionPath = encryptionPath ?? ""
            }
            self.agreement = agreement
            self.nextAgreement = nextAgreement
            self.response = response
            self.nextResponse = nextResponse
            self.checkpoint = checkpoint
        }
    }

    /// A token of an HSM, over PKCS#11.
    public struct PKCS11: Sendable {
        public enum Token: Sendable {
            case label(String)
            case slot(UInt)
        }

        /// The vendor's shared object, which this process loads.
        public var library: String
        public var token: Token
        /// A private file with the PIN of the token's user.
        public var pinFile: String
        /// The label of the key that seals the file of encryption keys; nil if it is not sealed.
        public var sealingKey: String?

        public init(library: String, token: Token, pinFile: String, sealingKey: String? = nil) {
            self.library = library
            self.token = token
            self.pinFile = pinFile
            self.sealingKey = sealingKey
        }
    }

    /// The addresses at which a server listens.
    public struct Endpoint: Sendable {
        public var addresses: [Address]
        /// Listening TCP sockets of a service manager; if there are any, `addresses` is not used.
        public var inheritedSockets: [Int32] = []
        /// Nil for plain HTTP, which is accepted only at loopback addresses.
        public var tls: TLS?

        public init(addresses: [Address], inheritedSockets: [Int32] = [], tls: TLS? = nil) {
            self.addresses = addresses
            self.inheritedSockets = inheritedSockets
            self.tls = tls
        }
    }

    public struct Address: Equatable, Sendable {
        /// An IP address such as `127.0.0.1` or `::`, not a name.
        public var host: String
        /// 0 for any free port.
        public var port: Int

        public init(host: String, port: Int) {
            self.host = host
            self.port = port
        }
    }

    /// Files in PEM.
    public struct TLS: Equatable, Sendable {
        /// The certificate, followed by its chain.
        public var certificate: String
        /// The private key, which only its owner and its group may read.
        public var key: String
        /// CA certificates, one of which must be in the chain of the client's.
        ///
        /// Nil if clients need no certificate.
        public var clientAuthorities: String?

        public init(certificate: String, key: String, clientAuthorities: String? = nil) {
            self.certificate = certificate
            self.key = key
            self.clientAuthorities = clientAuthorities
        }
    }

    /// A device in the person's browser, at `/approve/` of the origin.
    public struct Web: Equatable, Sendable {
        /// The folder of its files; nil for `share/countersign/web` next to the program's `bin`.
        public var files: String?

        public init(files: String? = nil) {
            self.files = files
        }
    }

    /// The protection against other programs that write to the database.
    public struct Integrity: Sendable {
        public enum Reaction: String, CaseIterable, Sendable {
            /// The node rejects the row, reports it, and continues.
            case report
            /// The node is also not ready until it is restarted.
            case notReady
        }

        public var forgedRows = Reaction.report
        /// The time between two audits of the whole store; nil for none.
        public var auditInterval: Duration? = .seconds(30 * 60)

        public init() {}
    }

    public struct Limits: Sendable {
        /// The maximum number of connections of each endpoint for APIs; new ones above it are closed.
        public var connections = 10_000
        /// The maximum number of connections of `api` from one address (IPv6: from one /64).
        ///
        /// The default is 1,000 with TLS. Without TLS all clients come through a proxy, so the
        /// default is `connections`.
        public var connectionsPerAddress: Int?
        /// The timeout for requests in progress when the server stops.
        public var drain = Duration.seconds(20)

        public init() {}
    }

    /// A URL of a bank that receives events or push requests, signed as Standard Webhooks defines.
    public struct Webhook: Sendable {
        public enum Topic: Sendable {
            /// Everything that happens to an account.
            case events
            /// Requests to wake a device, for a bank with its own push service.
            case pushes
        }

        public var enterprise: String
        public var topic: Topic
        /// `https://`, or `http://` of this machine.
        public var url: String
        /// One file with a secret, or two while the secret is replaced.
        public var secrets: [String]
        /// A file of CA certificates in PEM; nil for those of the system.
        public var authorities: String?

        public init(
            enterprise: String,
            topic: Topic,
            url: String,
            secrets: [String],
            authorities: String? = nil
        ) {
            self.enterprise = enterprise
            self.topic = topic
            self.url = url
            self.secrets = secrets
            self.authorities = authorities
        }
    }

    public struct Push: Sendable {
        public struct FCM: Sendable {
            /// The JSON file of a Google Cloud service account.
            public var serviceAccount: String
            /// Nil for Google's own.
            public var endpoint: String?

            public init(serviceAccount: String, endpoint: String? = nil) {
                self.serviceAccount = serviceAccount
                self.endpoint = endpoint
            }
        }

        /// The push services of browsers.
        public struct Web: Sendable {
            /// The private key that identifies this verifier at push services.
            public var key: String
            /// An `https://` page for the operators of push services.
            public var contact: String
            /// The allowed hosts; `*.` at the start matches one or more labels.
            public var services: [String]
            /// CA certificates in PEM; nil for those of the system.
            public var authorities: String?

            public init(
                key: String,
                contact: String,
                services: [String]? = nil,
                authorities: String? = nil
            ) {
                (self.key, self.contact) = (key, contact)
                self.services = services ?? WebPush.defaultServices
                self.authorities = authorities
            }
        }

        /// The maximum number of pushes per minute, one for each device that wants them.
        public var perMinute = 10_000
        /// Firebase Cloud Messaging; nil if only banks send pushes, or none are sent.
        public var fcm: FCM?
        /// Push services of browsers; nil if none are sent there.
        public var web: Web?

        public init() {}
    }

    public struct Logging: Sendable {
        public enum Level: String, Comparable, CaseIterable, Sendable {
            case debug, info
            /// Only lines that an operator must act on.
            case error

            public static func < (left: Level, right: Level) -> Bool { left.ofLog < right.ofLog }

            var ofLog: Log.Level {
                switch self {
                case .debug: .debug
                case .info: .info
                case .error: .error
                }
            }
        }

        /// The lowest level that is written.
        public var level = Level.info
        /// The descriptor that gets one JSON object per line; the default is standard error.
        public var descriptor: Int32 = 2

        public init() {}
    }
}
