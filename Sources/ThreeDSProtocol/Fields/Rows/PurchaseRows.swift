extension FieldTable {
    static let purchaseRows =
        [
            ("purchaseAmount", Form.digits(1...48)), ("purchaseCurrency", .currency),
            ("purchaseExponent", .digits(1...1)), ("purchaseDate", .date(.second)),
        ].flatMap { name, form in
            [
                Field(
                    name,
                    form,
                    .required([.areq], on: withDevice, for: [.payment]),
                    .when(.requiredIf(repeats), [.areq], on: withDevice, for: [.nonPayment]),
                    until: .twoOne
                ),
                Field(
                    name,
                    form,
                    .required([.areq], for: [.payment]),
                    .when(.requiredIf(repeats), [.areq], for: [.nonPayment]),
                    since: .twoTwo,
                    until: .twoTwo
                ),
                Field(
                    name,
                    form,
                    .required([.areq], for: [.payment]),
                    .when(.requiredIf(isLaterPayment), [.areq], for: [.nonPayment]),
                    since: .twoThree
                ),
            ]
        } + [
            Field(
                "purchaseInstalData",
                .number(2...999, digits: 1...3),
                .when(.requiredIf(isInstalment), [.areq], on: withDevice),
                .when(.allowedIf(.element("threeRIInd", in: ["02"])), [.areq], on: [.requestor]),
                until: .twoTwo
            ),
            Field(
                "purchaseInstalData",
                .number(2...999, digits: 1...3),
                .when(.requiredIf(isInstalment), [.areq]),
                since: .twoThree
            ),
            Field(
                "transType",
                .codes([1, 3, 10, 11, 28], .none),
                .when(.requiredIf(.rule("in some markets")), [.areq], for: [.payment])
            ),
        ]

    static let recurringRows = [
        Field(
            "recurringExpiry",
            .date(.day),
            .when(.requiredIf(repeats), [.areq]),
            until: .twoTwo
        ),
        Field(
            "recurringExpiry",
            .date(.day),
            .when(.requiredIf(.rule("if there is an end")), [.areq]),
            since: .twoThree
        ),
        Field(
            "recurringFrequency",
            .digits(1...4),
            .when(.requiredIf(repeats), [.areq]),
            until: .twoTwo
        ),
        Field(
            "recurringFrequency",
            .number(1...9999, digits: 1...4),
            .when(.requiredIf(hasFixed("frequencyInd")), [.areq]),
            since: .twoThree
        ),
        Field(
            "recurringAmount",
            .digits(1...48),
            .when(.requiredIf(.all([isRecurring, hasFixed("amountInd")])), [.areq]),
            since: .twoThree
        ),
        Field(
            "recurringCurrency",
            .currency,
            .when(.requiredIf(.present("recurringAmount")), [.areq]),
            since: .twoThree
        ),
        Field(
            "recurringExponent",
            .digits(1...1),
            .when(.requiredIf(.present("recurringAmount")), [.areq]),
            since: .twoThree
        ),
        Field(
            "recurringDate",
            .date(.day),
            .when(.requiredIf(hasFixed("frequencyInd")), [.areq]),
            since: .twoThree
        ),
        Field(
            "recurringInd",
            .object([
                Field("amountInd", .codes(to: 2, .directory), .required),
                Field("frequencyInd", .codes(to: 2, .directory), .required),
            ]),
            .when(.requiredIf(isRecurring), [.areq]),
            since: .twoThree
        ),
    ]

    static let merchantRows =
        [
            ("acquirerBIN", Form.text(1...11)), ("acquirerMerchantID", .text(1...35)),
            ("mcc", .text(4...4)), ("merchantCountryCode", .country),
            ("merchantName", .text(1...40)),
        ].map { name, form in
            Field(
                name,
                form,
                .required([.areq], for: [.payment]),
                .optional([.areq], for: [.nonPayment])
            )
        } + [
            Field("merchantRiskIndicator", .object(riskRows), .optional([.areq])),
            Field("acquirerCountryCode", .country, .required([.areq]), since: .twoThree),
            Field(
                "acquirerCountryCodeSource",
                .codes(to: 2, .directory),
                .required([.areq]),
                since: .twoThree
            ),
            Field("multiTransaction", .object(multiRows), .optional([.areq]), since: .twoThree),
            Field(
                "sellerInfo",
                .array(.object(sellerRows), 1...50),
                .optional([.areq]),
                since: .twoThree
            ),
            Field(
                "payeeOrigin",
                .url(2048),
                .when(
                    .requiredIf(.element("threeDSRequestorSpcSupport", in: ["Y"])),
                    [.areq],
                    on: [.browser]
                ),
                since: .twoThree
            ),
        ]

    private static let repeats = Condition.element(
        "threeDSRequestorAuthenticationInd",
        in: ["02", "03"]
    )
    private static let isRecurring = Condition.any([
        repeats, .element("threeRIInd", in: ["01", "02"]),
    ])
    private static let isInstalment = Condition.any([
        .element("threeDSRequestorAuthenticationInd", in: ["03"]),
        .element("threeRIInd", in: ["02"]),
    ])
    private static let isLaterPayment = Condition.any([
        .element("threeDSRequestorAuthenticationInd", in: ["02", "03", "07", "08", "09"]),
        .element("threeRIInd", in: ["01", "02", "06", "07", "08", "09", "11", "15"]),
    ])

    private static func hasFixed(_ indicator: String) -> Condition {
        .element("recurringInd.\(indicator)", in: ["01"])
    }
}
