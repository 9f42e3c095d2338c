extension FieldTable {
    /// The page that the SDK shows, or the end of the challenge.
    static let challengeResponseRows =
        [
            Field("acsCounterAtoS", counter, .required([.cres], on: [.app])),
            Field("challengeCompletionInd", .yesOrNo, .required([.cres], on: [.app])),
            Field(
                "acsUiType",
                .codes(to: 5, .directory),
                cres(.conditional(.not(isFinal))),
                until: .twoTwo
            ),
            Field(
                "acsUiType",
                .codes(to: 7, .directory),
                cres(.conditional(.not(isFinal))),
                since: .twoThree
            ),
            Field("transStatus", .yesOrNo, final, finalInBrowser, otherFinal, until: .twoTwo),
            Field(
                "transStatus",
                .one(of: "Y", "N", "D"),
                final,
                finalInBrowser,
                otherFinal,
                since: .twoThree
            ),
            Field(
                "acsHTML",
                .base64URL(1...102_400),
                cres(.requiredIf(.element("acsUiType", in: ["05"]))),
                until: .twoTwo
            ),
            Field(
                "acsHTML",
                .base64URL(1...300_000),
                cres(.requiredIf(.element("acsUiType", in: ["05", "06"]))),
                since: .twoThree
            ),
            Field(
                "acsHTMLRefresh",
                .base64URL(1...102_400),
                optional,
                until: .twoTwo,
                source: .memory
            ),
        ] + textRows + labelRows + entryRows + imageRows

    private static let textRows = [
        Field("challengeInfoHeader", .text(1...45), optional, until: .twoTwo),
        Field("challengeInfoHeader", .text(1...45), cres(.requiredIf(isNative)), since: .twoThree),
        Field("challengeInfoText", .text(1...350), optional, until: .twoTwo),
        Field("challengeInfoText", .text(1...350), cres(.requiredIf(isNative)), since: .twoThree),
        Field("challengeInfoLabel", .text(1...45), optional, until: .twoTwo),
        Field(
            "challengeInfoLabel",
            .text(1...45),
            cres(.requiredIf(.element("acsUiType", in: ["02", "03"]))),
            since: .twoThree
        ),
        Field("challengeInfoTextIndicator", .yesOrNo, optional),
        Field("challengeAddInfo", .text(1...256), optional, until: .twoTwo, source: .memory),
        Field("expandInfoLabel", .text(1...45), optional),
        Field("expandInfoText", .text(1...256), optional),
        Field("whyInfoLabel", .text(1...45), optional),
        Field("whyInfoText", .text(1...256), optional),
        Field(
            "whitelistingInfoText",
            .text(1...64),
            optional,
            since: .twoTwo,
            until: .twoTwo
        ),
        Field("trustListInfoText", .text(1...64), optional, since: .twoThree),
        Field("deviceBindingInfoText", .text(1...64), optional, since: .twoThree),
        Field("togglePositionInd", .codes(to: 1, .reserved), optional, since: .twoThree),
    ]

    private static let labelRows = [
        Field(
            "submitAuthenticationLabel",
            .text(1...45),
            cres(.requiredIf(.element("acsUiType", in: ["01", "02", "03"])))
        ),
        Field("resendInformationLabel", .text(1...45), optional),
        Field(
            "oobContinueLabel",
            .text(1...45),
            cres(.requiredIf(.element("acsUiType", in: ["04"]))),
            until: .twoTwo
        ),
        Field(
            "oobContinueLabel",
            .text(1...45),
            cres(
                .requiredIf(
                    .all([
                        .element("acsUiType", in: ["04"]), .not(.present("oobAppLabel")),
                    ])
                )
            ),
            since: .twoThree
        ),
        Field(
            "oobAppLabel",
            .text(1...45),
            cres(.allowedIf(.all([.element("acsUiType", in: ["04"]), canOpenApp]))),
            since: .twoThree
        ),
        Field(
            "oobAppURL",
            .url(2048),
            cres(
                .allowedIf(
                    .all([
                        .any([
                            .element("acsUiType", in: ["06"]), .present("oobAppLabel"),
                        ]), canOpenApp,
                    ])
                )
            ),
            since: .twoThree
        ),
        Field(
            "infoContinueLabel",
            .text(1...45),
            cres(.requiredIf(.element("acsUiType", in: ["07"]))),
            since: .twoThree
        ),
        Field("challengeAddLabel", .text(1...45), optional, since: .twoThree),
    ]

    private static let entryRows = [
        Field(
            "challengeSelectInfo",
            .choices(1...100, keyLength: 45),
            optional,
            until: .twoTwo,
            source: .memory
        ),
        Field(
            "challengeSelectInfo",
            .choices(1...8, keyLength: 4),
            cres(.requiredIf(.element("acsUiType", in: ["02", "03"]))),
            since: .twoThree
        ),
        Field(
            "challengeEntryBox",
            .object(entryBoxRows),
            cres(.requiredIf(.element("acsUiType", in: ["01"]))),
            since: .twoThree
        ),
        Field(
            "challengeEntryBoxTwo",
            .object(entryBoxRows),
            cres(.allowedIf(.element("acsUiType", in: ["01"]))),
            since: .twoThree
        ),
    ]

    private static let imageRows = ["issuerImage", "psImage"].flatMap { name in
        [
            Field(
                name,
                .object(["medium", "high", "extraHigh"].map { Field($0, .url(2048), .optional) }),
                cres(.requiredIf(.rule("by the rules of the payment system"))),
                until: .twoTwo
            ),
            Field(
                name,
                .object(
                    [
                        Field("default", .url(6144), .required),
                        Field("dark", .url(6144), .optional),
                        Field("monochrome", .url(6144), .optional),
                    ],
                    maximum: 6144
                ),
                cres(.requiredIf(.rule("by the rules of the payment system"))),
                since: .twoThree
            ),
        ]
    }

    private static let optional = Use.optional([.cres], on: [.app])
    private static let isFinal = Condition.element("challengeCompletionInd", in: ["Y"])
    private static let isNative = Condition.element(
        "acsUiType",
        in: ["01", "02", "03", "04", "07"]
    )
    private static let canOpenApp = Condition.element("oobAppURLInd", in: ["01"])
    private static let final = Use.when(
        .conditional(isFinal),
        [.cres],
        on: [.app],
        for: [.payment]
    )
    private static let finalInBrowser = Use.required([.cres], on: [.browser], for: [.payment])
    private static let otherFinal = Use.when(
        .requiredIf(directoryRules),
        [.cres],
        for: [.nonPayment]
    )

    private static func cres(_ presence: Presence) -> Use { .when(presence, [.cres], on: [.app]) }
}
