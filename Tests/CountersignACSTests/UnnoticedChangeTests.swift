import Foundation
import TestSupport
import Testing

/// The limits of the protection against a writer to the database, as the threat model has them.
@Suite struct `A change of the database that no command finds` {
    private let folder: CardFolder
    private let reference: String

    init() throws {
        folder = try CardFolder()
        reference = try folder.reference()
    }

    @Test func `is an earlier content of the same card, which is then not blocked`() throws {
        let earlier = try folder.value("SELECT hex(sealed) FROM cards")
        #expect(try folder.run("card", "block", reference).exitCode == 0)
        #expect(try folder.run("card", "list").output.contains("\tblocked\t"))
        try folder.attack("UPDATE cards SET sealed = x'\(earlier)'")
        #expect(try folder.run("card", "list").output.contains("\tactive\t"))
        #expect(try folder.run("audit", "verify").output == "Verified: 0 records and 6 rows.\n")
    }

    @Test func `is a removed card, or a removed authentication`() async throws {
        let payments = try await StoredPayments(in: folder)
        let removed = try await payments.decide(1, isDelivered: true)
        let kept = try await payments.decide(2, isDelivered: true)
        await payments.close()
        let before = try folder.run("audit", "verify")
        #expect(before.output == "Verified: 8 records and 10 rows.\n")
        try folder.attack("DELETE FROM cards; DELETE FROM authentications WHERE id = '\(removed)'")
        let after = try folder.run("audit", "verify")
        #expect(after.output == "Verified: 8 records and 8 rows.\n")
        // Its records are still there.
        let records = try folder.run("audit", "list", "--authentication", removed)
        #expect(records.output.split(separator: "\n").count == 4)
        #expect(try folder.run("challenge", "show", removed).exitCode == 66)
        #expect(try folder.run("challenge", "show", kept).exitCode == 0)
    }
}
