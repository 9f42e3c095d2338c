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

    @Test func `is an end of the trail that was cut with all that it states`() throws {
        let earlier = try folder.value("SELECT hex(sealed) FROM cards")
        #expect(try folder.run("card", "block", reference).exitCode == 0)
        #expect(try folder.run("card", "list").output.contains("\tblocked\t"))
        let exported = try folder.run("audit", "list", "--after", "1").output
        #expect(exported.contains("\tcardBlocked\t"))
        try folder.attack(
            "UPDATE cards SET sealed = x'\(earlier)'; DELETE FROM records WHERE number = 2"
        )
        #expect(try folder.run("card", "list").output.contains("\tactive\t"))
        #expect(try folder.run("audit", "verify").output == "Verified: 1 record and 6 rows.\n")
    }

    @Test func `is a removed check with its key, because it has no record`() throws {
        try folder.attack("INSERT INTO checks VALUES ('a', 1, 1, x'01')")
        #expect(try folder.run("audit", "verify").exitCode == 1)
        try folder.attack("DELETE FROM checks")
        #expect(try folder.run("audit", "verify").output == "Verified: 1 record and 6 rows.\n")
    }
}
