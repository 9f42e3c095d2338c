import Foundation
import ProgramTesting
import TestSupport
import Testing

@Suite(.needsReferenceCheckers)
struct `A challenge whose device can no longer approve` {
    private let premises: IssuerPremises
    private let purchase: Purchase

    init() throws {
        premises = try IssuerPremises()
        purchase = try Purchase(in: premises, cipher: "A128GCM")
        try purchase.creq("show")
    }

    private func expectEnd(_ reason: String) throws {
        let result = try purchase.result()
        #expect(result["transStatus"] as? String == "N")
        #expect(result["transStatusReason"] as? String == reason, "\(result)")
        #expect(try purchase.creq("continue").text("cres", "transStatus") == "N")
        // The bank has no request left that waits for the person.
        #expect(try premises.person.waiting() == "")
    }

    @Test func `ends after wrong PINs for its request`() throws {
        let id = try premises.person.waiting()
        for _ in 1...5 {
            _ = try premises.person.run("approve", id, "--yes", typing: "271906")
        }
        try expectEnd("19")
    }

    @Test func `ends after wrong PINs for a login`() throws {
        try premises.person.lock()
        try expectEnd("19")
    }

    /// The device still approves, but the purchase is not authenticated.
    @Test func `ends with N if the bank has blocked the card`() throws {
        let list = try premises.folder.run("card", "list").output
        let reference = String(try #require(list.split(separator: "\t").first))
        #expect(try premises.folder.run("card", "block", reference).exitCode == 0)
        try premises.approve()
        try expectEnd("12")
    }

    @Test func `ends when the bank revokes the device`() throws {
        let person = premises.person
        try person.backend.revokeDevice(showing: try person.serviceToken())
        try expectEnd("13")
        // The next purchase is refused at once.
        let areq = try premises.peer.run("areq", ["card": IssuerPremises.card])
        #expect(areq.text("ares", "transStatus") == "N")
        #expect(areq.text("ares", "transStatusReason") == "13", "\(areq.members)")
    }
}
