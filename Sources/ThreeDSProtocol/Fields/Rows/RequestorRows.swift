extension FieldTable {
    /// The merchant's 3DS requestor and its 3DS server.
    static let requestorRows = [
        Field("threeDSRequestorID", .text(1...35), .required([.areq])),
        Field("threeDSRequestorName", .text(1...40), .required([.areq])),
        Field("threeDSRequestorURL", .statedURL(2048), .required([.areq])),
        Field("threeDSServerRefNumber", .text(1...32), .required([.areq, .preq])),
        Field(
            "threeDSServerOperatorID",
            .text(1...32),
            .when(.requiredIf(directoryRules), [.areq, .preq])
        ),
        Field("threeDSServerURL", .statedURL(2048), .required([.areq])),
        Field("deviceChannel", .codes(to: 3, .directory), .required([.areq])),
        Field("messageCategory", .codes(to: 2, .directory), .required([.areq, .rreq])),
        Field("dsReferenceNumber", .text(1...32), sentToACS, .required([.ares])),
        Field("dsURL", .statedURL(2048), sentToACS),
        Field("threeDSCompInd", .one(of: "Y", "N", "U"), .required([.areq], on: [.browser])),
        Field(
            "threeDSMethodId",
            .uuid,
            .when(.requiredIf(.rule("if an earlier run is reused")), [.areq], on: [.browser]),
            since: .twoThree
        ),
        Field("broadInfo", .anyObject(maximum: 4096), .optional([.areq, .ares]), until: .twoTwo),
        Field(
            "broadInfo",
            .object(broadcastRows, maximum: 4096),
            .optional([.areq, .ares]),
            since: .twoThree
        ),
    ]

    /// The wishes of the requestor, and how it authenticated the person itself.
    static let authenticationRows = [
        Field(
            "threeDSRequestorAuthenticationInd",
            .codes(to: 6, .directory),
            .required([.areq], on: withDevice),
            until: .twoTwo
        ),
        Field(
            "threeDSRequestorAuthenticationInd",
            .codes(to: 10, .directory),
            .required([.areq], on: withDevice),
            since: .twoThree
        ),
        Field(
            "threeDSRequestorAuthenticationInfo",
            .object(authenticationInfoRows),
            .optional([.areq], on: withDevice),
            until: .twoTwo
        ),
        Field(
            "threeDSRequestorAuthenticationInfo",
            .array(.object(authenticationInfoRows), 1...3),
            .optional([.areq]),
            since: .twoThree
        ),
        Field(
            "threeDSReqAuthMethodInd",
            .codes(to: 3, .directory),
            .when(.requiredIf(directoryRules), [.areq], on: withDevice),
            since: .twoTwo,
            until: .twoTwo
        ),
        Field(
            "threeDSRequestorChallengeInd",
            .codes(to: 4, .directory),
            .optional([.areq], on: withDevice),
            until: .twoOne
        ),
        Field(
            "threeDSRequestorChallengeInd",
            .codes(to: 9, .directory),
            .optional([.areq], on: withDevice),
            since: .twoTwo,
            until: .twoTwo
        ),
        Field(
            "threeDSRequestorChallengeInd",
            .array(.codes(to: 14, .directory), 1...2),
            .optional([.areq]),
            since: .twoThree
        ),
        Field(
            "threeDSRequestorDecMaxTime",
            .number(1...10080, digits: 1...5),
            .optional([.areq]),
            since: .twoTwo,
            until: .twoTwo
        ),
        Field(
            "threeDSRequestorDecMaxTime",
            .number(1...10080, digits: 5...5),
            .when(
                .requiredIf(.element("threeDSRequestorDecReqInd", in: ["Y", "F", "B"])),
                [.areq]
            ),
            since: .twoThree
        ),
        Field(
            "threeDSRequestorDecReqInd",
            .yesOrNo,
            .optional([.areq]),
            since: .twoTwo,
            until: .twoTwo
        ),
        Field(
            "threeDSRequestorDecReqInd",
            .one(of: "Y", "N", "F", "B"),
            .optional([.areq]),
            since: .twoThree
        ),
        Field(
            "threeDSRequestorPriorAuthenticationInfo",
            .object(priorAuthenticationRows),
            .optional([.areq]),
            until: .twoTwo
        ),
        Field(
            "threeDSRequestorPriorAuthenticationInfo",
            .array(.object(priorAuthenticationRows), 1...3),
            .when(
                .requiredIf(
                    .any([
                        .element("threeRIInd", in: ["19"]),
                        .rule("the request follows an authentication by SPC"),
                    ])
                ),
                [.areq]
            ),
            since: .twoThree
        ),
        Field(
            "threeDSRequestorSpcSupport",
            .yes,
            .when(.requiredIf(.rule("if it is supported")), [.areq], on: [.browser]),
            since: .twoThree
        ),
        Field(
            "spcIncompInd",
            .codes(to: 3, .reserved),
            .when(.requiredIf(.rule("if SPC failed")), [.areq], on: [.browser]),
            since: .twoThree
        ),
        Field(
            "threeRIInd",
            .codes(to: 5, .directory),
            .required([.areq], on: [.requestor]),
            until: .twoOne
        ),
        Field(
            "threeRIInd",
            .codes(to: 11, .directory),
            .required([.areq], on: [.requestor]),
            since: .twoTwo,
            until: .twoTwo
        ),
        Field(
            "threeRIInd",
            .codes(to: 19, .directory),
            .required([.areq], on: [.requestor]),
            since: .twoThree
        ),
        Field(
            "whiteListStatus",
            .yesOrNo,
            .optional([.areq]),
            since: .twoTwo,
            until: .twoTwo
        ),
        Field("trustListStatus", .yesOrNo, .optional([.areq]), since: .twoThree),
    ]

    static let withDevice: [DeviceChannel] = [.app, .browser]
    static let sentToACS = Use.when(.conditional(.sentTo(.acs)), [.areq])
}
