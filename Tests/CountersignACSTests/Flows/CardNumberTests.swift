import Foundation
import ProgramTesting
import TestSupport
import Testing

/// Searches for the numbers of cards that were in AReqs.
@Suite(.needsReferenceCheckers, .needsPlainMemory)
struct `SEC-71: An ACS leaves no card number` {
    private static let unknown = "4000009876543219"

    private func expectNone(in premises: IssuerPremises, _ log: [String]) throws {
        for number in [IssuerPremises.card, Self.unknown] {
            for file in try premises.folder.files() where !file.hasPrefix("pki/") {
                let content = try #require(
                    FileManager.default.contents(atPath: premises.folder.path(file))
                )
                #expect(content.range(of: Data(number.utf8)) == nil, "\(file)")
            }
            #expect(!log.contains { $0.contains(number) })
        }
    }

    private func expectNoneInMemory(of premises: IssuerPremises) throws {
        // The search reads allocated memory: SQLite keeps this name there, and no argument has it.
        #expect(try premises.memoryPlaces(of: "acs.db-wal") > 0)
        for number in [IssuerPremises.card, Self.unknown] {
            #expect(try premises.memoryPlaces(of: number) == 0, "\(number)")
        }
    }

    @Test func `in files, in the log and in memory`() throws {
        let premises = try IssuerPremises()
        for channel in ["app", "browser"] {
            let purchase = try Purchase(in: premises, channel: channel)
            if channel == "app" { _ = try purchase.creq("show") }
        }
        for card in [Self.unknown, "4000001234567898"] {
            _ = try premises.peer.run("areq", ["card": card])
        }
        try expectNone(in: premises, [])
        try expectNoneInMemory(of: premises)
        let (exitCode, log) = try premises.stop()
        #expect(exitCode == 0 && log.count > 4)
        try expectNone(in: premises, log)
    }

    @Test func `after a purchase and a crash, also in core dumps and temporary files`() throws {
        let machine = try FaultyMachine()
        let premises = try IssuerPremises(on: machine)
        _ = try premises.stop()
        // A core dump would be in this folder, and so would temporary files of SQLite.
        let folder = premises.folder.path("crash")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        try premises.start(
            by: [
                "TMPDIR=\(folder)", "SQLITE_TMPDIR=\(folder)", "sh", "-c",
                #"cd "$0" && ulimit -c unlimited && exec "$@""#, folder,
            ]
        )
        _ = try premises.peer.run("areq", ["card": Self.unknown])
        let purchase = try Purchase(in: premises)
        try purchase.creq("show")
        try premises.approve()
        #expect(try purchase.result()["transStatus"] as? String == "Y")
        #expect(try purchase.creq("continue").text("cres", "transStatus") == "Y")

        #expect(try machine.writes() > 0)
        #expect(try !machine.isDumpable())
        let limits = String(decoding: try premises.processFile("limits"), as: UTF8.self)
        #expect(limits.contains(/Max core file size +0 +0/))
        for file in ["cmdline", "environ"] {
            let content = try premises.processFile(file)
            #expect(content.range(of: Data(IssuerPremises.card.utf8)) == nil)
        }
        try expectNoneInMemory(of: premises)
        // Only the level of most details has a line for it.
        let live = "http://127.0.0.1:\(premises.ports.operation)/health/live"
        #expect(try Fetching(live, []).end().status == 200)
        let log = try premises.crash(by: SIGSEGV)
        for part in [#""level":"debug""#, "POST /3ds/authentication", "POST /3ds/challenge"] {
            #expect(log.contains { $0.contains(part) }, "\(part)")
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [])
        try expectNone(in: premises, log)
    }
}
