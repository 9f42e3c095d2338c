import Foundation
import Testing

/// A power loss takes each change that no sync followed; a kill takes none.
@Suite(.timeLimit(.minutes(2))) struct `A device that loses power` {
    @Test(arguments: [
        ["approve", World.pin], ["code", World.pin], ["change", World.pin, World.newPIN],
    ])
    func `SEC-04: has each change on the disk before its next request or code`(
        _ work: [String]
    ) async throws {
        let world = try await World()
        try await world.activate()
        if work[0] == "approve" { _ = try await world.bank.request() }
        let steps = try await world.diskSteps(of: work)
        var unsynced: Set<String> = []
        for (call, path) in steps {
            let folder = URL(filePath: path).deletingLastPathComponent().path
            switch call {
            case "write": unsynced.insert(path)
            case "sync": unsynced.remove(path)
            case "rename":
                #expect(!unsynced.contains(path), "its bytes can be lost, and its name not")
                unsynced.insert(folder)
            case "remove": unsynced.insert(folder)
            default: #expect(unsynced == [])
            }
        }
        // A counter is written, and then a code leaves the device.
        let calls = steps.map(\.call)
        #expect(calls.contains(["write", "sync", "rename", "sync", "output"]), "\(calls)")
    }
}
