import HTTPServer
import Storage
import StrictJSON
import Testing
import ThreeDSProtocol

@testable import ThreeDSIssuer

@Suite(.onAnyStore) struct `The cards of the issuer's API` {
    private static let cards = "/acs/v1/cards"
    private let client: IssuerClient

    init() async throws { client = try IssuerClient(try await IssuerWorld()) }

    private func register(
        _ number: String = SampleRequest.number,
        _ account: String = "bank/main/4711",
        _ others: String = ""
    ) async -> IssuerClient.Reply {
        let content = #"{"number":"\#(number)","account":"\#(account)"\#(others)}"#
        return await client.call("POST", Self.cards, content)
    }

    /// A number of the range, with its check digit.
    private static func number(_ index: Int) -> String {
        let digits = "400005\(String(1_000_000_000 + index).dropFirst())"
        let sum = digits.reversed().enumerated().reduce(0) { sum, digit in
            let value = digit.element.wholeNumberValue ?? 0
            let doubled = digit.offset.isMultiple(of: 2) ? value * 2 : value
            return sum + (doubled > 9 ? doubled - 9 : doubled)
        }
        return digits + "\((10 - sum % 10) % 10)"
    }

    @Test func `are registered, shown, blocked and removed`() async throws {
        let added = await register()
        #expect(added.status == 201, "\(added.text)")
        let reference = try #require(added["reference"] as? String)
        let path = "\(Self.cards)/\(reference)"
        #expect(added.field("location") == path)
        let text = """
            {"reference":"\(reference)","lastFour":"5556","account":"bank/main/4711",\
            "isBlocked":false}
            """
        #expect(added.text == text)
        #expect(await client.call("GET", path).text == text)
        for (method, isBlocked) in [("PUT", true), ("PUT", true), ("DELETE", false)] {
            #expect(await client.call(method, path + "/block").status == 204)
            #expect(await client.call("GET", path)["isBlocked"] as? Bool == isBlocked)
        }
        #expect(await client.call("DELETE", path).status == 204)
        for (method, end) in [("GET", ""), ("DELETE", ""), ("PUT", "/block"), ("DELETE", "/block")]
        {
            let missing = await client.call(method, path + end)
            #expect(missing.status == 404 && missing["resource"] as? String == "card")
        }
        #expect(await register()["reference"] as? String != reference)
    }

    @Test func `get the requests of a payment as soon as they are registered`() async throws {
        let unknown = try await client.world.answer(SampleRequest(.twoTwo, .browser))
        #expect(unknown["transStatus"]?.text == "N")
        _ = await register()
        let id = #""4317fdc3-ad24-5443-8000-000000000892""#
        let known = try await client.world.answer(
            SampleRequest(.twoTwo, .browser, .payment, ["dsTransID": id])
        )
        #expect(known["transStatus"]?.text == "C")
    }

    @Test func `are registered once, also if the call is repeated`() async throws {
        let first = await register()
        let repeated = await register()
        #expect(repeated.status == 200 && repeated.text == first.text)
        let other = await register(SampleRequest.number, "bank/main/4712")
        #expect(other.status == 409 && other["code"] as? String == "cardOfOtherAccount")
        #expect(other["card"] as? String == first["reference"] as? String)
        #expect(await client.call("GET", Self.cards)["cards", "account"] == nil)
    }

    @Test(
        arguments: [
            (SampleRequest.number.dropLast() + "7", "bank/main/4711", "/number badCheckDigit"),
            ("4111111111111111", "bank/main/4711", "/number outsideRanges"),
            ("4000056655665556 ", "bank/main/4711", "/number badCardNumber"),
            ("4000", "bank/main/4711", "/number badCardNumber"),
            (SampleRequest.number[...], "other/main/4711", "/account otherEnterprise"),
            (SampleRequest.number[...], "bank/main", "/account notAllowed"),
            (
                SampleRequest.number[...], "bank/main/\(SampleRequest.number)",
                "/account numberAsAccount"
            ),
            (
                SampleRequest.number[...], "bank/\(SampleRequest.number)/4711",
                "/account numberAsAccount"
            ),
            (
                SampleRequest.number[...], "bank/main/4000.0566-5566_5556",
                "/account numberAsAccount"
            ),
            (
                SampleRequest.number[...], "bank/4000-0566-5566-5556/4711",
                "/account numberAsAccount"
            ),
        ] as [(Substring, String, String)]
    )
    func `SEC-71: follow the rules of commands, and no response has a number`(
        _ number: Substring,
        _ account: String,
        _ violation: String
    ) async throws {
        let reply = await register(String(number), account)
        #expect(reply.status == 422 && reply.violations == [violation], "\(reply.text)")
        #expect(!reply.text.contains("4000") && !reply.text.contains("4111"))
        let list = await client.call("GET", Self.cards)
        #expect(list.text == #"{"cards":[]}"#)
    }

    @Test func `are counted in a list if another program changed them`() async throws {
        for index in 0..<3 { #expect(await register(Self.number(index)).status == 201) }
        let list = await client.call("GET", Self.cards)
        let references = (list["cards"] as? [[String: Any]] ?? []).compactMap {
            $0["reference"] as? String
        }
        try #require(references.count == 3)
        #expect(list["unreadable"] == nil)
        let changed = references[0]
        _ = try await client.world.database.write { connection throws(StoreFailure) in
            try connection.run(
                Statement("UPDATE cards SET sealed = $2 WHERE reference = $1"),
                [.text(changed), .bytes([1])]
            )
        }
        let rest = await client.call("GET", Self.cards)
        #expect(rest.status == 200 && rest["unreadable"] as? Int == 1, "\(rest.text)")
        #expect(!rest.text.contains(changed) && rest.text.contains(references[1]))
        let second = await client.call("GET", Self.cards + "?after=\(changed)")
        #expect(second["unreadable"] == nil)
    }

    @Test(arguments: ["zz", "0123456789ABCDEF", "0123456789abcde", "0123456789abcdef0"])
    func `are listed only after a reference`(_ text: String) async throws {
        let refused = await client.call("GET", Self.cards + "?after=\(text)")
        #expect(refused.status == 400, "\(refused.text)")
    }

    @Test func `SEC-71: no problem has a value of its request`() async throws {
        let number = SampleRequest.number
        for reply in [
            await client.call("POST", Self.cards, #"{"number":\#(number),"account":"bank/a/b"}"#),
            await client.call("POST", Self.cards, #"{"number":"x","account":"\#(number)"}"#),
            await client.call("GET", Self.cards + "?limit=\(number)"),
            await client.call("GET", Self.cards + "/\(number)"),
            await client.call("GET", Self.cards + "?account=\(number)"),
        ] {
            #expect((400..<500).contains(reply.status))
            #expect(!reply.text.contains(number), "\(reply.text)")
        }
        #expect(String(describing: RegisteredCard.self) == "RegisteredCard")
    }

    @Test func `can have no check digit`() async throws {
        let number = SampleRequest.number.dropLast() + "7"
        #expect(await register(String(number)).status == 422)
        let added = await register(String(number), "bank/main/4711", #","checkDigit":false"#)
        #expect(added.status == 201 && added["lastFour"] as? String == "5557")
    }

    @Test(arguments: ["bank/main/2", "bank%2Fmain%2F2", "bank%2fmain%2f2"])
    func `are listed by account, a page at a time`(_ account: String) async throws {
        for index in 0..<12 {
            let added = await register(Self.number(index), "bank/main/\(index % 3)")
            #expect(added.status == 201, "\(added.text)")
        }
        var (pages, next) = ([[String]](), "")
        repeat {
            let after = next.isEmpty ? "" : "&after=\(next)"
            let page = await client.call("GET", Self.cards + "?account=\(account)&limit=3\(after)")
            let cards = try #require(page["cards"] as? [[String: Any]])
            #expect(cards.allSatisfy { $0["account"] as? String == "bank/main/2" })
            pages.append(cards.compactMap { $0["reference"] as? String })
            next = page["next"] as? String ?? ""
        } while !next.isEmpty
        #expect(pages.map(\.count) == [3, 1])
        let all = pages.flatMap { $0 }
        #expect(all == all.sorted() && Set(all).count == 4)
        let list = await client.call("GET", Self.cards)
        #expect((list["cards"] as? [Any])?.count == 12 && list["next"] == nil)
        let none = await client.call("GET", Self.cards + "?account=bank/main/4")
        #expect(none.text == #"{"cards":[]}"#)
    }

    @Test func `SEC-72: keep no account in the clear`() async throws {
        _ = await register()
        let rows = try await client.world.database.read { connection throws(StoreFailure) in
            let statement = Statement("SELECT \([Column.account]) FROM cards")
            return try connection.rows(statement, []).map { row throws(StoreFailure) in
                try row.bytes(.account)
            }
        }
        #expect(rows.count == 1 && rows[0].count == 32)
    }
}
