import ConfigurationFiles
import Localization

/// The members about decisions, and about texts for people.
extension ConfigurationMember {
    static let approvalSeconds = ConfigurationMember(
        "approvalSeconds",
        .number(30...600),
        "The timeout of an approval. If transactionSeconds of the enterprise's policy is shorter, "
            + "that applies.",
        sample: .value("120"),
        default: "120"
    )

    static let language = ConfigurationMember(
        "language",
        .word(Language.allCases.map(\.rawValue)),
        "The language of the texts for people. A page in a browser is in the language of the browser, "
            + "if it is one of these.",
        sample: .value(#""en""#),
        default: Language.english.rawValue
    )

    static let texts = ConfigurationMember(
        "texts",
        .section([
            text("heading", "The heading of the challenge page, with at most 45 characters."),
            text(
                "reason",
                "The reason of the challenge, which an app shows if the shopper wants to know it, with "
                    + "at most 256 characters."
            ),
        ]),
        "The bank's own words, each in both languages.",
        sample: .comment(
            """
            {"heading": {"en": "Approve with Example Bank", "de": "Mit Example Bank freigeben"}, \
            "reason": {"en": "It is the law.", "de": "Das Gesetz verlangt es."}}
            """
        ),
        default: "the texts of the ACS"
    )

    private static func text(_ name: String, _ description: String) -> ConfigurationMember {
        ConfigurationMember(
            name,
            .section(
                Language.allCases.map { language in
                    ConfigurationMember(
                        language.rawValue,
                        .text,
                        "The text in this language.",
                        sample: .value(#""""#)
                    )
                }
            ),
            description,
            sample: .members,
            default: "the text of the ACS"
        )
    }

    static let images = images("The bank's logo. The challenge page and the shop's app show it.")

    /// A logo in several forms.
    static func images(_ description: String) -> ConfigurationMember {
        ConfigurationMember(
            "images",
            .section([
                image("medium", "of the image", isRequired: true),
                image("high", "of the image for displays with a higher density"),
                image("extraHigh", "of the image for displays with the highest density"),
                image("dark", "of the image for a dark background, for apps from version 2.3.1"),
                image("monochrome", "of the image in one colour, for apps from version 2.3.1"),
            ]),
            description + " Shoppers' devices load it from there.",
            sample: .comment(
                """
                {"medium": "https://www.bank.example/logo.png", "high": "…", "extraHigh": "…", \
                "dark": "…", "monochrome": "…"}
                """
            ),
            default: "none"
        )
    }

    private static func image(
        _ name: String,
        _ what: String,
        isRequired: Bool = false
    ) -> ConfigurationMember {
        let address = #""https://www.bank.example/\#(name).png""#
        return ConfigurationMember(
            name,
            .text,
            "The https:// URL \(what), with at most 128 characters.",
            sample: isRequired ? .value(address) : .comment(address),
            default: isRequired ? nil : "none"
        )
    }

    static let webDevice = ConfigurationMember(
        "webDevice",
        .text,
        "The https:// URL of the web device: server.origin of the verifier, with the path /approve/. "
            + "The challenge page in a browser then links to it, and it opens in a tab of its own.",
        sample: .comment(#""https://approve.bank.example/approve/""#),
        default: "none: the page has no link"
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
            + "that a node accepts at server.challenges. One card can have 3 of them. A decoupled "
            + "authentication begins only below half of the maximum, and below 2 of the card.",
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
            + "currency. All three limits include the payment itself. A payment that begins a series "
            + "always needs an approval. A card that is removed and added again begins with no payments. "
            + "Cannot be combined with consent.",
        sample: .comment(
            #"{"currency": "EUR", "maximum": 3000, "total": 10000, "count": 5}"#
        ),
        default: "none: each payment needs an approval"
    )
}
