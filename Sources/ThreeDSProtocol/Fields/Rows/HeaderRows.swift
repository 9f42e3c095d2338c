extension FieldTable {
    /// Type, version, identifiers and extensions.
    static let headerRows = [
        Field("messageType", .text(4...4), .required(MessageType.allCases)),
        Field("messageVersion", .version, .required(MessageType.allCases)),
        Field(
            "threeDSServerTransID",
            .uuid,
            .required(exchanges),
            .when(.requiredIf(.rule("if it is known")), [.erro])
        ),
        Field(
            "acsTransID",
            .uuid,
            .required([.ares, .creq, .cres, .rreq, .rres]),
            .when(.requiredIf(.rule("if it is known")), [.erro])
        ),
        Field(
            "dsTransID",
            .uuid,
            .when(.conditional(.sentTo(.acs)), [.areq]),
            .required([.ares, .rreq, .rres, .pres]),
            .when(.requiredIf(.rule("if it is known")), [.erro])
        ),
        Field(
            "sdkTransID",
            .uuid,
            .required([.areq, .ares, .creq, .cres], on: [.app]),
            .optional([.rreq, .rres], on: [.app]),
            .when(.requiredIf(.rule("if it is known")), [.erro]),
            until: .twoOne,
            source: .memory
        ),
        Field(
            "sdkTransID",
            .uuid,
            .required([.areq, .ares, .creq, .cres, .rreq, .rres], on: [.app]),
            .when(.requiredIf(.rule("if it is known")), [.erro]),
            since: .twoTwo
        ),
        Field(
            "messageExtension",
            .array(.object(extensionRows), 1...10, maximum: 81_920),
            .when(.requiredIf(directoryRules), exchanges),
            until: .twoTwo
        ),
        Field(
            "messageExtension",
            .array(.object(extensionRows), 1...15, maximum: 81_920),
            .when(.requiredIf(directoryRules), exchanges),
            since: .twoThree
        ),
    ]

    private static let exchanges = MessageType.allCases.filter { $0 != .erro }

    private static let extensionRows = [
        Field("name", .text(1...64), .required),
        Field("id", .text(1...64), .required),
        Field("criticalityIndicator", .boolean, .required),
        Field("data", .anyObject(maximum: 8059), .required),
    ]

    static let directoryRules = Condition.rule("by the rules of the directory server")
    static let unlessRestricted = Condition.rule("unless a market or regional rule forbids it")
    static let ifAvailable = Condition.rule(
        "if it is available, unless a market or regional rule forbids it"
    )
}

extension FieldTable {
    /// The Erro of an SDK or an ACS, as a result repeats it.
    static let reportedErrorRows =
        [
            Field("messageType", .one(of: "Erro"), .required),
            Field("messageVersion", .version, .required),
            Field("errorCode", .text(3...3), .required),
            Field("errorComponent", .one(of: "C", "S", "D", "A"), .required),
            Field("errorDescription", .text(1...2048), .required),
            Field("errorDetail", .text(1...2048), .required),
            Field("errorMessageType", .text(4...4), .optional),
        ]
        + ["threeDSServerTransID", "acsTransID", "dsTransID", "sdkTransID"].map { name in
            Field(name, .uuid, .optional)
        }

    static let errorRows = [
        Field("errorCode", .text(3...3), .required([.erro])),
        Field("errorComponent", .one(of: "C", "S", "D", "A"), .required([.erro])),
        Field("errorDescription", .text(1...2048), .required([.erro])),
        Field("errorDetail", .text(1...2048), .required([.erro])),
        Field(
            "errorMessageType",
            .text(4...4),
            .when(.requiredIf(.rule("if the type was recognisable")), [.erro])
        ),
    ]
}
