import Foundation
import ProgramTesting
import TestSupport
import Testing

@Suite(.enabled(if: ReferenceCheckers.areInstalled))
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
        let run = try premises.folder.run("doctor")
        #expect(run.exitCode == 0, "\(run.output)")
        for part in ["store", "verifier's API", "policy"] {
            #expect(run.output.contains("\n\(part): ok\n"), "\(run.output)")
        }
    }

    @Test func `finds a token that the verifier rejects`() throws {
        try premises.folder.write("cstk_0123456789\n", to: "verifier-token")
        try expect("verifier's API: the verifier rejects the token in ")
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
        try expect("is not trusted\n  hint: name the file of its CA certificates")
    }

    @Test func `finds a shorter timeout in the policy`() throws {
        try replace(#""approvalSeconds": 100"#, with: #""approvalSeconds": 300"#)
        try expect(
            "policy: approvalSeconds is 300, but transactionSeconds of the policy is 120\n"
        )
        try setPolicy(#"{"transactionSeconds": 300}"#)
        #expect(try premises.folder.run("doctor").exitCode == 0)
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
        #expect(none.output.contains("\npolicy: not checked: the store has no card\n"))
        #expect(try folder.add(to: "bank/main/none").exitCode == 0)
        try expect("the verifier has no account bank/main/none, which has a card\n")
    }
}
