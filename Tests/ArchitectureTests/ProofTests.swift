import Foundation
import Testing

/// Tests that repeat more in `make prove` are worth nothing if it does not run them.
@Suite struct `Tests with a complete form` {
    /// They decide how much a test repeats, without tests of their own.
    private let helpers: Set = [
        "StoreTesting/EveryStore", "TestSupport/Proof", "VerificationTests/Proof/Rounds",
    ]

    private func isRun(_ file: String, by makefile: String) throws -> Bool {
        let filter = try #require(
            makefile.firstMatch(of: /intense_tests := \/\(([A-Za-z|]+)\)\\\.swift/)
        )
        return filter.1.split(separator: "|").contains { file.hasSuffix("/\($0)") }
    }

    @Test func `are all run by make prove`() throws {
        let makefile = try Repository.text(of: "Makefile")
        let growing = try Repository.tests().filter { file, text in
            !helpers.contains(file)
                && text.contains(/\bProof\.(?:isComplete|steps\()|\bRounds\(/)
        }
        #expect(growing.count > 8)
        for file in growing.keys.sorted() {
            #expect(try isRun(file, by: makefile), "\(file)")
        }
    }

    @Test func `on one of the stores are all run by make prove`() throws {
        let makefile = try Repository.text(of: "Makefile")
        let filter = try #require(makefile.firstMatch(of: /--filter '\^\(([A-Za-z|]+)\)Tests/))
        let files = try Repository.tests().filter { file, text in
            !file.hasPrefix("ArchitectureTests/") && text.contains("EveryStore(sampled: true)")
        }
        let targets = files.keys.map { String($0.prefix { $0 != "/" }) }
        let run = filter.1.split(separator: "|").map { String($0) + "Tests" }
        #expect(Set(targets) == Set(run))
    }

    @Test func `are missed if the filter does not name them`() throws {
        let makefile = #"intense_tests := /(KillTests|RaceTests)\.swift"#
        #expect(try isRun("VerificationTests/Proof/KillTests", by: makefile))
        #expect(try !isRun("OneTimePasswordTests/CodeStatisticsTests", by: makefile))
    }
}
