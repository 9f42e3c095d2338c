import ConfigurationFiles
import Verification
import VerifierServer

extension ConfigurationTable {
    static let countersignd = ConfigurationTable(
        of: "countersignd",
        at: "/etc/countersign/countersignd.json",
        variablesListedBy: "run",
        ConfigurationTexts(
            title: "Configuration reference",
            subject: "a verifier",
            dataFolder: "/var/lib/countersign/",
            dataPaths:
                "the paths of store and journal are `store/countersign.db` and `journal/journal`",
            example: "server.origin",
            examples: [
                "COUNTERSIGND_SERVER_ORIGIN=https://approve.bank.example",
                #"COUNTERSIGND_SERVER_LISTEN='["0.0.0.0:8443"]'"#,
            ]
        ),
        ConfigurationMember.ofVerifier
    )
}

extension ConfigurationMember {
    /// The members of the configuration, in the order in which `init` writes them.
    ///
    /// The parser, the environment variables, the file of `init` and the reference are made from
    /// this table.
    fileprivate static let ofVerifier: [ConfigurationMember] = [
        store, journal,
        file(
            "encryptionKeys",
            "The keys that encrypt the secrets in the store: a file, or \"descriptor:N\" for an open "
                + "file descriptor. N is a number, or a name that a service manager assigns "
                + "(OpenFile= of systemd). Never keep these keys with the backups of the store.",
            "keys/encryption"
        ),
        file("agreementKey", "The key for key agreement with devices.", "keys/agreement"),
        ConfigurationMember(
            "nextAgreementKey",
            .text,
            "The key that will replace agreementKey. Devices receive it in responses, and use it from "
                + "then on. The verifier accepts both.",
            sample: .comment(#""keys/next-agreement""#),
            default: "none"
        ),
        file("responseKey", "The key that signs responses to devices.", "keys/response"),
        ConfigurationMember(
            "nextResponseKey",
            .text,
            "The key that will replace responseKey. Devices receive it in responses that are signed "
                + "with the current key.",
            sample: .comment(#""keys/next-response""#),
            default: "none"
        ),
        file(
            "checkpointKey",
            "The key that signs the journal. Every verifier has its own.",
            "keys/checkpoint"
        ),
        server, bank, operation, integrity, log, webhooks, push, pkcs11,
    ]

    private static let pkcs11 = ConfigurationMember(
        "pkcs11",
        .section([
            ConfigurationMember(
                "library",
                .text,
                "The PKCS#11 library of the vendor. Only root or the user of the verifier may be able "
                    + "to write to it or to a folder above it.",
                sample: .value(#""/usr/lib/softhsm/libsofthsm2.so""#)
            ),
            ConfigurationMember(
                "token",
                .text,
                "The label of the token. Either token or slot is required.",
                sample: .value(#""bank""#),
                default: "none"
            ),
            ConfigurationMember(
                "slot",
                .number(0...Int(UInt32.max)),
                "The number of the token's slot.",
                sample: .comment("0"),
                default: "none"
            ),
            ConfigurationMember(
                "pinFile",
                .text,
                "A private file with the PIN of the token's user, in one line.",
                sample: .value(#""keys/pin""#)
            ),
            ConfigurationMember(
                "sealingKey",
                .text,
                "The label of the key that seals the keys in the file of encryptionKeys. Without it, "
                    + "the file is not sealed.",
                sample: .comment(#""sealing""#),
                default: "none"
            ),
        ]),
        "A token of an HSM. With it, agreementKey, nextAgreementKey, responseKey, nextResponseKey and "
            + "checkpointKey can be \"pkcs11:LABEL\": a key that never leaves the token. init creates missing keys. "
            + "\"slot\" with a number replaces \"token\". \"sealingKey\" is the label of a key that "
            + "seals the file of encryptionKeys.",
        sample: .comment(
            #"{"library": "/usr/lib/softhsm/libsofthsm2.so", "token": "bank", "pinFile": "keys/pin"}"#
        ),
        default: "none"
    )

    private static let store = ConfigurationMember(
        "store",
        .section([
            ConfigurationMember(
                "sqlite",
                .text,
                "The SQLite file, for one verifier.",
                sample: .value(#""store/countersign.db""#),
                default: "none"
            ),
            ConfigurationMember(
                "postgresql",
                .text,
                "A libpq connection string without a password, for one or more verifiers. passfile=FILE "
                    + "names the file with the password. Another machine needs sslmode=verify-full.",
                sample: .comment(#""host=db.example sslmode=verify-full""#),
                default: "none"
            ),
        ]),
        "The database: either {\"sqlite\": FILE} or {\"postgresql\": CONNECTION}. Several verifiers "
            + "can share a PostgreSQL store. CONNECTION is a libpq connection string without a "
            + "password, such as \"host=db.example sslmode=verify-full dbname=countersign "
            + "passfile=/etc/countersign/pgpass\". Without sslmode=verify-full, only Unix sockets "
            + "and loopback addresses are accepted.",
        sample: .inDataFolder { #"{"sqlite": "\#($0)store/countersign.db"}"# }
    )

    private static let journal = ConfigurationMember(
        "journal",
        .text,
        "The journal records what a restore from a backup must not undo, such as revoked devices. "
            + "Keep it on a different disk from the store. Every verifier has its own.",
        sample: .inDataFolder { #""\#($0)journal/journal""# }
    )

    private static let server = ConfigurationMember(
        "server",
        .section([
            ConfigurationMember(
                "origin",
                .text,
                "The public address that devices call and that signatures cover: https://HOST or "
                    + "https://HOST:PORT. http:// is accepted only for this machine, for trials.",
                sample: .value(#""http://127.0.0.1:8080""#)
            ),
            ConfigurationMember(
                "listen",
                .texts,
                "IP addresses with ports. 0.0.0.0 and [::] listen on all interfaces. Sockets from a "
                    + "service manager replace them.",
                sample: .value(#"["127.0.0.1:8080"]"#)
            ),
            tls(
                "The certificate chain and the key, in PEM. SIGHUP reloads them. Without tls the server "
                    + "uses plain HTTP, which is accepted only on loopback addresses.",
                sample: .comment(
                    #"{"certificate": "tls/certificate.pem", "key": "tls/key.pem"}"#
                )
            ),
            web,
            ConfigurationMember(
                "connections",
                .number(1...1_000_000),
                "The maximum number of concurrent connections, also of bank.listen. The limit on open "
                    + "files (ulimit -n) can lower it. The server closes connections above the limit.",
                sample: .value("10000"),
                default: "10000"
            ),
            ConfigurationMember(
                "connectionsPerAddress",
                .number(1...1_000_000),
                "The maximum number of concurrent connections from one IP address (IPv6: from one "
                    + "/64 network). With plain HTTP the default equals connections, because all "
                    + "clients come through a proxy. bank.listen does not have this limit.",
                sample: .comment("1000"),
                default: "1000"
            ),
            ConfigurationMember(
                "shutdownSeconds",
                .number(0...3600),
                "The timeout of a graceful shutdown: how long the server completes requests in "
                    + "progress. Deliveries in progress can take 40 seconds longer. Above 20, raise "
                    + "TimeoutStopSec of the systemd unit, too.",
                sample: .value("20"),
                default: "20"
            ),
        ]),
        "The API for devices and for the bank's programs, which countersignd run serves. Without "
            + "this section, countersignd run does not start.",
        sample: .members,
        default: "none"
    )

    private static let web = ConfigurationMember(
        "web",
        .section([
            ConfigurationMember(
                "files",
                .text,
                "The folder of the files. A file that is missing, or differs from the file of this "
                    + "build, stops the start.",
                sample: .withSection,
                default: "share/countersign/web next to the bin of countersignd"
            )
        ]),
        "The device in a browser: {} serves it at /approve/ of the origin. \"files\" names another "
            + "folder of its files. The policy of an enterprise must also allow such devices with "
            + "webDevices.",
        sample: .comment("{}"),
        default: "none: nothing is served"
    )

    private static let bank = ConfigurationMember(
        "bank",
        .section([
            ConfigurationMember(
                "listen",
                .texts,
                "IP addresses with ports, for example of the bank's own network. server.listen then "
                    + "does not serve the bank's API.",
                sample: .value(#"["192.0.2.10:8443"]"#),
                default: "none: server.listen serves the bank's API"
            ),
            ConfigurationMember(
                "tls",
                .section([
                    file("certificate", "The certificate with its chain, in PEM.", "tls/api.pem"),
                    file("key", "The private key of the certificate, in PEM.", "tls/api-key.pem"),
                    ConfigurationMember(
                        "clientAuthorities",
                        .text,
                        "CA certificates in PEM. The handshake fails unless the client has a "
                            + "certificate that one of them issued.",
                        sample: .value(#""tls/api-clients.pem""#),
                        default: "none: clients need no certificate"
                    ),
                ]),
                "The certificate chain and the key, as in server.tls. SIGHUP reloads them.",
                sample: .members,
                default: "none"
            ),
            ConfigurationMember(
                "secondPerson",
                .texts,
                "Calls that have an effect only after another token repeats them. "
                    + "Entries are operation ids of /openapi.json: "
                    + VerifierServer.Configuration.BankOperation.allCases.map(\.rawValue)
                    .joined(separator: ", ")
                    + ". Verifiers that share a store need the same list.",
                sample: .value(
                    #"["linkAccounts", "replaceAccount", "issueActivation", "setPolicy"]"#
                ),
                default: "none: one token is sufficient"
            ),
        ]),
        "The bank's API: a separate port for the bank's programs, and calls that need two persons.",
        sample: .commentedMembers,
        default: "none"
    )

    private static let operation = ConfigurationMember(
        "operation",
        .section([
            ConfigurationMember(
                "listen",
                .texts,
                "IP addresses with ports.",
                sample: .value(#"["127.0.0.1:8081"]"#)
            ),
            tls("The same as server.tls.", sample: .withSection),
        ]),
        "The health checks /health/live and /health/ready, and /metrics for Prometheus. They need no "
            + "token, so they have their own port. \"tls\" is the same as in server.",
        sample: .value(#"{"listen": ["127.0.0.1:8081"]}"#),
        default: "none"
    )

    private static let integrity = ConfigurationMember(
        "integrity",
        .section([
            ConfigurationMember(
                "forgedRows",
                .word(VerifierServer.Configuration.Integrity.Reaction.allCases.map(\.rawValue)),
                "The reaction to a row that another program wrote. In both cases the row is rejected, "
                    + "and an error in the log and an audit record name it. \"notReady\": until a "
                    + "restart, /health/ready also returns 503.",
                sample: .value(#""report""#),
                default: "report"
            ),
            ConfigurationMember(
                "auditMinutes",
                .number(0...1440),
                "The time between two audits of the whole store by this verifier; 0 for none. An "
                    + "audit also finds rows that an attacker deleted or put back.",
                sample: .value("30"),
                default: "30"
            ),
        ]),
        "The protection against other programs that write to the database.",
        sample: .value(#"{"forgedRows": "report", "auditMinutes": 30}"#),
        default: "report, every 30 minutes"
    )
}
