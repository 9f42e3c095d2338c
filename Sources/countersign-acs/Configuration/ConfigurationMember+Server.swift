import ConfigurationFiles

/// The members about the listeners.
extension ConfigurationMember {
    static let server = ConfigurationMember(
        "server",
        .section([directoryListener, challengeListener, issuerListener]),
        "The listeners. Each has its own port.",
        sample: .members
    )

    private static let directoryListener = ConfigurationMember(
        "directories",
        .section([
            ConfigurationMember(
                "listen",
                .texts,
                "IP addresses with ports. 0.0.0.0 and [::] listen on all interfaces.",
                sample: .value(#"["127.0.0.1:8453"]"#)
            ),
            ConfigurationMember(
                "tls",
                .section([
                    file(
                        "certificate",
                        "The certificate with its chain, in PEM.",
                        "acs-tls/directories.pem"
                    ),
                    file(
                        "key",
                        "The private key of the certificate, in PEM.",
                        "acs-tls/directories-key.pem"
                    ),
                    file(
                        "clientAuthorities",
                        "CA certificates in PEM. The handshake fails unless the client has a "
                            + "certificate that one of them issued.",
                        "directories/client-ca.pem"
                    ),
                ]),
                "The certificate chain and the key, in PEM, and the CA certificates for clients.",
                sample: .members
            ),
        ]),
        "For directory servers, which send POST /3ds/authentication with a client certificate.",
        sample: .members
    )

    private static let challengeListener = ConfigurationMember(
        "challenges",
        .section([
            ConfigurationMember(
                "origin",
                .text,
                "The public address of this listener: https://HOST or https://HOST:PORT. http:// is "
                    + "accepted only in a sandbox, for this machine.",
                sample: .value(#""https://acs.bank.example""#)
            ),
            ConfigurationMember(
                "listen",
                .texts,
                "IP addresses with ports.",
                sample: .value(#"["127.0.0.1:8454"]"#)
            ),
            tls(
                "The certificate chain and the key, in PEM. Without tls the server uses plain HTTP, "
                    + "which is accepted only on loopback addresses, behind a proxy.",
                sample: .comment(
                    #"{"certificate": "acs-tls/certificate.pem", "key": "acs-tls/key.pem"}"#
                )
            ),
            ConfigurationMember(
                "connectionsPerAddress",
                .number(1...1_000_000),
                "The maximum number of concurrent connections from one IP address (IPv6: from one "
                    + "/64 network). Raise it if a load balancer forwards the TLS connections. With "
                    + "plain HTTP there is no such limit, because all clients come through a proxy.",
                sample: .comment("1000"),
                default: "1000"
            ),
        ]),
        "For devices and browsers: the challenges.",
        sample: .members
    )

    private static let issuerListener = ConfigurationMember(
        "issuer",
        .section([
            ConfigurationMember(
                "listen",
                .texts,
                "IP addresses with ports.",
                sample: .value(#"["127.0.0.1:8455"]"#)
            ),
            tls(
                "As in challenges.",
                sample: .comment(
                    #"{"certificate": "acs-tls/certificate.pem", "key": "acs-tls/key.pem"}"#
                )
            ),
            file(
                "token",
                "A private file with the token that clients must show, in one line of at least 32 "
                    + "characters. countersign-acs init creates it.",
                "acs-keys/issuer-token"
            ),
        ]),
        "For the issuer's own programs, with a bearer token.",
        sample: .members,
        default: "none"
    )
}
