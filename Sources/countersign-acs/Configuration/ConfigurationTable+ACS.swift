import ConfigurationFiles

extension ConfigurationTable {
    static let acs = ConfigurationTable(
        of: "countersign-acs",
        at: "/etc/countersign-acs/countersign-acs.json",
        variablesListedBy: "init",
        ConfigurationTexts(
            title: "Configuration reference of the ACS",
            subject: "an ACS for card payments",
            dataFolder: "/var/lib/countersign-acs/",
            dataPaths: "the path of the store is `acs.db`",
            example: "log.level",
            examples: [
                "COUNTERSIGN_ACS_VERIFIER_ORIGIN=https://approve.bank.example",
                #"COUNTERSIGN_ACS_SERVER_CHALLENGES_LISTEN='["0.0.0.0:8443"]'"#,
            ]
        ),
        ConfigurationMember.ofACS
    )
}

extension ConfigurationMember {
    /// The members of the configuration, in the order in which `init` writes them.
    fileprivate static let ofACS: [ConfigurationMember] = [
        store,
        file(
            "encryptionKeys",
            "The keys that encrypt the secrets in the store: a file, or \"descriptor:N\" for an open "
                + "file descriptor. N is a number, or a name that a service manager assigns "
                + "(OpenFile= of systemd). Never keep these keys with the backups of the store.",
            "acs-keys/encryption"
        ),
        ConfigurationMember(
            "enterprise",
            .text,
            "The enterprise of the verifier that has the accounts of the cards.",
            sample: .value(#""bank""#)
        ),
        verifier, directories, server, notifications, operation, approvalSeconds, language,
        texts, images, webDevice, consent, nonPayments, decoupled, liveChallenges, informationOnly,
        frictionless, sandbox, log,
    ]

    private static let store = ConfigurationMember(
        "store",
        .section([
            ConfigurationMember(
                "sqlite",
                .text,
                "The SQLite file, on a local disk. Several nodes need postgresql instead.",
                sample: .value(#""acs.db""#),
                default: "none"
            ),
            ConfigurationMember(
                "postgresql",
                .text,
                "A libpq connection string without a password. passfile=FILE names the file with the "
                    + "password. Another machine needs sslmode=verify-full.",
                sample: .comment(#""host=db.example sslmode=verify-full""#),
                default: "none"
            ),
        ]),
        "The database: either {\"sqlite\": FILE} or {\"postgresql\": CONNECTION}. CONNECTION is a "
            + "libpq connection string without a password, such as \"host=db.example "
            + "sslmode=verify-full dbname=acs passfile=/etc/countersign-acs/pgpass\". Never use the "
            + "database of a verifier.",
        sample: .inDataFolder { #"{"sqlite": "\#($0)acs.db"}"# }
    )

    private static let verifier = ConfigurationMember(
        "verifier",
        .section([
            ConfigurationMember(
                "origin",
                .text,
                "The address of the bank's API: https://HOST or https://HOST:PORT. http:// is "
                    + "accepted only for this machine.",
                sample: .value(#""http://127.0.0.1:8080""#)
            ),
            file(
                "token",
                "A private file with a token of the role cards, in one line. countersignd token "
                    + "create makes the token.",
                "acs-keys/verifier-token"
            ),
            ConfigurationMember(
                "authorities",
                .text,
                "The CA certificates that the verifier's certificate is validated against, in PEM.",
                sample: .comment(#""acs-tls/verifier-ca.pem""#),
                default: "the system's trust store"
            ),
            ConfigurationMember(
                "certificate",
                .text,
                "The certificate that the ACS shows to the verifier, with its chain, in PEM. A "
                    + "verifier with bank.tls.clientAuthorities requires it.",
                sample: .comment(#""acs-tls/verifier-client.pem""#),
                default: "none"
            ),
            ConfigurationMember(
                "key",
                .text,
                "The private key of certificate, in PEM. It is required with certificate.",
                sample: .comment(#""acs-tls/verifier-client-key.pem""#),
                default: "none"
            ),
        ]),
        "The verifier that approves payments, through its bank API.",
        sample: .members
    )

    private static let operation = ConfigurationMember(
        "operation",
        .section([
            ConfigurationMember(
                "listen",
                .texts,
                "IP addresses with ports.",
                sample: .value(#"["127.0.0.1:8456"]"#)
            ),
            tls("As in server.challenges.", sample: .withSection),
        ]),
        "The health checks and the metrics for Prometheus. They need no token, so they have their own "
            + "port. \"tls\" is the same as in server.challenges.",
        sample: .value(#"{"listen": ["127.0.0.1:8456"]}"#),
        default: "none"
    )

    private static let sandbox = ConfigurationMember(
        "sandbox",
        .boolean,
        "Whether plain HTTP of this machine is accepted, for trials: for server.challenges.origin, "
            + "for results, for webDevice, and for the pages of shops. server.challenges.listen must "
            + "then have loopback addresses only.",
        sample: .comment("true"),
        default: "false"
    )
}
