import Foundation
import Storage
import StoreProgram
import TestSupport
import Testing
import Verification
import VerifierWorld

@Suite struct `A SQLite store of several processes` {
    @Test(arguments: 1...10)
    func `kill -9 under load loses no reported result`(_ round: Int) async throws {
        let store = try TemporaryStore()
        let program = try RunningProgram("count", store.path, "1000000")
        let output = try program.output(atLeast: round * 1500)
        let reported = (output + (try program.kill())).reportedCounts()
        #expect(reported.count == 16)

        let database = try store.open()
        let kept = try await database.read(Tally.counts)
        for (caller, count) in reported {
            // A caller has one job in progress, which may be committed but not reported.
            #expect((count...count + 1).contains(kept[caller] ?? 0))
        }
        await database.close()
        #expect(try sqlite3(store.path, "PRAGMA integrity_check") == "ok")
    }

    @Test func `each increment of two processes counts once`() async throws {
        let store = try TemporaryStore()
        let programs = try (0..<2).map { _ in try RunningProgram("count", store.path, "100") }
        let lines = try programs.map { try $0.remainingOutput().lines }
        for caller in 0..<16 {
            let counts = lines.joined().compactMap { line in
                line.hasPrefix("\(caller) ") ? Int(line.split(separator: " ")[1]) : nil
            }
            #expect(counts.sorted() == Array(1...200))
        }
    }

    @Test func `a failed commit is reported as uncertain, and later commits succeed`()
        throws
    {
        let store = try TemporaryStore()
        let program = try RunningProgram("fill", store.path, "3000000")
        let lines = try program.remainingOutput().lines
        try #require(lines.count == 4)
        #expect(
            lines[0].hasPrefix(
                "the store failed during a commit, and the result is unknown (SQLite result code "
            )
        )
        let kept = try #require(Int(lines[1].dropFirst("kept ".count)))
        #expect(kept > 10)
        #expect(lines[2] == "found \(kept)")
        #expect(lines[3] == "found \(kept + 1)")
        #expect(try sqlite3(store.path, "SELECT count(*) FROM block") == "\(kept + 1)")
    }

    @Test func `a program collects no memory statistics of SQLite`() throws {
        let store = try TemporaryStore()
        #expect(try RunningProgram("memory", store.path).remainingOutput().lines == ["0"])
    }

    @Test(.mayMountDisks) func `a full disk is reported and loses nothing`() throws {
        let store = try TemporaryStore()
        let result = try SmallDisk.run(
            """
            cp "$1" "$1.start"
            mkdir -m 700 "$2/disk"
            mount -t tmpfs -o size=2m,mode=700 tmpfs "$2/disk"
            cp -p "$1.start" "$2/disk/store.db"
            "$3" fill "$2/disk/store.db"

            sqlite3 "$2/disk/store.db" 'PRAGMA integrity_check'
            """,
            store.path,
            store.folder.path,
            BuiltProducts.path(of: "StoreProgram")
        )
        let lines = Data(result.output.utf8).lines
        try #require(lines.count == 4, "\(result.output) \(result.errorOutput)")
        #expect(lines[0] == "the disk of the store is full (SQLite result code 13)")
        #expect(lines[2] == "found " + lines[1].dropFirst("kept ".count))
        #expect(lines[1] != "kept 0")
        #expect(lines[3] == "ok")
    }

    /// Without another process, the index of the log must be created first.
    @Test(.mayMountDisks) func `a full disk is named also by a process that opens the store`()
        throws
    {
        let store = try TemporaryStore()
        let result = try SmallDisk.run(
            """
            mkdir -m 700 "$2/disk"
            mount -t tmpfs -o size=2m,mode=700 tmpfs "$2/disk"
            cp -p "$1" "$2/disk/store.db"

            cat /dev/zero >"$2/disk/fill" 2>"$2/errors" || true
            "$3" count "$2/disk/store.db" 1 || rm "$2/disk/fill"
            "$3" count "$2/disk/store.db" 1 | wc -l
            """,
            store.path,
            store.folder.path,
            BuiltProducts.path(of: "StoreProgram")
        )
        let full = "the disk of the store is full (SQLite result code 4874)"
        #expect(result.output == "\(full)\n16\n", "\(result.errorOutput)")
    }

    @Test(.mayMountDisks) func `a decision on a full disk changes nothing`()
        async throws
    {
        let premises = try Premises(on: .sqlite)
        let bank = try await premises.begin()
        try premises.keep([try await bank.activate()])
        await bank.database.close()
        let result = try SmallDisk.run(
            """
            mkdir -m 700 "$1/disk"
            mount -t tmpfs -o size=2m,mode=700 tmpfs "$1/disk"
            cp -p "$2" "$1/disk/store"
            "$3" exhaust "$1" "$1/disk/store"
            """,
            premises.path,
            premises.store.text,
            BuiltProducts.path(of: "StoreProgram")
        )
        let lines = Data(result.output.utf8).lines
        try #require(lines.count == 3, "\(result.output) \(result.errorOutput)")
        #expect(lines[0].hasSuffix("the disk of the store is full (SQLite result code 13))"))
        #expect(lines[1...] == ["as before", "accepted"])
    }

    @Test(.mayMountDisks) func `a store on a read-only disk is refused until the disk is writable`()
        throws
    {
        let store = try TemporaryStore()
        let result = try SmallDisk.run(
            """
            mkdir -m 700 "$2/disk"
            mount -t tmpfs -o size=2m,mode=700 tmpfs "$2/disk"
            cp -p "$1" "$2/disk/store.db"
            mount -o remount,ro "$2/disk"

            "$3" count "$2/disk/store.db" 1 || ls "$2/disk"
            mount -o remount,rw "$2/disk"
            "$3" count "$2/disk/store.db" 1 | wc -l
            """,
            store.path,
            store.folder.path,
            BuiltProducts.path(of: "StoreProgram")
        )
        #expect(
            result.output == "cannot open the store for writing\nstore.db\n16\n",
            "\(result.errorOutput)"
        )
    }
}

extension Trait where Self == ConditionTrait {
    fileprivate static var mayMountDisks: Self {
        .enabled("unprivileged user namespaces are needed to mount a small disk") {
            try SmallDisk.mayBeMounted.get()
        }
    }
}
