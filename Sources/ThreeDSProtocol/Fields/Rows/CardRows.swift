extension FieldTable {
    /// The card, and the cardholder's account with the requestor.
    static let cardRows = [
        Field("acctNumber", .cardNumber, .required([.areq])),
        Field(
            "acctType",
            .codes(to: 3, .directory),
            .when(.requiredIf(.rule("if the cardholder chose it, or in some markets")), [.areq])
        ),
        Field("acctID", .text(1...64), .optional([.areq])),
        Field("acctInfo", .object(accountRows), .optional([.areq])),
        Field(
            "cardExpiryDate",
            .date(.yearAndMonth),
            .when(.requiredIf(directoryRules), [.areq])
        ),
        Field(
            "cardSecurityCode",
            .dropped,
            .when(.requiredIf(directoryRules), [.areq]),
            since: .twoThree
        ),
        Field(
            "cardSecurityCodeStatus",
            .one(of: "Y", "N", "U"),
            .when(.requiredIf(directoryRules), [.areq, .ares]),
            since: .twoThree
        ),
        Field(
            "cardSecurityCodeStatusSource",
            .codes(to: 2, .directory),
            .when(.requiredIf(.present("cardSecurityCodeStatus")), [.areq, .ares]),
            since: .twoThree
        ),
        Field(
            "payTokenInd",
            .alwaysTrue,
            .when(.requiredIf(.rule("if the number was a token before")), [.areq])
        ),
        Field(
            "payTokenSource",
            .codes(to: 2, .directory),
            .when(.requiredIf(.element("payTokenInd", in: ["true"])), [.areq]),
            since: .twoTwo
        ),
        Field("payTokenInfo", .object(tokenRows), .optional([.areq]), since: .twoThree),
        Field(
            "taxId",
            .text(1...45),
            .when(.requiredIf(directoryRules), [.areq]),
            since: .twoThree
        ),
    ]

    /// The person, and the addresses of the bill and of the shipment.
    static let cardholderRows =
        [
            Field(
                "cardholderName",
                .text(2...45),
                .when(.requiredIf(unlessRestricted), [.areq]),
                until: .twoTwo
            ),
            Field(
                "cardholderName",
                .text(1...45),
                .when(.requiredIf(unlessRestricted), [.areq]),
                since: .twoThree
            ),
            Field("email", .mailbox(254), .when(.requiredIf(ifAvailable), [.areq])),
            Field("addrMatch", .yesOrNo, .optional([.areq], on: withDevice)),
        ]
        + ["homePhone", "mobilePhone", "workPhone"].map { name in
            Field(name, .object(phoneRows), .when(.requiredIf(ifAvailable), [.areq]))
        }
        + addressRows("bill", unlessRestricted) + addressRows("ship", ifAvailable)

    private static func addressRows(_ prefix: String, _ rule: Condition) -> [Field] {
        let country = Presence.requiredIf(.any([.present("\(prefix)AddrState"), rule]))
        return [
            Field("\(prefix)AddrCity", .text(1...50), .when(.requiredIf(rule), [.areq])),
            Field("\(prefix)AddrCountry", .country, .when(country, [.areq])),
            Field("\(prefix)AddrLine1", .text(1...50), .when(.requiredIf(rule), [.areq])),
            Field("\(prefix)AddrLine2", .text(1...50), .when(.requiredIf(ifAvailable), [.areq])),
            Field("\(prefix)AddrLine3", .text(1...50), .when(.requiredIf(ifAvailable), [.areq])),
            Field("\(prefix)AddrPostCode", .text(1...16), .when(.requiredIf(rule), [.areq])),
            Field("\(prefix)AddrState", .text(1...3), .when(.requiredIf(rule), [.areq])),
        ]
    }
}
