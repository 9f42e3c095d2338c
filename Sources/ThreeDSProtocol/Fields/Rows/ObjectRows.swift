extension FieldTable {
    static let phoneRows = [
        Field("cc", .digits(1...3), .required),
        Field("subscriber", .digits(1...15), .required),
    ]

    /// A public key of the curve P-256 (RFC 7517).
    static let keyRows = [
        Field("kty", .one(of: "EC"), .required),
        Field("crv", .one(of: "P-256"), .required),
        Field("x", .base64URL(43...43), .required),
        Field("y", .base64URL(43...43), .required),
    ]

    static let accountRows = [
        Field("chAccAgeInd", .codes(to: 5, .none), .optional),
        Field("chAccChange", .date(.day), .optional),
        Field("chAccChangeInd", .codes(to: 4, .none), .optional),
        Field("chAccDate", .date(.day), .optional),
        Field("chAccPwChange", .date(.day), .optional),
        Field("chAccPwChangeInd", .codes(to: 5, .none), .optional),
        Field("chAccReqID", .text(1...64), .optional, since: .twoThree),
        // In 2.3.1, a sender writes 999 for more, but a greater number does no harm.
        Field("nbPurchaseAccount", .digits(1...4), .optional),
        Field("provisionAttemptsDay", .digits(1...3), .optional),
        Field("txnActivityDay", .digits(1...3), .optional),
        Field("txnActivityYear", .digits(1...3), .optional),
        Field("paymentAccAge", .date(.day), .optional),
        Field("paymentAccInd", .codes(to: 5, .none), .optional),
        Field("shipAddressUsage", .date(.day), .optional),
        Field("shipAddressUsageInd", .codes(to: 4, .none), .optional),
        Field("shipNameIndicator", .codes(to: 2, .none), .optional),
        Field("suspiciousAccActivity", .codes(to: 2, .none), .optional),
    ]

    static let riskRows = [
        Field("deliveryEmailAddress", .text(1...254), .optional),
        Field("deliveryTimeframe", .codes(to: 4, .none), .optional),
        Field("giftCardAmount", .digits(1...15), .optional),
        Field("giftCardCount", .text(2...2), .optional),
        Field("giftCardCurr", .currency, .optional),
        Field("preOrderDate", .date(.day), .optional),
        Field("preOrderPurchaseInd", .codes(to: 2, .none), .optional),
        Field("reorderItemsInd", .codes(to: 2, .none), .optional),
        Field("shipIndicator", .codes(to: 7, .none), .optional, until: .twoTwo),
        Field("shipIndicator", .codes(to: 9, .none), .optional, since: .twoThree),
        Field("transChar", .array(.codes(to: 2, .none), 1...2), .optional, since: .twoThree),
    ]

    static let authenticationInfoRows = [
        Field(
            "threeDSReqAuthMethod",
            .codes(to: 6, .directory),
            .optional,
            until: .twoOne
        ),
        Field(
            "threeDSReqAuthMethod",
            .codes(to: 8, .directory),
            .optional,
            since: .twoTwo,
            until: .twoTwo
        ),
        Field("threeDSReqAuthMethod", .codes(to: 10, .directory), .optional, since: .twoThree),
        Field("threeDSReqAuthTimestamp", .date(.minute), .optional),
        Field(
            "threeDSReqAuthData",
            .text(1...2048),
            .optional,
            until: .twoOne,
            source: .memory
        ),
        Field(
            "threeDSReqAuthData",
            .text(1...20_000),
            .optional,
            since: .twoTwo,
            until: .twoTwo,
            source: .memory
        ),
        Field("threeDSReqAuthData", .textOrObject(maximum: 50_000), .optional, since: .twoThree),
        Field("dsAuthInfVerifInd", .codes(to: 3, .directory), .optional, since: .twoThree),
    ]

    static let priorAuthenticationRows = [
        Field(
            "threeDSReqPriorAuthMethod",
            .codes(to: 4, .directory),
            .optional,
            until: .twoTwo
        ),
        Field("threeDSReqPriorAuthMethod", .codes(to: 5, .directory), .optional, since: .twoThree),
        Field("threeDSReqPriorAuthTimestamp", .date(.minute), .optional),
        Field(
            "threeDSReqPriorAuthData",
            .text(1...2048),
            .optional,
            until: .twoTwo,
            source: .memory
        ),
        Field("threeDSReqPriorAuthData", .text(1...20_000), .optional, since: .twoThree),
        Field("threeDSReqPriorRef", .text(36...36), .optional),
        Field("threeDSReqPriorDsTransId", .uuid, .optional, since: .twoThree),
    ]

    static let renderRows = [
        Field("sdkInterface", .codes(to: 3, .none), .required),
        Field("sdkUiType", .array(.codes(to: 5, .none), 1...5), .required, until: .twoTwo),
        Field("sdkUiType", .array(.codes(to: 7, .none), 1...7), .required, since: .twoThree),
        Field(
            "sdkAuthenticationType",
            // The table of the specification ends at 11, and its example contains 12.
            .array(.codes(to: 12, .directory), 1...99),
            .optional,
            since: .twoThree
        ),
    ]

    static let renderingRows = [
        Field("acsInterface", .codes(to: 2, .none), .required),
        Field("acsUiTemplate", .codes(to: 5, .none), .required, until: .twoTwo),
        Field("acsUiTemplate", .codes(to: 7, .none), .required, since: .twoThree),
        Field("deviceUserInterfaceMode", .codes(to: 4, .none), .required, since: .twoThree),
    ]

    static let cardholderInfoRows = [
        Field("text", .text(1...128), .required),
        Field("issuerImage", .url(256), .optional),
        Field("paymentSystemImage", .url(256), .optional),
    ]

    /// The data that a browser shows and signs in Secure Payment Confirmation.
    static let spcRows =
        [
            Field("challenge", .base64URL(43...100), .required),
            Field("currency", .text(3...3), .required),
            Field("displayName", .text(1...40), .required),
            Field("icon", .text(1...4096), .required),
            Field("timeout", .number(60_000...500_000, digits: 5...6), .required),
            Field("value", .text(1...40), .required),
            Field("challengeInfoText", .text(1...350), .optional),
            Field(
                "payeeName",
                .text(1...40),
                .when(.requiredIf(.not(.present("payeeOrigin"))))
            ),
            Field(
                "payeeOrigin",
                .url(2048),
                .when(.requiredIf(.not(.present("payeeName"))))
            ),
            Field("additionalData", .anyObject(maximum: 90_000), .optional),
            Field("extInd", .yes, .optional),
        ]
        + ["issuerImageSpc", "psImageSpc"].map { name in
            Field(name, .object(spcImageRows, maximum: 90_000), .optional)
        }

    /// Addresses of images, or the images themselves.
    private static let spcImageRows = [
        Field("default", .text(1...30_000), .required),
        Field("dark", .text(1...30_000), .optional),
        Field("monochrome", .text(1...30_000), .optional),
    ]

    static let credentialRows = [
        Field("rpID", .text(1...2048), .required),
        Field("credentialIds", .base64URL(16...1000), .required),
    ]

    static let broadcastRows = [
        Field("category", .codes(to: 6, .directory), .required),
        Field("description", .text(1...4000), .optional),
        Field("expDate", .date(.day), .optional),
        Field("severity", .codes(to: 4, .none), .required),
        Field("recipients", .array(.codes(to: 4, .none), 1...3), .required),
        Field("source", .codes(to: 3, .none), .required),
    ]

    static let entryBoxRows = [
        Field("challengeDataEntryKeyboardType", .codes(to: 2, .reserved), .optional),
        Field("challengeDataEntryAutofill", .yes, .optional),
        Field(
            "challengeDataEntryAutofillType",
            .codes(to: 2, .reserved),
            .when(.requiredIf(.element("challengeDataEntryAutofill", in: ["Y"])))
        ),
        Field("challengeDataEntryLengthMax", .number(1...45, digits: 2...2), .optional),
        Field("challengeDataEntryLabel", .text(1...45), .required),
        Field("challengeDataEntryMasking", .yesOrNo, .optional),
        Field(
            "challengeDataEntryToggle",
            .yesOrNo,
            .when(.requiredIf(.element("challengeDataEntryMasking", in: ["Y"])))
        ),
    ]

    static let tokenRows = [
        Field("token", .digits(13...19), .optional),
        Field("tokenAdditionalData", .anyObject(maximum: 500), .optional),
        Field("tokenAssuranceMethod", .text(2...2), .optional),
        Field("tokenRequestorId", .digits(11...11), .optional),
        Field("tokenCryptogram", .text(1...4000), .optional),
        Field("tokenCryptogramValidityIndicator", .codes(to: 3, .directory), .optional),
        Field("tokenStatusIndicator", .text(1...40), .optional),
    ]

    static let multiRows = [
        Field(
            "merchantList",
            .array(
                .object([
                    Field("merchantNameListed", .text(1...40), .required),
                    Field("acquirerMerchantIdListed", .text(1...15), .optional),
                    Field("merchantAmount", .digits(1...48), .optional),
                    Field(
                        "merchantCurrency",
                        .currency,
                        .when(.requiredIf(.present("merchantAmount")))
                    ),
                    Field(
                        "merchantExponent",
                        .digits(1...1),
                        .when(.requiredIf(.present("merchantAmount")))
                    ),
                    Field("sellerId", .text(1...50), .optional),
                ]),
                1...50
            ),
            .required
        ),
        Field(
            "avValidityTime",
            .number(0...999, digits: 1...3),
            .when(.requiredIf(directoryRules))
        ),
        Field("avNumberUse", .number(0...99, digits: 1...2), .when(.requiredIf(directoryRules))),
    ]

    static let sellerRows = [
        Field("sellerName", .text(1...100), .required),
        Field(
            "sellerId",
            .text(1...50),
            .when(.requiredIf(.rule("if `multiTransaction` has it")))
        ),
        Field("sellerBusinessName", .text(1...100), .optional),
        Field("sellerAccDate", .date(.day), .optional),
        Field("sellerAddrLine1", .text(1...50), .optional),
        Field("sellerAddrLine2", .text(1...50), .optional),
        Field("sellerAddrLine3", .text(1...50), .optional),
        Field("sellerAddrCity", .text(1...50), .optional),
        Field("sellerAddrState", .text(1...3), .optional),
        Field("sellerAddrPostCode", .text(1...16), .optional),
        Field("sellerAddrCountry", .country, .optional),
        Field("sellerEmail", .mailbox(254), .optional),
        Field("sellerPhone", .object(phoneRows), .optional),
    ]
}
