import StrictJSON
import Testing
import ThreeDSProtocol

@testable import ThreeDSIssuer

@Suite struct `The facts of an AReq` {
    private func facts(
        _ version: ProtocolVersion = .twoTwo,
        _ channel: DeviceChannel = .browser,
        _ category: MessageCategory = .payment,
        _ changes: [String: String?] = [:]
    ) throws -> RequestFacts {
        let message = try SampleRequest(version, channel, category, changes).message()
        return try #require(RequestFacts(message, by: IssuerSettings()))
    }

    @Test(arguments: ProtocolVersion.allCases, DeviceChannel.allCases)
    func `are version, channel and category`(
        version: ProtocolVersion,
        channel: DeviceChannel
    ) throws {
        for category in MessageCategory.allCases {
            let facts = try facts(version, channel, category)
            #expect(facts.channel == channel)
            #expect(facts.category == category)
            #expect(facts.wishes.isEmpty && !facts.wantsDecoupled)
            #expect(facts.takesPage && facts.shop != nil)
            // A shop of version 2.1.0 without a device names no amount.
            let isUnnamed = version == .twoOne && channel == .requestor
            let paid =
                isUnnamed ? .unsupported : try RequestFacts.Sum.amount(SampleWorld.euro(4711))
            #expect(facts.sum == (category == .payment ? paid : .none))
        }
    }

    @Test func `have no terms that a person cannot be shown`() throws {
        let shops = #"{"merchantList":[{"merchantNameListed":"Airline"}]}"#
        let changes: [[String: String?]] = [
            ["multiTransaction": shops],
            [
                "threeDSRequestorAuthenticationInd": #""02""#,
                "recurringInd": #"{"amountInd":"01","frequencyInd":"02"}"#,
                "recurringAmount": #""1000000000000000""#, "recurringCurrency": #""978""#,
                "recurringExponent": #""2""#,
            ],
        ]
        for change in changes {
            let message = try SampleRequest(.twoThree, .browser, .payment, change).message()
            let facts = try #require(RequestFacts(message, by: IssuerSettings()))
            #expect(facts.laterPayments == .unsupported, "\(change)")
        }
        #expect(try facts().laterPayments == .none)
        // An agreement, initiated by the shop.
        let agreement = try facts(.twoThree, .requestor, .payment, ["threeRIInd": #""12""#])
        #expect(agreement.laterPayments.payments?.series?.sum == .unstated)
    }

    @Test func `are of an AReq only`() throws {
        let other = Message(
            .creq,
            .twoTwo,
            [
                .init(name: "deviceChannel", value: .string("01")),
                .init(name: "messageCategory", value: .string("01")),
            ]
        )
        #expect(RequestFacts(other, by: IssuerSettings()) == nil)
    }

    @Test func `have the wishes of every version`() throws {
        let name = "threeDSRequestorChallengeInd"
        #expect(try facts(.twoOne, .app, .payment, [name: #""04""#]).wishes == [.mandated])
        #expect(try facts(.twoTwo, .app, .payment, [name: #""06""#]).wishes == [.dataOnly])
        #expect(try facts(.twoTwo, .app, .payment, [name: #""03""#]).wishes == [])
        #expect(
            try facts(.twoThree, .app, .payment, [name: #"["04","09"]"#]).wishes
                == [.mandated, .trustListPrompt]
        )
        #expect(
            try facts(.twoThree, .requestor, .payment, [name: #"["06"]"#]).wishes == [.dataOnly]
        )
        // Unknown elements of their version mean nothing.
        #expect(try facts(.twoTwo, .requestor, .payment, [name: #""06""#]).wishes == [])
    }

    @Test func `have the wish for a later approval since version 2.2.0`() throws {
        let name = "threeDSRequestorDecReqInd"
        let time = "threeDSRequestorDecMaxTime"
        #expect(try !facts(.twoOne, .app, .payment, [name: #""Y""#]).wantsDecoupled)
        #expect(try facts(.twoTwo, .app, .payment, [name: #""Y""#]).wantsDecoupled)
        #expect(try !facts(.twoTwo, .app, .payment, [name: #""N""#]).wantsDecoupled)
        for (text, wanted) in [("Y", true), ("B", true), ("F", false), ("N", false)] {
            let changes = [name: #""\#(text)""#, time: #""00010""#]
            #expect(
                try facts(.twoThree, .app, .payment, changes).wantsDecoupled == wanted,
                "\(text)"
            )
        }
    }

    @Test(
        arguments: [
            (#"{"sdkInterface":"01","sdkUiType":["04"]}"#, true),
            (#"{"sdkInterface":"03","sdkUiType":["01","02","03","04","05"]}"#, true),
            (#"{"sdkInterface":"02","sdkUiType":["04","05"]}"#, false),
            (#"{"sdkInterface":"01","sdkUiType":["01","02","03"]}"#, false),
        ]
    )
    func `have the pages of an app`(options: String, takesPage: Bool) throws {
        let changes = ["deviceRenderOptions": options]
        #expect(try facts(.twoTwo, .app, .payment, changes).takesPage == takesPage)
        // A browser shows every page.
        #expect(try facts(.twoTwo, .browser, .payment, changes).takesPage)
    }

    @Test func `have an amount that a transaction can have`() throws {
        let large = ["purchaseAmount": #""1000000000000000""#]
        #expect(try facts(.twoTwo, .app, .payment, large).sum == .unsupported)
        let funds = ["purchaseCurrency": #""979""#]
        #expect(try facts(.twoTwo, .app, .payment, funds).sum == .unsupported)
        let zeros = ["purchaseAmount": #""00000000000000000000000000000000000000004711""#]
        #expect(
            try facts(.twoTwo, .app, .payment, zeros).sum == .amount(SampleWorld.euro(4711))
        )
    }

    @Test func `of a payment without an amount lead to a refusal`() throws {
        // Version 2.1.0 demands no amount of a shop without a device.
        let sum = try facts(.twoOne, .requestor, .payment, ["purchaseAmount": nil]).sum
        #expect(sum == .unsupported)
    }

    @Test func `have the amount of a confirmation only with its exponent`() throws {
        let amount: [String: String?] = [
            "purchaseAmount": #""999""#, "purchaseCurrency": #""978""#,
            "purchaseDate": #""20261122180511""#, "purchaseExponent": #""2""#,
        ]
        let sum = try facts(.twoTwo, .app, .nonPayment, amount).sum
        #expect(try sum == .amount(SampleWorld.euro(999)))
        let without = amount.merging(["purchaseExponent": nil]) { $1 }
        #expect(try facts(.twoTwo, .app, .nonPayment, without).sum == .none)
    }

    @Test func `are refused by the reader with another exponent than ISO's`() throws {
        let request = SampleRequest(.twoTwo, .app, .payment, ["purchaseExponent": #""3""#])
        do throws(MessageReader.Failure) {
            _ = try MessageReader(for: .acs)
                .read(Array(request.document.utf8), as: [.areq], in: .first)
            Issue.record("accepted")
        } catch {
            guard case .fault(let fault) = error else { throw error }
            #expect(fault.code == .isoCodeInvalid)
            #expect(fault.detail == "purchaseCurrency,purchaseExponent")
        }
    }
}
