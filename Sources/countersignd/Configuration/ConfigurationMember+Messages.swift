import ConfigurationFiles
import Verification
import VerifierServer

/// The members about messages to the bank and to devices.
extension ConfigurationMember {
    static let webhooks = ConfigurationMember(
        "webhooks",
        .sections([
            ConfigurationMember(
                "enterprise",
                .text,
                "The enterprise whose events the webhook receives.",
                sample: .value(#""bank""#)
            ),
            ConfigurationMember(
                "events",
                .word(ConfiguredEvents.allCases.map(\.rawValue)),
                "\"accounts\": changes of accounts, devices and transactions. \"pushes\": devices to "
                    + "notify, for a bank that sends its own push messages.",
                sample: .value(#""accounts""#)
            ),
            ConfigurationMember(
                "url",
                .text,
                "An https:// URL. http:// is accepted only for this machine.",
                sample: .value(#""https://core.bank.example/countersign""#)
            ),
            ConfigurationMember(
                "secrets",
                .texts,
                "One or two private files. Each contains one line: whsec_ and 24 to 64 bytes in "
                    + "base64. During a secret rotation, name the new file and the old file.",
                sample: .value(#"["keys/webhook"]"#)
            ),
            ConfigurationMember(
                "caCertificates",
                .text,
                "The CA certificates that the server's certificate is validated against, in PEM.",
                sample: .value(#""tls/bank.pem""#),
                default: "the system's trust store"
            ),
        ]),
        "Webhooks that notify the bank's programs, in the Standard Webhooks format. An enterprise can "
            + "have one webhook for each value of events. Events without a matching webhook are "
            + "dropped. Verifiers that share a store need the same webhooks.",
        sample: .commentedMembers,
        default: "none"
    )

    static let push = ConfigurationMember(
        "push",
        .section([
            ConfigurationMember(
                "perMinute",
                .number(1...1_000_000),
                "The rate limit: the maximum number of push messages per minute, one for each device "
                    + "that wants them. Requests that would send more are rejected. Each verifier "
                    + "counts separately, and counts card payments apart from other requests.",
                sample: .value("10000"),
                default: String(PushRateLimit.default)
            ),
            ConfigurationMember(
                "fcm",
                .section([
                    file(
                        "serviceAccount",
                        "The private file that Google issues for a service account.",
                        "keys/fcm.json"
                    ),
                    ConfigurationMember(
                        "endpoint",
                        .text,
                        "The address of the FCM service.",
                        sample: .withSection,
                        default: FCM.defaultEndpoint
                    ),
                ]),
                "Firebase Cloud Messaging. \"serviceAccount\" is the private file that Google issues. "
                    + "\"endpoint\" is optional (default: \(FCM.defaultEndpoint)). Without fcm, push "
                    + "messages go to the bank's webhook for \"pushes\".",
                sample: .comment(#"{"serviceAccount": "keys/fcm.json"}"#),
                default: "none"
            ),
            webPush,
        ]),
        "Push messages to devices.",
        sample: .members,
        default: "none"
    )

    private static let webPush = ConfigurationMember(
        "web",
        .section([
            file(
                "key",
                "The private key that identifies this verifier at push services. countersignd init "
                    + "creates it. Browsers subscribe for this key: after a change they must "
                    + "subscribe again.",
                "keys/push"
            ),
            ConfigurationMember(
                "contact",
                .text,
                "An https:// page with your contact, for the operators of push services.",
                sample: .withSection
            ),
            ConfigurationMember(
                "services",
                .texts,
                "The hosts of push services that are used, with the port unless it is 443. "
                    + "\"*.\" at the start matches one or more labels, and two must follow it. "
                    + "Browsers cannot name other hosts.",
                sample: .withSection,
                default: WebPush.defaultServices.joined(separator: ", ")
            ),
            ConfigurationMember(
                "caCertificates",
                .text,
                "CA certificates in PEM for these hosts.",
                sample: .withSection,
                default: "those of the system"
            ),
        ]),
        "Push services of browsers (Web Push). \"key\" and \"contact\" are required, \"services\" "
            + "and \"caCertificates\" are optional. Without web, browsers get no push messages.",
        sample: .comment(
            #"{"key": "keys/push", "contact": "https://bank.example/security"}"#
        ),
        default: "none"
    )
}
