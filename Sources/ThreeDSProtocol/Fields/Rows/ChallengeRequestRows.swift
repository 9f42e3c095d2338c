extension FieldTable {
    /// The actions of the person, as the SDK or the browser reports them.
    static let challengeRequestRows = [
        Field("sdkCounterStoA", counter, .required([.creq], on: [.app])),
        Field("challengeWindowSize", .codes(to: 5, .none), .required([.creq], on: [.browser])),
        Field(
            "challengeCancel",
            .codes([1, 4, 5, 6, 7, 8], .directory),
            .when(.requiredIf(isCancelled), [.creq], on: [.app]),
            .when(.requiredIf(isCancelled), [.rreq]),
            until: .twoOne
        ),
        Field(
            "challengeCancel",
            .codes([1, 3, 4, 5, 6, 7, 8], .directory),
            .when(.requiredIf(isCancelled), [.creq], on: [.app]),
            .when(.requiredIf(isCancelled), [.rreq]),
            since: .twoTwo,
            until: .twoTwo
        ),
        Field(
            "challengeCancel",
            .codes([1, 3, 4, 5, 6, 7, 8, 9, 10], .directory),
            .when(.requiredIf(isCancelled), [.creq], on: [.app]),
            .when(.requiredIf(isCancelled), [.rreq]),
            since: .twoThree
        ),
        // Without `challengeNoEntry`, an empty entry is sent as none.
        Field("challengeDataEntry", .text(1...45), creq(.allowedIf(isEntry)), until: .twoOne),
        Field(
            "challengeDataEntry",
            .text(1...45),
            creq(.requiredIf(.all([isEntry, .not(.present("challengeNoEntry"))]))),
            since: .twoTwo,
            until: .twoTwo
        ),
        Field("challengeDataEntry", .text(1...45), creq(.allowedIf(isEntryPage)), since: .twoThree),
        Field(
            "challengeDataEntryTwo",
            .text(1...45),
            creq(.allowedIf(.all([isEntryPage, .present("challengeEntryBoxTwo")]))),
            since: .twoThree
        ),
        Field(
            "challengeNoEntry",
            .yes,
            creq(.allowedIf(.all([isEntry, .not(.present("challengeDataEntry"))]))),
            since: .twoTwo,
            until: .twoTwo
        ),
        Field("challengeNoEntry", .yes, creq(.allowedIf(isEntryPage)), since: .twoThree),
        Field(
            "challengeHTMLDataEntry",
            .text(1...256),
            creq(.requiredIf(.all([ui("05"), isNotCancelled]))),
            until: .twoTwo
        ),
        Field(
            "challengeHTMLDataEntry",
            .text(1...256),
            creq(
                .requiredIf(
                    .all([
                        ui("05", "06"), isNotCancelled,
                        .not(.element("oobContinue", in: ["02"])),
                    ])
                )
            ),
            since: .twoThree
        ),
        Field(
            "challengeAddCode",
            .yes,
            creq(.allowedIf(.present("challengeAddLabel"))),
            since: .twoThree
        ),
        Field("resendChallenge", .yesOrNo, .optional([.creq], on: [.app]), until: .twoTwo),
        Field("resendChallenge", .yes, creq(.allowedIf(ui("01"))), since: .twoThree),
        Field("infoContinueIndicator", .alwaysTrue, creq(.allowedIf(ui("07"))), since: .twoThree),
        Field("oobContinue", .alwaysTrue, creq(.allowedIf(ui("04"))), until: .twoTwo),
        Field(
            "oobContinue",
            .codes(to: 2, .reserved),
            creq(
                .requiredIf(
                    .all([
                        .any([.all([ui("04"), .not(.present("challengeAddCode"))]), ui("06")]),
                        isNotCancelled,
                    ])
                )
            ),
            since: .twoThree
        ),
        Field(
            "oobAppStatus",
            .codes(to: 1, .reserved),
            creq(.allowedIf(ui("04", "06"))),
            since: .twoThree
        ),
        Field(
            "oobAppURLInd",
            .codes(to: 3, .directory),
            .required([.creq], on: [.app]),
            since: .twoThree
        ),
        Field(
            "threeDSRequestorAppURL",
            .appURL(256),
            .optional([.creq], on: [.app]),
            since: .twoTwo,
            until: .twoTwo
        ),
        Field(
            "threeDSRequestorAppURL",
            .secureURL(2048),
            creq(.requiredIf(.rule("if the SDK has one"))),
            since: .twoThree
        ),
        Field(
            "whitelistingDataEntry",
            .yesOrNo,
            creq(
                .requiredIf(.all([.present("whitelistingInfoText"), isNotCancelled]))
            ),
            since: .twoTwo,
            until: .twoTwo
        ),
        Field(
            "trustListDataEntry",
            .yesOrNo,
            creq(.requiredIf(.all([.present("trustListInfoText"), isNotCancelled]))),
            since: .twoThree
        ),
        Field(
            "deviceBindingDataEntry",
            .yesOrNo,
            creq(.requiredIf(.all([.present("deviceBindingInfoText"), isNotCancelled]))),
            since: .twoThree
        ),
    ]

    /// The counters of the secure channel.
    static let counter = Form.number(0...255, digits: 3...3)

    private static let isCancelled = Condition.rule("if the challenge was cancelled")
    private static let isNotCancelled = Condition.not(.present("challengeCancel"))
    /// A page for text or a choice.
    private static let isEntryPage = ui("01", "02", "03")
    /// Such a page, and no other action than an entry.
    ///
    /// For 2.3.1, `CombinationRule` checks this.
    private static let isEntry = Condition.all([
        isEntryPage, isNotCancelled, .not(.element("resendChallenge", in: ["Y"])),
    ])

    private static func ui(_ types: String...) -> Condition { .element("acsUiType", in: types) }

    private static func creq(_ presence: Presence) -> Use { .when(presence, [.creq], on: [.app]) }
}
