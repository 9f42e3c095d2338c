import ProgramTesting
import TestSupport
import Testing

@Suite struct `The store of another program` {
    private let folder: CardFolder

    init() throws { folder = try CardFolder() }

    private func expectForeign() throws {
        try folder.run("card", "list").expectFailure(
            65,
            "the store \(folder.acs.path("acs.db")) is not a store of an ACS, or has other tables, "
                + "indexes or triggers",
            hint: "check the member store in the configuration; remove what another program added"
        )
    }

    /// Replaces a store by a copy of another one.
    private func copy(_ store: String, to target: String) throws {
        let copied = try folder.acs.shell(
            """
            rm -f \(target) \(target)-*
            sqlite3 \(store) "VACUUM INTO '\(target)'"
            chmod 600 \(target)
            """
        )
        try #require(copied.exitCode == 0, "\(copied.errorOutput)")
    }

    @Test func `is not taken for a store of a newer release`() throws {
        let verifier = try Premises.initialized()
        try copy(verifier.store, to: folder.acs.path("acs.db"))
        try expectForeign()
        #expect(try folder.acs.files().filter { $0.hasPrefix("acs.db") } == ["acs.db"])
    }

    @Test func `is not taken for a store of an older release`() throws {
        let verifier = try Premises.initialized()
        try copy(folder.acs.path("acs.db"), to: verifier.store)
        for command in [["account", "show", "bank/main/1"], ["run"], ["doctor"]] {
            let refused = try verifier.countersignd(command)
            let report = refused.output + refused.errorOutput
            #expect(refused.exitCode == (command == ["doctor"] ? 1 : 65), "\(report)")
            #expect(report.contains("is not a store of a verifier"), "\(report)")
        }
    }

    @Test func `is not an empty file, and not a newer store of an ACS`() throws {
        try folder.attack("PRAGMA user_version = 99")
        try folder.run("card", "list").expectFailure(
            65,
            "a newer release made the store \(folder.acs.path("acs.db")), in version 99",
            hint: "upgrade this countersign-acs"
        )
        #expect(try folder.acs.shell("rm acs.db-* || true; : >acs.db").exitCode == 0)
        try expectForeign()
    }

    @Test func `is not one that its owner cannot write`() throws {
        try folder.acs.setMode(0o400, of: folder.acs.path("acs.db"))
        try folder.run("card", "list").expectFailure(
            77,
            "cannot open the store \(folder.acs.path("acs.db")) for writing",
            hint:
                "run this as the owner of the file, and check its permissions and those of its folder; "
                + "its disk must be writable"
        )
    }
}
