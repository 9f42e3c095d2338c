extension FieldTable {
    /// The card ranges of a directory server, and the versions that each supports.
    static let cardRangeRows = [
        Field("serialNum", .text(1...20), .optional([.preq])),
        Field("serialNum", .text(1...20), .optional([.pres]), until: .twoTwo),
        Field(
            "serialNum",
            .text(1...20),
            .when(.allowedIf(.not(.present("cardRangeDataFileURL"))), [.pres]),
            since: .twoThree
        ),
        Field("dsStartProtocolVersion", .version, .required([.pres]), until: .twoTwo),
        Field("dsEndProtocolVersion", .version, .required([.pres]), until: .twoTwo),
        Field("cardRangeData", ranges(rangeRows), .optional([.pres]), until: .twoTwo),
        Field(
            "cardRangeData",
            ranges(rangeGroupRows),
            .when(.allowedIf(.not(.present("cardRangeDataFileURL"))), [.pres]),
            since: .twoThree
        ),
        Field("cardRangeDataFileURL", .url(2048), .optional([.pres]), since: .twoThree),
        Field("cardRangeDataDownloadInd", .yes, .optional([.preq]), since: .twoThree),
        Field(
            "dsProtocolVersions",
            .array(.version, 1...10),
            .required([.pres]),
            since: .twoThree
        ),
        Field(
            "dsUrlList",
            .array(
                .object([
                    Field("threeDSServerToDsUrl", .url(2048), .required),
                    Field("dsCountryCode", .country, .optional),
                ]),
                1...99
            ),
            .optional([.pres]),
            since: .twoThree
        ),
        Field("readOrder", .codes(to: 2, .directory), .required([.pres]), since: .twoThree),
    ]

    /// The limits of a PRes have space for so many ranges of 335 bytes and 20 values.
    private static func ranges(_ rows: [Field]) -> Form { .array(.object(rows), 1...50_000) }

    private static let rangeRows = [
        Field("startRange", .digits(13...19), .required),
        Field("endRange", .digits(13...19), .required),
        Field("actionInd", .one(of: "A", "D", "M"), .optional),
        Field("acsStartProtocolVersion", .version, .required),
        Field("acsEndProtocolVersion", .version, .required),
        Field("dsStartProtocolVersion", .version, .optional),
        Field("dsEndProtocolVersion", .version, .optional),
        Field("threeDSMethodURL", .url(256), .optional),
        Field("acsInfoInd", .array(.codes(to: 4, .directory), 1...99), .optional, since: .twoTwo),
    ]

    private static let rangeGroupRows = [
        Field(
            "ranges",
            .array(
                .object([
                    Field("start", .digits(13...19), .required),
                    Field("end", .digits(13...19), .required),
                ]),
                1...5000
            ),
            .required
        ),
        Field("actionInd", .one(of: "A", "D", "M"), .optional),
        Field("issuerCountryCode", .country, .optional),
        Field("dsProtocolVersions", .array(.version, 1...10), .optional),
        Field(
            "acsProtocolVersions",
            .array(
                .object([
                    Field("version", .version, .required),
                    Field("acsInfoInd", .array(.codes(to: 11, .directory), 1...99), .optional),
                    Field("threeDSMethodURL", .url(2048), .optional),
                    Field(
                        "supportedMsgExt",
                        .array(
                            .object([
                                Field("id", .text(14...14), .required),
                                Field("version", .text(3...3), .required),
                            ]),
                            1...15
                        ),
                        .optional
                    ),
                ]),
                1...10
            ),
            .required
        ),
    ]
}
