extension FieldTable {
    /// The decision of the ACS, in its response and in the result of a challenge.
    static let resultRows =
        [
            Field(
                "transStatus",
                .one(of: "Y", "N", "U", "A", "C", "R"),
                .required([.ares], for: [.payment]),
                .when(.requiredIf(directoryRules), [.ares], for: [.nonPayment]),
                until: .twoOne
            ),
            Field(
                "transStatus",
                .one(of: "Y", "N", "U", "A", "C", "D", "R", "I"),
                .required([.ares], for: [.payment]),
                .when(.requiredIf(directoryRules), [.ares], for: [.nonPayment]),
                since: .twoTwo,
                until: .twoTwo
            ),
            Field(
                "transStatus",
                .one(of: "Y", "N", "U", "A", "C", "D", "R", "I", "S"),
                .required([.ares], for: [.payment]),
                .when(.requiredIf(directoryRules), [.ares], for: [.nonPayment]),
                since: .twoThree
            ),
            Field(
                "transStatus",
                .one(of: "Y", "N", "U", "A", "R"),
                .required([.rreq], for: [.payment]),
                .when(.requiredIf(directoryRules), [.rreq], for: [.nonPayment]),
                until: .twoTwo
            ),
            Field(
                "transStatus",
                .one(of: "Y", "N", "U", "A", "D", "R"),
                .required([.rreq], for: [.payment]),
                .when(.requiredIf(directoryRules), [.rreq], for: [.nonPayment]),
                since: .twoThree
            ),
            reasonRow(to: 21, until: .twoOne),
            reasonRow(to: 26, since: .twoTwo, until: .twoTwo),
            reasonRow(to: 30, since: .twoThree),
            Field(
                "transStatusReasonInfo",
                .text(1...256),
                .optional([.ares, .rreq]),
                since: .twoThree
            ),
            Field(
                "authenticationValue",
                .authenticationValue,
                .when(.requiredIf(isAuthenticated), [.ares, .rreq], for: [.payment]),
                .when(.requiredIf(directoryRules), [.ares, .rreq], for: [.nonPayment]),
                until: .twoTwo
            ),
            Field(
                "authenticationValue",
                .text(1...4000),
                .when(.requiredIf(isAuthenticated), [.ares, .rreq], for: [.payment]),
                .when(.requiredIf(directoryRules), [.ares, .rreq], for: [.nonPayment]),
                since: .twoThree
            ),
            Field("eci", .text(2...2), .when(.requiredIf(directoryRules), [.ares, .rreq])),
            Field(
                "authenticationType",
                .codes(to: 3, .directory),
                ares(challenged),
                judged,
                until: .twoOne
            ),
            Field(
                "authenticationType",
                .codes(to: 4, .directory),
                ares(challenged),
                judged,
                since: .twoTwo,
                until: .twoTwo
            ),
            Field(
                "authenticationMethod",
                .codes(to: 11, .directory),
                .when(.allowedIf(.sentTo(.directory)), [.rreq]),
                until: .twoTwo
            ),
            Field(
                "authenticationMethod",
                .array(.codes(to: 16, .directory), 1...99),
                ares(challenged),
                judged,
                since: .twoThree
            ),
            Field(
                "transChallengeExemption",
                .codes([5, 8, 10, 11, 79], .directory),
                .optional([.ares]),
                since: .twoThree
            ),
        ] + trustRows

    static let issuerRows = [
        Field("acsReferenceNumber", .text(1...32), .required([.ares])),
        Field("acsOperatorID", .text(1...32), .when(.requiredIf(directoryRules), [.ares])),
        Field("acsChallengeMandated", .yesOrNo, ares(challenged, on: withDevice), until: .twoOne),
        Field("acsChallengeMandated", .yesOrNo, ares(challenged), since: .twoTwo),
        Field(
            "acsDecConInd",
            .yesOrNo,
            .when(.requiredIf(.element("transStatus", in: ["D"])), [.ares]),
            since: .twoTwo
        ),
        Field(
            "acsRenderingType",
            .object(renderingRows),
            ares(.element("transStatus", in: ["C"]), on: [.app]),
            .required([.rreq], on: [.app]),
            until: .twoOne
        ),
        Field(
            "acsRenderingType",
            .object(renderingRows),
            ares(.element("transStatus", in: ["C"]), on: [.app]),
            .when(.requiredIf(isNotDecoupled), [.rreq], on: [.app]),
            since: .twoTwo
        ),
        Field(
            "acsSignedContent",
            .compactJWS(16_000),
            ares(.element("transStatus", in: ["C"]), on: [.app])
        ),
        Field("acsURL", .url(2048), ares(.element("transStatus", in: ["C"]), on: [.browser])),
        Field(
            "cardholderInfo",
            .text(1...128),
            .optional([.ares], on: withDevice),
            until: .twoOne
        ),
        Field(
            "cardholderInfo",
            .text(1...128),
            .when(.requiredIf(.element("acsDecConInd", in: ["Y"])), [.ares]),
            since: .twoTwo,
            until: .twoTwo
        ),
        Field(
            "cardholderInfo",
            .object(cardholderInfoRows),
            .when(.requiredIf(.element("acsDecConInd", in: ["Y"])), [.ares]),
            .optional([.rreq]),
            since: .twoThree
        ),
        Field(
            "interactionCounter",
            .text(2...2),
            .required([.rreq], on: withDevice),
            until: .twoOne
        ),
        Field(
            "interactionCounter",
            .text(2...2),
            .when(.requiredIf(isNotDecoupled), [.rreq], on: withDevice),
            since: .twoTwo
        ),
        Field(
            "challengeErrorReporting",
            .object(reportedErrorRows),
            .when(
                .requiredIf(.element("challengeCancel", in: ["09", "10"])),
                [.rreq],
                on: withDevice
            ),
            since: .twoThree
        ),
        Field("resultsStatus", .codes(to: 3, .directory), .required([.rres]), until: .twoTwo),
        Field("resultsStatus", .codes(to: 4, .directory), .required([.rres]), since: .twoThree),
        Field(
            "threeDSRequestorAppURLInd",
            .yesOrNo,
            .required([.ares], on: [.app]),
            since: .twoThree
        ),
        Field(
            "deviceInfoRecognisedVersion",
            .text(3...20),
            .required([.ares], on: [.app]),
            since: .twoThree
        ),
        Field(
            "spcTransData",
            .object(spcRows),
            ares(.element("transStatus", in: ["S"]), on: [.browser]),
            since: .twoThree
        ),
        Field(
            "webAuthnCredList",
            .array(.object(credentialRows), 1...10),
            ares(.element("transStatus", in: ["S"]), on: [.browser]),
            since: .twoThree
        ),
    ]

    private static let challenged = Condition.element("transStatus", in: ["C", "D"])
    private static let isAuthenticated = Condition.element("transStatus", in: ["Y", "A"])
    private static let isNotDecoupled = Condition.not(.element("acsDecConInd", in: ["Y"]))
    private static let judged = Use.when(
        .requiredIf(.element("transStatus", in: ["Y", "N"])),
        [.rreq]
    )

    private static func ares(
        _ condition: Condition,
        on channels: [DeviceChannel] = DeviceChannel.allCases
    ) -> Use {
        .when(.requiredIf(condition), [.ares], on: channels)
    }

    private static func reasonRow(
        to last: Int,
        since: ProtocolVersion = .twoOne,
        until: ProtocolVersion = .twoThree
    ) -> Field {
        Field(
            "transStatusReason",
            .codes(to: last, .directory),
            .when(
                .requiredIf(.element("transStatus", in: ["N", "U", "R"])),
                [.ares, .rreq],
                for: [.payment]
            ),
            .when(.requiredIf(directoryRules), [.ares, .rreq], for: [.nonPayment]),
            since: since,
            until: until
        )
    }

    /// Lists of trusted merchants, and devices that are bound to an account.
    private static let trustRows = [
        Field(
            "whiteListStatus",
            .one(of: "Y", "N", "E", "P", "R", "U"),
            .optional([.ares, .rreq]),
            since: .twoTwo,
            until: .twoTwo
        ),
        Field(
            "whiteListStatusSource",
            .codes(to: 3, .directory),
            .when(.requiredIf(.present("whiteListStatus")), [.areq, .ares, .rreq]),
            since: .twoTwo,
            until: .twoTwo
        ),
        Field(
            "trustListStatus",
            .one(of: "Y", "N", "E", "P", "R", "U"),
            .optional([.ares, .rreq]),
            since: .twoThree
        ),
        Field(
            "trustListStatusSource",
            .codes(to: 3, .directory),
            .when(.requiredIf(.present("trustListStatus")), [.areq, .ares, .rreq]),
            since: .twoThree
        ),
        Field(
            "deviceBindingStatus",
            .codes([1, 2, 3, 4, 5, 11, 12, 13, 14, 15], .directory),
            .optional([.areq, .ares, .rreq]),
            since: .twoThree
        ),
        Field(
            "deviceBindingStatusSource",
            .codes(to: 3, .directory),
            .when(.requiredIf(.present("deviceBindingStatus")), [.areq, .ares, .rreq]),
            since: .twoThree
        ),
    ]
}
