import ConfigurationFiles
import Foundation
import PrivateFiles
import ProgramTesting
import Synchronization
import TestSupport
import Testing

@testable import countersignd

@Suite struct `The lock of init` {
    private let premises: Premises
    private let file: ConfigurationFile

    init() throws {
        premises = try Premises()
        try premises.write("{}", to: "countersignd.json")
        file = ConfigurationFile(premises.configuration, of: .countersignd)
    }

    @Test func `a second init is rejected until the first one ends`() throws {
        let first = try file.lockForInitialization()
        #expect(throws: (any Error).self) { _ = try file.lockForInitialization() }
        let refused = try premises.countersignd("init")
        #expect(refused.exitCode == 75)
        #expect(refused.errorOutput.contains("another countersignd init is running"))
        withExtendedLifetime(first) {}
    }

    @Test func `a rejected init closes its descriptor only once`() throws {
        let first = try file.lockForInitialization()
        let isDone = Atomic(false)
        let lostFiles = Atomic(0)
        DispatchQueue.concurrentPerform(iterations: 4) { worker in
            guard worker == 0 else {
                // Each of these files can get the number that was just closed.
                while !isDone.load(ordering: .relaxed) {
                    let isLost = close(open("/dev/null", O_RDONLY | O_CLOEXEC)) != 0
                    if isLost { lostFiles.add(1, ordering: .relaxed) }
                }
                return
            }
            for _ in 0..<60_000 { _ = try? file.lockForInitialization() }
            isDone.store(true, ordering: .relaxed)
        }
        #expect(lostFiles.load(ordering: .relaxed) == 0)
        withExtendedLifetime(first) {}
    }
}
