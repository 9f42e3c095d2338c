import Foundation
import ProgramTesting
import TestSupport
import Testing

@Suite(.needsReferenceCheckers) struct `The issuer's API of a running ACS` {
    private let premises: IssuerPremises
    private let programs: IssuerPrograms

    init() throws {
        premises = try IssuerPremises()
        programs = try IssuerPrograms(of: premises)
    }

    @Test(.needsPlainMemory) func `SEC-71: registers a card, and leaves its number nowhere`() throws
    {
        // The examples of the program have another number.
        let number = CardFolder.others[0]
        let content = #"{"number":"\#(number)","account":"bank/main/4711"}"#
        var places: [String: Int] = [:]
        func look(after call: String) throws {
            let found = try premises.memoryPlaces(of: number)
            if found > 0 { places[call] = found }
        }
        let added = try programs.send("POST", "/cards", content)
        try look(after: "a card")
        #expect(added.status == 201 && added["lastFour"] == "1118", "\(added.body)")
        let other = #"{"number":"\#(number)","account":"bank/main/4712"}"#
        #expect(try programs.send("POST", "/cards", other).status == 409)
        try look(after: "a card of another account")
        let malformed = #"{"number":\#(number),"account":"bank/main/4711"}"#
        #expect(try programs.send("POST", "/cards", malformed).status == 422)
        try look(after: "a malformed content")
        #expect(try programs.send("GET", "/cards?account=\(number)").status == 400)
        try look(after: "a query")
        #expect(places == [:])
        let (exitCode, log) = try premises.stop()
        #expect(exitCode == 0)
        let line = #""route":"POST /acs/v1/cards","outcome":"done","status":201"#
        #expect(log.contains { $0.contains(line) })
        #expect(!log.contains { $0.contains(number) })
        let files = try FinishedProcess.run(
            "grep",
            ["-rlaF", "--", number, premises.folder.path("")]
        )
        #expect(files.output == "")
    }

    @Test func `blocks the card of each purchase, and shows the last challenge`() throws {
        let purchase = try Purchase(in: premises)
        _ = try purchase.creq("show")
        let card = try #require(try programs.firstCard())
        let list = try programs.send("GET", "/challenges?state=asked&card=\(card)")
        let challenge = try #require(
            list.body.firstMatch(of: /"acsTransID":"([0-9a-f-]{36})"/)?.1
        )
        #expect(try programs.send("PUT", "/cards/\(card)/block").status == 204)
        let refused = try premises.peer.run("areq", ["card": IssuerPremises.card])
        #expect(refused.text("ares", "transStatus") == "N")
        #expect(refused.text("ares", "transStatusReason") == "12")
        // The challenge that has begun continues, and is not authenticated.
        try premises.approve()
        #expect(try purchase.result()["transStatusReason"] as? String == "12")
        let shown = try programs.send("GET", "/challenges/\(challenge)")
        #expect(shown.status == 200 && shown["status"] == "N", "\(shown.body)")
        #expect(try programs.send("DELETE", "/cards/\(card)/block").status == 204)
        _ = try Purchase(in: premises)
    }

    @Test func `SEC-77: names the approval of a value, and the verifier has its evidence`() throws {
        let purchase = try Purchase(in: premises)
        _ = try purchase.creq("show")
        try premises.approve()
        let result = try purchase.result()
        let value = try #require(result["authenticationValue"] as? String)
        let id = try #require(result["dsTransID"] as? String)
        let card = try #require(try programs.firstCard())
        let content = """
            {"value":"\(value)","dsTransID":"\(id)","card":"\(card)",\
            "amount":{"currency":"EUR","minorUnits":4711}}
            """
        let number = content.replacing(
            #""card":"\#(card)""#,
            with: #""number":"\#(IssuerPremises.card)""#
        )
        let more = number.replacing("4711", with: "4712")
        let path = "/authentication-values/check"
        #expect(try programs.send("POST", path, more)["verdict"] == "amountExceeded")
        let both = content.replacing(#""card""#, with: #""number":"4000001234567899","card""#)
        let refused = try programs.send("POST", path, both)
        #expect(refused.status == 422 && !refused.body.contains("4000001234567899"))
        let checked = try programs.send("POST", path, number)
        #expect(checked["verdict"] == "valid", "\(checked.body)")
        #expect(try programs.send("POST", path, content)["verdict"] == "alreadyUsed")
        #expect(checked.body.contains(#""method":"userPIN""#))
        let account = "bank/main/\(premises.person.account)"
        #expect(checked.body.contains(#""account":"\#(account)""#))
        let transaction = try #require(
            checked.body.firstMatch(of: /"transaction":"([0-9a-f]{32})"/)?.1
        )
        // The host does not trust the ACS: it verifies what the device signed.
        let bank = premises.person.bank.premises
        let evidence = bank.path("evidence-\(transaction).json")
        let names = ["evidence", "export", account, String(transaction), "--output", evidence]
        let exported = try bank.countersignd(names)
        #expect(exported.exitCode == 0, "\(exported.errorOutput)")
        let key = "checkpoint-\(transaction).pub"
        try bank.write(try bank.countersignd("evidence", "key").output, to: key)
        let verified = try FinishedProcess.run(
            BuiltProducts.path(of: "countersignd"),
            ["evidence", "verify", evidence, "--key", bank.path(key)]
        )
        #expect(verified.output.hasPrefix("Decision\tapproved with userPIN\n"))
        #expect(verified.output.contains("Amount\t47.11 EUR\n"), "\(verified.errorOutput)")
    }

    @Test(.timeLimit(.minutes(15)))
    func `matches its OpenAPI document in every response`() throws {
        _ = try Purchase(in: premises)
        let challenges = try programs.send("GET", "/challenges").body
        let challenge = try #require(challenges.firstMatch(of: /"acsTransID":"([0-9a-f-]{36})"/)?.1)
        let names = [
            "path.card": try #require(try programs.firstCard()),
            "path.challenge": String(challenge),
        ]
        // With existing names, and with `make prove` also with random names and more requests.
        let runs = try (Proof.isComplete ? [names, [:]] : [names]).map { names in
            try Schemathesis(
                "issuer",
                at: programs.origin,
                knowing: ["token": programs.token],
                fixing: names,
                "-n",
                Proof.isComplete ? "200" : "10"
            )
        }
        for run in runs {
            let findings = try run.findings()
            #expect(findings == nil, "\(findings ?? "")")
        }
        let (exitCode, log) = try premises.stop()
        #expect(exitCode == 0)
        #expect(!log.contains { $0.contains(#""message":"store failed""#) })
    }
}
