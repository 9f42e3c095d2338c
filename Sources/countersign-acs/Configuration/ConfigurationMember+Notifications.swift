import ConfigurationFiles

extension ConfigurationMember {
    static let notifications = ConfigurationMember(
        "notifications",
        .section([
            ConfigurationMember(
                "url",
                .text,
                "The https:// URL that receives the results. http:// is accepted only for this "
                    + "machine.",
                sample: .value(#""https://core.bank.example/cards""#)
            ),
            ConfigurationMember(
                "secrets",
                .texts,
                "One or two private files. Each contains one line: whsec_ and 24 to 64 bytes in "
                    + "base64. During a secret rotation, name the new file and the old file.",
                sample: .value(#"["acs-keys/webhook"]"#)
            ),
            ConfigurationMember(
                "authorities",
                .text,
                "The CA certificates that the receiver's certificate is validated against, in PEM.",
                sample: .value(#""acs-tls/bank-ca.pem""#),
                default: "the system's trust store"
            ),
        ]),
        "The receiver of the event card.authenticated: a webhook that gets each final result.",
        sample: .comment(
            #"{"url": "https://core.bank.example/cards", "secrets": ["acs-keys/webhook"]}"#
        ),
        default: "none: the issuer gets no events"
    )
}
