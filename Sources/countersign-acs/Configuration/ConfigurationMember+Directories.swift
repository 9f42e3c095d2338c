import ConfigurationFiles
import ThreeDSIssuer

/// The members about the directory servers of card schemes.
extension ConfigurationMember {
    static let directories = ConfigurationMember(
        "directories",
        .sections([
            ConfigurationMember(
                "rid",
                .text,
                "The identifier of the scheme (RID): 10 hexadecimal digits.",
                sample: .value(#""A000000003""#)
            ),
            file(
                "clients",
                "The client certificates of the directory server, in PEM. Their public keys identify "
                    + "it. Each certificate can be in one directory only. CA certificates of "
                    + "their chains do not identify it.",
                "directories/clients.pem"
            ),
            ConfigurationMember(
                "results",
                .text,
                "The https:// URL to which the results of challenges are sent. If dsURL of an AReq has "
                    + "the same host and port, the result is sent there.",
                sample: .value(#""https://ds.example/3ds/results""#)
            ),
            ConfigurationMember(
                "resultSeconds",
                .number(5...30),
                "The timeout of the response to a result, from the end of the TLS handshake. Use the "
                    + "time that the scheme demands.",
                sample: .value("5"),
                default: "5"
            ),
            file(
                "authorities",
                "The CA certificates of the scheme, in PEM. The certificate of results is validated "
                    + "against them.",
                "directories/ca.pem"
            ),
            file(
                "certificate",
                "The certificate that the ACS shows at results, with its chain, in PEM.",
                "directories/acs-client.pem"
            ),
            file(
                "key",
                "The private key of certificate, in PEM.",
                "directories/acs-client-key.pem"
            ),
            signing,
            ConfigurationMember(
                "eci",
                .text,
                "The electronic commerce indicator of an authenticated payment: two digits.",
                sample: .value("\"\(defaultECI)\""),
                default: defaultECI
            ),
            ConfigurationMember(
                "rejectedECI",
                .text,
                "The electronic commerce indicator of a payment that the ACS rejects (N): two digits.",
                sample: .value("\"\(defaultRejectedECI)\""),
                default: defaultRejectedECI
            ),
            images("The scheme's logo. The challenge page and the shop's app show it."),
            ConfigurationMember(
                "versions",
                .texts,
                "The first and the last version of the protocol that the card ranges have at the "
                    + "directory server.",
                sample: .value("[\"\(DefaultVersions.start)\", \"\(DefaultVersions.end)\"]"),
                default: "\(DefaultVersions.start) to \(DefaultVersions.end)"
            ),
            ConfigurationMember(
                "ranges",
                .texts,
                "The ranges of card numbers, each as FIRST-LAST with 13 to 19 digits.",
                sample: .value(#"["4000000000000000-4000009999999999"]"#)
            ),
        ]),
        "The directory servers of card schemes, at least one. Each has its own rid.",
        sample: .members
    )

    /// Those of Visa and most other schemes.
    private static let defaultECI = "05"
    private static let defaultRejectedECI = "07"

    private static let signing = ConfigurationMember(
        "signing",
        .section([
            file(
                "key",
                "The private file of the key, in PEM (PKCS#8): RSA of at least 2048 bits for PS256, "
                    + "or P-256 for ES256.",
                "directories/signing-key.pem"
            ),
            file(
                "certificates",
                "The certificate of the key with its chain, in PEM: at most 10.",
                "directories/signing.pem"
            ),
        ]),
        "The key that signs what an app receives for a challenge, with the certificates that the "
            + "scheme's CA issued.",
        sample: .members
    )
}
