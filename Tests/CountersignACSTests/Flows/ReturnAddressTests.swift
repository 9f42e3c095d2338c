import Foundation
import ProgramTesting
import TestSupport
import Testing

/// The app of the shop names the address to which the person returns.
@Suite(.needsReferenceCheckers, .timeLimit(.minutes(5)))
struct `A purchase with an address of the shop's app` {
    private static let address = "https://shop.example/back?transID=1"

    /// Premises whose bank allows these addresses.
    private func premises(allowing addresses: String) throws -> IssuerPremises {
        let bank = try Bank()
        try bank.premises.write(#"{"returnAddresses": [\#(addresses)]}"#, to: "policy.json")
        let path = bank.premises.path("policy.json")
        let set = try bank.premises.countersignd("policy", "set", "bank", path)
        try #require(set.exitCode == 0, "\(set.errorOutput)")
        return try IssuerPremises(of: bank)
    }

    private func asked(in premises: IssuerPremises) throws -> Purchase {
        let purchase = try Purchase(in: premises)
        let overrides = ["threeDSRequestorAppURL": Self.address]
        let page = try purchase.creq("show", ["overrides": overrides])
        #expect(page.text("cres", "challengeCompletionInd") == "N", "\(page.members)")
        return purchase
    }

    @Test func `returns to it after the approval`() throws {
        let premises = try premises(allowing: #""https://*""#)
        let purchase = try asked(in: premises)
        let opened = premises.person.home.path + "/opened"
        let opener = try premises.person.program("opener", #"printf '%s' "$1" >"# + opened)
        try premises.approve("--return-opener", opener)
        #expect(try String(contentsOfFile: opened, encoding: .utf8) == Self.address)
        #expect(try purchase.result()["transStatus"] as? String == "Y")
        #expect(try purchase.creq("continue").text("cres", "transStatus") == "Y")
    }

    @Test(arguments: ["", #""https://bank.example""#])
    func `goes on without it if the policy does not allow it`(_ addresses: String) throws {
        let premises = try premises(allowing: addresses)
        let purchase = try asked(in: premises)
        try premises.approve()
        #expect(try purchase.result()["transStatus"] as? String == "Y")
        #expect(try purchase.creq("continue").text("cres", "transStatus") == "Y")
    }
}
