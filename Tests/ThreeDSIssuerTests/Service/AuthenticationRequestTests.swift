import Cryptography
import JOSE
import Storage
import StrictJSON
import Testing
import Transactions

@testable import ThreeDSIssuer
@testable import ThreeDSProtocol

@Suite(.onAnyStore) struct `An AReq at the service` {
    @Test func `gets the same response again`() async throws {
        let world = try await IssuerWorld()
        try await world.addCard()
        let key = try P256.PrivateKey().publicKey.jwk.written()
        let requests = [
            SampleRequest(.twoTwo, .browser),
            SampleRequest(
                .twoTwo,
                .app,
                .payment,
                [
                    "sdkEphemPubKey": String(decoding: key, as: UTF8.self),
                    "dsTransID": #""4317fdc3-ad24-5443-8000-000000000892""#,
                ]
            ),
        ]
        for request in requests {
            let first = try await world.send(request)
            let members = try JSONValue(reading: try #require(first), limits: .message)
            #expect(members["transStatus"]?.text == "C")
            #expect(try await world.send(request) == first)
        }
    }

    @Test func `gets no response that is for another directory (SEC-74)`() async throws {
        let world = try await IssuerWorld()
        try await world.addCard()
        let body = Array(SampleRequest().document.utf8)
        let first = try #require(world.service.directories.values.first)
        let sent = try #require(try await world.service.response(to: body, from: first))
        #expect(sent.outcome == "C")
        let id = try #require(DirectoryID("A000000004"))
        let range = try #require(CardRange(from: "5000050000000000", to: "5000059999999999"))
        let other = try ServedDirectory(
            #require(CardDirectory(id, ranges: [range], versionsFrom: "2.1.0", to: "2.3.1")),
            signer: JWS.Signer(.es256(P256.PrivateKey())),
            clientKeys: []
        ) { _ async throws(ServedDirectory.ResultFailure) in [] }
        let refused = try #require(try await world.service.response(to: body, from: other))
        #expect(refused.outcome == "301")
        let again = try await world.service.response(to: body, from: first)
        #expect(again?.body == sent.body)
    }

    @Test(arguments: [(ProtocolVersion.twoTwo, "301"), (.twoThree, "312")])
    func `gets an error if its identifier had other content`(
        version: ProtocolVersion,
        code: String
    ) async throws {
        let world = try await IssuerWorld()
        try await world.addCard()
        _ = try await world.send(SampleRequest(version))
        let other = SampleRequest(version, .browser, .payment, ["purchaseAmount": #""4712""#])
        #expect(try await world.answer(other)["errorCode"]?.text == code)
    }

    @Test func `has one challenge, however often it comes at the same time`() async throws {
        let world = try await IssuerWorld()
        try await world.addCard()
        let responses = try await withThrowingTaskGroup { group in
            for _ in 0..<20 { group.addTask { try await world.send(SampleRequest()) } }
            return try await group.reduce(into: Set<[UInt8]>()) { $0.insert($1 ?? []) }
        }
        #expect(responses.count == 1)
    }

    @Test func `SEC-78: is not authenticated without the verifier`() async throws {
        let world = try await IssuerWorld()
        try await world.addCard()
        world.verifier.set(isReachable: false)
        let answer = try await world.answer(SampleRequest())
        #expect(answer["transStatus"]?.text == "U")
        #expect(answer["transStatusReason"]?.text == "22")
    }

    @Test func `gets an error for a key that is not on the curve`() async throws {
        let world = try await IssuerWorld()
        try await world.addCard()
        let answer = try await world.answer(SampleRequest(.twoTwo, .app))
        #expect(answer["errorCode"]?.text == "203")
        #expect(answer["errorDetail"]?.text == "sdkEphemPubKey")
    }

    @Test func `SEC-75: gets an error for an address without TLS`() async throws {
        let world = try await IssuerWorld()
        try await world.addCard()
        let request = SampleRequest(
            .twoTwo,
            .browser,
            .payment,
            ["notificationURL": #""http://shop.example/""#]
        )
        #expect(try await world.answer(request)["errorDetail"]?.text == "notificationURL")
    }

    /// Only the ACS's own page uses the address of the notification.
    @Test(arguments: ["https://sh,op.example/", "https://shop.example/?a[]=1"])
    func `can have other addresses of any form`(_ address: String) async throws {
        let world = try await IssuerWorld()
        try await world.addCard()
        func answer(_ names: String...) async throws -> JSONValue {
            let changes = names.map { ($0, Optional("\"\(address)\"")) }
            let elements = Dictionary(uniqueKeysWithValues: changes)
            return try await world.answer(SampleRequest(.twoTwo, .browser, .payment, elements))
        }
        let refused = try await answer("notificationURL")
        #expect(refused["errorDetail"]?.text == "notificationURL")
        let accepted = try await answer("threeDSRequestorURL", "threeDSServerURL", "dsURL")
        #expect(accepted["transStatus"]?.text == "C", "\(accepted["errorDetail"]?.text ?? "")")
    }

    @Test func `is exempted up to the limits, and again after an approval`() async throws {
        let world = try await IssuerWorld {
            $0.lowValue = Currency("EUR").map { LowValueRule($0, maximumCount: 2) }
        }
        try await world.addCard()
        var number = 0
        func status(_ amount: String) async throws -> (String?, JSONValue) {
            number += 1
            let id = #""4317fdc3-ad24-5443-8000-00000000000\#(number)""#
            let answer = try await world.answer(
                SampleRequest(
                    .twoTwo,
                    .browser,
                    .payment,
                    ["purchaseAmount": #""\#(amount)""#, "dsTransID": id]
                )
            )
            return (answer["transStatus"]?.text, answer)
        }
        #expect(try await status("2000").0 == "Y")
        let second = try await status("2000")
        #expect(second.0 == "Y")
        #expect(second.1["eci"]?.text == "05")
        #expect(second.1["authenticationValue"]?.text?.count == 28)
        #expect(try await status("2000").0 == "C")
        let sdk = try await ModelSDK(
            in: world,
            .twoTwo,
            .a128GCM,
            ["dsTransID": #""4317fdc3-ad24-5443-8000-000000000099""#]
        )
        _ = try await sdk.request()
        world.verifier.approve(sdk.acsTransID)
        try await world.work()
        #expect(try await status("2000").0 == "Y")
    }

    @Test func `gets the same authentication value again, which the store does not contain`()
        async throws
    {
        let world = try await IssuerWorld {
            $0.lowValue = Currency("EUR").map { LowValueRule($0, maximumCount: 2) }
        }
        try await world.addCard()
        let request = SampleRequest(.twoTwo, .browser, .payment, ["purchaseAmount": #""2000""#])
        let first = try #require(try await world.send(request))
        let members = try JSONValue(reading: first, limits: .message)
        let value = try #require(members["authenticationValue"]?.text)
        let (authentication, stored) = try await world.database.read {
            [store = world.store] connection throws(StoreFailure) in
            let table = store.authentications(connection)
            let id = members["dsTransID"]?.text ?? ""
            guard let found = try table.authentication(ofDirectory: id) else {
                throw StoreFailure.misuse
            }
            return (found, try table.response(of: found))
        }
        for bytes in [authentication.encoded, stored.bytes] {
            #expect(bytes.firstRange(of: Array(value.utf8)) == nil)
        }
        #expect(stored.bytes.count == first.count - value.utf8.count)
        #expect(try await world.send(request) == first)
        #expect(try await IssuerWorld(restarting: world).send(request) == first)
    }

    @Test func `counts exempted payments once, also at the same time`() async throws {
        let world = try await IssuerWorld {
            $0.lowValue = Currency("EUR").map { LowValueRule($0, maximumCount: 3) }
        }
        try await world.addCard()
        let statuses = try await withThrowingTaskGroup { group in
            for number in 10..<30 {
                group.addTask {
                    let id = #""4317fdc3-ad24-5443-8000-0000000000\#(number)""#
                    let request = SampleRequest(
                        .twoTwo,
                        .browser,
                        .payment,
                        ["purchaseAmount": #""100""#, "dsTransID": id]
                    )
                    return try await world.answer(request)["transStatus"]?.text
                }
            }
            return try await group.reduce(into: [String?]()) { $0.append($1) }
        }
        #expect(statuses.count { $0 == "Y" } == 3)
        #expect(statuses.count { $0 == "C" } == LiveChallenges.maximumOfCard)
    }
}

@Suite(.onAnyStore) struct `The check of an authentication value` {
    @Test func `finds one valid use, for the card and up to the amount`() async throws {
        let world = try await IssuerWorld()
        let card = try await world.addCard()
        let sdk = try await ModelSDK(in: world)
        _ = try await sdk.request()
        world.verifier.approve(sdk.acsTransID)
        try await world.work()
        let result = try #require(world.directory.results.first)
        let text = try #require(result["authenticationValue"]?.text)
        let value = try #require(AuthenticationValue(text))
        let id = try #require(result["dsTransID"]?.text)
        let other = try #require(CardReference("card-2"))
        func verdict(
            _ units: UInt64,
            _ authorised: AuthorisedCard? = nil,
            _ dsTransID: String? = nil
        ) async throws -> CheckOutcome {
            try await world.service.outcome(
                of: ValueCheck(
                    value: value,
                    dsTransID: dsTransID ?? id,
                    card: authorised ?? .reference(card.reference),
                    amount: SampleWorld.euro(units)
                )
            )
        }
        let unknown = "4317fdc3-ad24-5443-8000-000000000892"
        #expect(try await verdict(4711, nil, unknown) == .checked(CheckResult(verdict: .unknown)))
        let wrong: [AuthorisedCard] = [
            .reference(other), .number("4000001234567800"),
        ]
        for card in wrong {
            let checked = try await verdict(4711, card)
            #expect(checked == .checked(CheckResult(verdict: .wrongCard)))
        }
        // Only a value of the card proves an approval.
        let approval = ProvedApproval(
            account: "bank/main/4711",
            transaction: try #require(world.verifier.transaction(sdk.acsTransID)),
            method: "userPIN"
        )
        func proved(_ verdict: AuthenticationValueVerdict) -> CheckOutcome {
            .checked(CheckResult(verdict: verdict, approval: approval))
        }
        #expect(try await verdict(4712) == proved(.amountExceeded))
        let number = AuthorisedCard.number(SampleRequest.number)
        #expect(try await verdict(4712, number) == proved(.amountExceeded))
        #expect(!"\(number)".contains(SampleRequest.number))
        _ = try await world.service.setBlocked(true, of: card.reference)
        #expect(try await verdict(4711) == proved(.blockedCard))
        _ = try await world.service.setBlocked(false, of: card.reference)
        #expect(try await verdict(4711) == proved(.valid))
        #expect(try await verdict(4711) == proved(.alreadyUsed))
        world.advance(seconds: 90 * 86_400)
        try await world.service.removeOld(at: world.service.clock())
        #expect(try await verdict(4711) == proved(.expired))
        world.advance(seconds: 7 * 86_400 + 1)
        try await world.service.removeOld(at: world.service.clock())
        #expect(try await verdict(4711) == .checked(CheckResult(verdict: .unknown)))
    }
}
