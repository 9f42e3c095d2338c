import ConfigurationFiles
import Localization

/// The members about decisions, and about texts for people.
extension ConfigurationMember {
    static let approvalSeconds = ConfigurationMember(
        "approvalSeconds",
        .number(30...600),
        "The timeout of an approval. It must not be larger than transactionSeconds of the "
            + "enterprise's policy, because the verifier rejects such requests.",
        sample: .value("120"),
        default: "120"
    )

    static let language = ConfigurationMember(
        "language",
        .word(Language.allCases.map(\.rawValue)),
        "The language of all texts for people.",
        sample: .value(#""en""#),
        default: Language.english.rawValue
    )

    static let consent = ConfigurationMember(
        "consent",
        .boolean,
        "Whether a payment can be approved with the device alone, up to the ceiling in the "
            + "enterprise's policy. Such an approval is not a strong customer authentication.",
        sample: .value("false"),
        default: "false"
    )

    static let nonPayments = ConfigurationMember(
        "nonPayments",
        .boolean,
        "Whether cards can be confirmed without a payment, for example to add them to a wallet.",
        sample: .value("true"),
        default: "true"
    )

    static let decoupled = ConfigurationMember(
        "decoupled",
        .boolean,
        "Whether an approval can be requested while the person is not at a shop (decoupled "
            + "authentication).",
        sample: .value("false"),
        default: "false"
    )

    static let liveChallenges = ConfigurationMember(
        "liveChallenges",
        .number(3...1_000_000),
        "The maximum number of challenges without a result, over all nodes that share the store. "
            + "Further payments get U with the reason 22. The default is the number of connections "
            + "that a node accepts at server.challenges. One card can have 3 of them.",
        sample: .value("10000"),
        default: "10000"
    )

    static let informationOnly = ConfigurationMember(
        "informationOnly",
        .texts,
        "The wishes of a shop for no challenge that are granted. The payment is then not "
            + "authenticated. Possible entries: "
            + InformationWish.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ") + ".",
        sample: .value("[]"),
        default: "none"
    )

    static let frictionless = ConfigurationMember(
        "frictionless",
        .section([
            ConfigurationMember(
                "currency",
                .text,
                "The code of the currency. Payments in other currencies need an approval.",
                sample: .value(#""EUR""#)
            ),
            ConfigurationMember(
                "maximum",
                .number(1...999_999_999_999_999),
                "The maximum of one payment, in the minor unit of the currency.",
                sample: .value("3000"),
                default: "3000"
            ),
            ConfigurationMember(
                "total",
                .number(1...999_999_999_999_999),
                "The maximum of all payments with one card since its last approval.",
                sample: .value("10000"),
                default: "10000"
            ),
            ConfigurationMember(
                "count",
                .number(1...1000),
                "The maximum number of payments with one card since its last approval.",
                sample: .value("5"),
                default: "5"
            ),
        ]),
        "Small payments that need no approval (EU 2018/389, article 16), in the minor unit of the "
            + "currency. All three limits include the payment itself.",
        sample: .comment(
            #"{"currency": "EUR", "maximum": 3000, "total": 10000, "count": 5}"#
        ),
        default: "none: each payment needs an approval"
    )
}
