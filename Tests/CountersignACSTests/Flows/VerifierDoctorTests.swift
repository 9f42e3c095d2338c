import Foundation
import ProgramTesting
import TestSupport
import Testing

@Suite(.needsReferenceCheckers)
struct `countersign-acs doctor with a verifier` {
    private let premises: IssuerPremises
    private var bank: Bank { premises.person.bank }

    init() throws {
        premises = try IssuerPremises(of: try Bank())
    }

    /// Expects exactly one problem, in this part.
    private func expect(_ problem: String, _ location: SourceLocation = #_sourceLocation) throws {
        let run = try premises.folder.run("doctor")
        #expect(run.exitCode == 1, sourceLocation: location)
        #expect(run.output.contains(problem), "\(run.output)", sourceLocation: location)
        let count = "countersign-acs: found 1 problem\n"
        #expect(run.errorOutput == count, "\(run.output)", sourceLocation: location)
    }

    private func replace(_ old: String, with new: String) throws {
        let text = try premises.folder.text("acs.json")
        try #require(text.contains(old))
        try premises.folder.write(text.replacing(old, with: new), to: "acs.json")
    }

    private func setToken(_ role: String) throws {
        let token = try bank.premises.token("other-\(role)", role)
        try premises.folder.write(token + "\n", to: "verifier-token")
    }

    private func setPolicy(_ policy: String) throws {
        try bank.premises.write(policy, to: "policy.json")
        let path = bank.premises.path("policy.json")
        let set = try bank.premises.countersignd("policy", "set", "bank", path)
        try #require(set.exitCode == 0, "\(set.errorOutput)")
    }

    @Test func `finds no problem`() throws {
        try setPolicy(#"{"transactionSeconds": 300}"#)
        let run = try premises.folder.run("doctor")
        #expect(run.exitCode == 0, "\(run.output)")
        for part in ["certificates", "store", "verifier's API", "policy"] {
            #expect(run.output.contains("\n\(part): ok\n"), "\(run.output)")
        }
        #expect(run.output.contains("\naccounts: ok, 1 active card\n"), "\(run.output)")
    }

    @Test func `finds a token that the verifier rejects`() throws {
        try premises.folder.write("cstk_0123456789\n", to: "verifier-token")
        try expect("verifier's API: the verifier rejects the token in ")
        // The first token can still exist, so its name cannot be used again.
        let create = "countersignd token create NAME cards --enterprise bank"
        try expect("hint: create a new one with \(create)")
    }

    @Test(arguments: ["issuer", "auditor", "codeDelivery"])
    func `finds a token of another role`(_ role: String) throws {
        try setToken(role)
        try expect(" has another role than cards\n")
    }

    @Test func `finds an enterprise that does not exist`() throws {
        try replace(#""enterprise": "bank""#, with: #""enterprise": "other""#)
        try expect("the verifier has no enterprise other, or the token is for another one\n")
    }

    @Test func `finds a certificate that it does not trust`() throws {
        let authority = try Certificates.shared.get().path(.authority)
        try replace(authority, with: premises.folder.path("pki/ca.pem"))
        try expect(
            "is not trusted\n  hint: check that it has not expired, that it has this name, and"
        )
    }

    @Test func `finds a certificate that it does not trust in the log`() throws {
        let authority = try Certificates.shared.get().path(.authority)
        try replace(authority, with: premises.folder.path("pki/ca.pem"))
        _ = try premises.stop()
        try premises.start()
        let areq = try premises.peer.run("areq", ["card": IssuerPremises.card])
        #expect(areq.text("ares", "transStatus") == "U", "\(areq.members)")
        let reason = #""reason":"the certificate of the verifier is not trusted""#
        #expect(try premises.stop().log.contains { $0.contains(reason) })
    }

    @Test func `finds that its origin is the address for devices`() throws {
        let separate = try Bank(preparing: { try $0.serveBank(to: nil) })
        try replace(bank.origin, with: separate.origin)
        try expect(
            " is not one of the bank's API\n  hint: check that verifier.origin is the address"
        )
    }

    @Test func `finds that the verifier demands a client certificate, which purchases then show`()
        throws
    {
        let port = try freePort()
        try bank.restart { try bank.premises.serveBank(at: port) }
        try replace(bank.origin, with: "https://localhost:\(port)")
        try expect("; if the verifier has bank.tls.clientAuthorities, set verifier.certificate\n")
        let token = #""token": "verifier-token","#
        let client = #""certificate": "client.pem", "key": "client.pem","#
        try replace(token, with: token + client)
        try useClient(.foreignClient)
        try expect("; check that bank.tls.clientAuthorities has the CA of verifier.certificate\n")
        try useClient(.client)
        let run = try premises.folder.run("doctor")
        #expect(run.exitCode == 0, "\(run.output)")
        _ = try premises.stop()
        try premises.start()
        let purchase = try Purchase(in: premises)
        try purchase.creq("show")
        try premises.approve()
        #expect(try purchase.result()["transStatus"] as? String == "Y")
    }

    private func useClient(_ name: Certificates.Name) throws {
        let path = try Certificates.shared.get().path(name)
        let text = try String(contentsOfFile: path, encoding: .utf8)
        try premises.folder.write(text, to: "client.pem")
    }

    @Test func `notes a shorter timeout in the policy`() throws {
        try replace(#""approvalSeconds": 100"#, with: #""approvalSeconds": 300"#)
        let short = try premises.folder.run("doctor")
        let note = "policy: ok, but transactionSeconds is 120: approvals never have the 300 of "
        #expect(short.exitCode == 0 && short.output.contains(note), "\(short.output)")
    }

    @Test func `notes a policy that leaves a shopper little time`() throws {
        let short = try premises.folder.run("doctor")
        let note = "policy: ok, but transactionSeconds is 120: 300 give a shopper more time\n"
        #expect(short.exitCode == 0 && short.output.contains(note), "\(short.output)")
        try setPolicy(#"{"transactionSeconds": 300}"#)
        #expect(try premises.folder.run("doctor").output.contains("policy: ok\n"))
    }

    @Test func `finds a field that no card payment has`() throws {
        let known = #"{"context": "payment", "labels": ["Card", "At the shop's clock"]}"#
        try setPolicy(#"{"requiredFields": [\#(known)]}"#)
        #expect(try premises.folder.run("doctor").exitCode == 0)
        try setPolicy(
            #"{"requiredFields": [{"context": "payment", "labels": ["Card", "Purpose"]}]}"#
        )
        try expect("policy: the policy requires the field Purpose, which a card payment does not")
    }

    @Test func `finds an account that does not exist`() throws {
        let folder = CardFolder(of: premises.folder)
        let cards = try premises.folder.run("card", "list").output
        let reference = String(try #require(cards.split(separator: "\t").first))
        #expect(try premises.folder.run("card", "remove", reference, "--yes").exitCode == 0)
        let none = try premises.folder.run("doctor")
        #expect(none.exitCode == 0, "\(none.output)")
        #expect(none.output.contains("\naccounts: not checked: no card is active\n"))
        #expect(none.output.contains("\npolicy: not checked: no card is active\n"))
        let unknown = try folder.reference(CardFolder.others[0], "bank/main/none")
        try expect(
            "accounts: the verifier does not have the account of 1 of 1 active card: bank/main/none of "
                + "the card \(unknown)\n  hint: create the account, or remove the card with"
        )
    }

    /// A person of another enterprise can have an account with the same id.
    @Test func `finds cards of another enterprise, which get no challenge`() throws {
        let account = "bank/main/\(premises.person.account)"
        try replace(#""enterprise": "bank""#, with: #""enterprise": "careful""#)
        let reach = ["--enterprise", "careful"]
        let token = try bank.premises.token("careful", "cards", reaching: reach)
        try premises.folder.write(token + "\n", to: "verifier-token")
        _ = try premises.person.bank.newAccount(premises.person.account, at: "careful")
        try expect(
            "accounts: the enterprise careful does not have the account of 1 of 1 active card: "
                + "\(account) of the card "
        )
        try expect("\n  hint: check the member enterprise\n")
        _ = try premises.stop()
        try premises.start()
        let areq = try premises.peer.run("areq", ["card": IssuerPremises.card])
        #expect(areq.text("ares", "transStatus") == "U", "\(areq.members)")
        let reason = #""reason":"the account is one of another enterprise""#
        let line = try #require(try premises.stop().log.first { $0.contains(reason) })
        #expect(line.contains(#""card":""#), "\(line)")
    }

    @Test func `checks the accounts of all active cards, up to a bound`() throws {
        let folder = CardFolder(of: premises.folder)
        let rows = (0..<1040).map { index in
            let number = "400000" + String(String(10_000_000_000 + index).dropFirst())
            return "\(number),bank/main/x\(index % 40)\n"
        }
        try premises.folder.write("card,account\n" + rows.joined(), to: "cards.csv")
        let file = premises.folder.path("cards.csv")
        let load = try premises.folder.run("load", file, "--no-check-digit")
        try #require(load.exitCode == 0, "\(load.errorOutput)")
        try expect("accounts: the verifier does not have the account of ")
        try setKnown((0..<40).map { "bank/main/x\($0)" })
        let all = try premises.folder.run("doctor")
        #expect(all.exitCode == 0, "\(all.output)")
        let part = "accounts: ok, 1000 active cards of the first 1000 cards\n"
        #expect(all.output.contains("\n\(part)"), "\(all.output)")
        // A blocked card needs no account.
        let blocked = try folder.reference(CardFolder.others[0], "bank/main/none")
        let isFirst = try folder.value(
            "SELECT count(*) FROM cards WHERE reference < '\(blocked)'"
        )
        if (Int(isFirst) ?? 0) < 1000 {
            try expect("1 of 1000 active cards: bank/main/none of the card \(blocked)\n")
        }
        #expect(try premises.folder.run("card", "block", blocked).exitCode == 0)
        #expect(try premises.folder.run("doctor").exitCode == 0)
    }

    private func setKnown(_ accounts: [String]) throws {
        for account in accounts {
            let added = try bank.premises.countersignd("account", "add", account)
            try #require(added.exitCode == 0, "\(added.errorOutput)")
        }
    }

    @Test func `finds the card of a call that the verifier refused in the log`() throws {
        let folder = CardFolder(of: premises.folder)
        let number = CardFolder.others[0]
        let reference = try folder.reference(number, "bank/main/none")
        let areq = try premises.peer.run("areq", ["card": number])
        #expect(areq.text("ares", "transStatus") == "U", "\(areq.members)")
        let (_, log) = try premises.stop()
        let line = try #require(log.first { $0.contains(#""message":"verifier failed""#) })
        #expect(line.contains(#""reason":"the verifier refused the call: notFound""#))
        #expect(line.contains(#""card":"\#(reference)""#), "\(line)")
        #expect(!log.contains { $0.contains("none") || $0.contains(number) })
    }
}
