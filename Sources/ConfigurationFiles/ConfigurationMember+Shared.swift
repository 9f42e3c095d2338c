import ServerOperation

// Members that the configurations of all servers have.

extension ConfigurationMember {
    package static let log = ConfigurationMember(
        "log",
        .section([
            ConfigurationMember(
                "level",
                .word([Log.Level.debug, .info, .error].map(\.rawValue)),
                "The minimum level of the lines on standard error.",
                sample: .value(#""info""#),
                default: Log.Level.info.rawValue
            )
        ]),
        "The log on standard error, as JSON lines. \"error\" is for problems that need an operator, "
            + "\"info\" adds a line for each request, and \"debug\" adds health checks.",
        sample: .value(#"{"level": "info"}"#),
        default: "level info"
    )

    package static func file(
        _ name: String,
        _ text: String,
        _ path: String
    ) -> ConfigurationMember {
        ConfigurationMember(name, .text, text, sample: .value("\"\(path)\""))
    }

    /// Files in PEM; `further` are members after those of the certificate and its key.
    package static func tls(
        _ text: String,
        _ further: [ConfigurationMember] = [],
        sample: Sample
    ) -> ConfigurationMember {
        ConfigurationMember(
            "tls",
            .section(
                [
                    file("certificate", "The certificate with its chain, in PEM.", ""),
                    file("key", "The private key of the certificate, in PEM.", ""),
                ] + further
            ),
            text,
            sample: sample,
            default: "none"
        )
    }
}
