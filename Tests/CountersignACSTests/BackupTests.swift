import Foundation
import TestSupport
import Testing

@Suite struct `countersign-acs backup` {
    private let folder: CardFolder
    private let reference: String

    init() throws {
        folder = try CardFolder()
        reference = try folder.reference()
    }

    private var target: String { folder.acs.path("copy.db") }

    @Test func `copies the store to a file that replaces it`() async throws {
        let payments = try await StoredPayments(in: folder)
        _ = try await payments.decide(1, isDelivered: true)
        await payments.close()
        let removed = try folder.reference(CardFolder.others[0])
        let content = try folder.value(
            "SELECT hex(sealed) FROM cards WHERE reference = '\(removed)'"
        )
        #expect(try folder.run("card", "remove", removed, "--yes").exitCode == 0)
        let run = try folder.run("backup", target)
        #expect(run.exitCode == 0, "\(run.errorOutput)")
        #expect(run.output == "Backed up the store to \(target), up to record 7.\n")
        #expect(try folder.acs.mode("copy.db") == 0o600)
        // Another program reads the copy, which has no erased row.
        let check = try FinishedProcess.run(
            "python3",
            [
                "-c",
                "import sqlite3, sys; print(sqlite3.connect(sys.argv[1])"
                    + ".execute('PRAGMA integrity_check').fetchone()[0])", target,
            ]
        )
        #expect(check.output == "ok\n")
        let bytes = try Data(contentsOf: URL(filePath: target))
        #expect(bytes.range(of: Data(reference.utf8)) != nil)
        let erased = stride(from: 0, to: content.count, by: 2).compactMap {
            UInt8(content.dropFirst($0).prefix(2), radix: 16)
        }
        #expect(bytes.range(of: Data(erased)) == nil)
        #expect(bytes.range(of: Data(CardFolder.marker.utf8)) == nil)

        #expect(try folder.run("card", "block", reference).exitCode == 0)
        #expect(try folder.acs.shell("rm -f acs.db-*; mv copy.db acs.db").exitCode == 0)
        #expect(try folder.run("card", "list").output.contains("\(reference)\t7899\tactive"))
        #expect(try folder.run("audit", "verify").output == "Verified: 7 records and 8 rows.\n")
    }

    @Test func `never overwrites a file`() throws {
        try folder.acs.write("x", to: "copy.db")
        try folder.run("backup", target).expectFailure(
            73,
            "\(target) already exists",
            hint: "choose another name; existing files are never overwritten"
        )
        #expect(try folder.acs.text("copy.db") == "x")
        let none = folder.acs.path("none/copy.db")
        try folder.run("backup", none).expectFailure(
            73,
            "cannot create \(none): its folder does not exist",
            hint: "create the folder with mkdir -m 700"
        )
    }

    @Test func `keeps a copy with findings, and reports them`() async throws {
        let payments = try await StoredPayments(in: folder)
        _ = try await payments.decide(1, isDelivered: true)
        await payments.close()
        try folder.attack("DELETE FROM records WHERE number = 2")
        let run = try folder.run("backup", target)
        #expect(run.exitCode == 1)
        #expect(run.output == "Backed up the store to \(target), up to record 1.\n")
        #expect(
            run.errorOutput == """
                countersign-acs: the copy is complete, but its audit has 1 finding
                hint: keep it and all earlier copies; countersign-acs audit verify lists them

                """
        )
        #expect(try folder.acs.mode("copy.db") == 0o600)
    }

    @Test func `reads keys of a descriptor once`() throws {
        let text = SampleConfiguration.replacing(#""encryption""#, with: #""descriptor:3""#)
        try folder.acs.write(text, to: "acs.json")
        let run = try folder.acs.shell("$PROGRAM backup copy.db --config acs.json 3<encryption")
        #expect(run.exitCode == 0, "\(run.errorOutput)")
    }

    @Test func `leaves PostgreSQL to its own programs`() throws {
        let text = SampleConfiguration.replacing(
            #"{"sqlite": "acs.db"}"#,
            with: #"{"postgresql": "host=/none dbname=acs"}"#
        )
        try folder.acs.write(text, to: "acs.json")
        try folder.run("backup", target).expectFailure(
            64,
            "countersign-acs cannot back up a store in PostgreSQL",
            hint: "use pg_basebackup or pg_dump"
        )
    }
}
