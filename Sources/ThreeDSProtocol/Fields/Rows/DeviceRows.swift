extension FieldTable {
    static let browserRows =
        [
            Field("browserAcceptHeader", .text(1...2048), .required([.areq], on: [.browser])),
            Field("browserUserAgent", .text(1...2048), .required([.areq], on: [.browser])),
            Field(
                "browserIP",
                .ipAddress,
                .when(.requiredIf(unlessRestricted), [.areq], on: [.browser])
            ),
            Field(
                "browserJavascriptEnabled",
                .boolean,
                .required([.areq], on: [.browser]),
                since: .twoTwo
            ),
            Field(
                "browserLanguage",
                .text(1...8),
                .required([.areq], on: [.browser]),
                until: .twoTwo
            ),
            Field("browserLanguage", .text(1...35), ifScripts, since: .twoThree),
            Field(
                "acceptLanguage",
                .array(.text(1...100), 1...99),
                .required([.areq], on: [.browser]),
                since: .twoThree
            ),
            Field(
                "deviceId",
                .text(1...64),
                .when(.requiredIf(.rule("if it is available")), [.areq], on: [.browser]),
                since: .twoThree
            ),
            Field(
                "userId",
                .text(1...64),
                .when(.requiredIf(.rule("if it is available")), [.areq], on: [.browser]),
                since: .twoThree
            ),
            Field("notificationURL", .url(256), .required([.areq], on: [.browser])),
            Field(
                "browserColorDepth",
                .one(of: "1", "4", "8", "15", "16", "24", "32", "48"),
                .required([.areq], on: [.browser]),
                until: .twoOne
            ),
            Field(
                "browserColorDepth",
                .one(of: "1", "4", "8", "15", "16", "24", "32", "48"),
                ifScripts,
                since: .twoTwo,
                until: .twoTwo
            ),
            Field(
                "browserColorDepth",
                .number(1...99, digits: 1...2),
                ifScripts,
                since: .twoThree
            ),
        ]
        + [
            ("browserJavaEnabled", Form.boolean), ("browserScreenHeight", .digits(1...6)),
            ("browserScreenWidth", .digits(1...6)), ("browserTZ", .timeZoneOffset),
        ].flatMap { name, form in
            [
                Field(name, form, .required([.areq], on: [.browser]), until: .twoOne),
                Field(name, form, ifScripts, since: .twoTwo),
            ]
        }

    private static let ifScripts = Use.when(
        .requiredIf(.element("browserJavascriptEnabled", in: ["true"])),
        [.areq],
        on: [.browser]
    )

    static let appRows = [
        Field("sdkAppID", .uuid, .required([.areq], on: [.app])),
        Field(
            "sdkEncData",
            .text(1...64_000),
            .when(.conditional(.sentTo(.directory)), [.areq], on: [.app])
        ),
        Field(
            "deviceInfo",
            .base64URL(1...64_000),
            .when(.conditional(.sentTo(.acs)), [.areq], on: [.app])
        ),
        Field("sdkEphemPubKey", .object(keyRows, maximum: 256), .required([.areq], on: [.app])),
        Field("sdkMaxTimeout", .number(5...99, digits: 2...2), .required([.areq], on: [.app])),
        Field("sdkReferenceNumber", .text(1...32), .required([.areq], on: [.app])),
        Field("deviceRenderOptions", .object(renderRows), .required([.areq], on: [.app])),
        Field(
            "sdkType",
            .codes(to: 2, .directory),
            .required([.areq], on: [.app]),
            since: .twoThree
        ),
        Field(
            "defaultSdkType",
            .object([
                Field("sdkVariant", .codes(to: 1, .directory), .required),
                Field("wrappedInd", .yes, .optional),
            ]),
            .when(.requiredIf(.element("sdkType", in: ["01"])), [.areq], on: [.app]),
            since: .twoThree
        ),
        Field(
            "splitSdkType",
            .object([
                Field("sdkVariant", .codes(to: 3, .directory), .required),
                Field("limitedInd", .yes, .optional),
            ]),
            .when(.requiredIf(.element("sdkType", in: ["02"])), [.areq], on: [.app]),
            since: .twoThree
        ),
        Field(
            "sdkServerSignedContent",
            .compactJWS(nil),
            .when(.requiredIf(.element("sdkType", in: ["02"])), [.areq], on: [.app]),
            since: .twoThree
        ),
        Field(
            "appIp",
            .ipAddress,
            .when(.requiredIf(unlessRestricted), [.areq], on: [.app]),
            since: .twoThree
        ),
    ]
}
