import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct `Temporary folders` {
    @Test func `are removed with their value`() throws {
        var folder: TemporaryFolder? = try TemporaryFolder()
        let path = try #require(folder?.path)
        #expect(FileManager.default.fileExists(atPath: path))
        folder = nil
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test func `are removed when their process ends`() async throws {
        let ended = await #expect(
            processExitsWith: .success,
            observing: [\.standardOutputContent]
        ) {
            for inMemory in [false, true] { announce(try kept(inMemory: inMemory).path) }
        }
        try await expectRemoval(of: ended)
    }

    @Test func `are removed when their process is killed`() async throws {
        let killed = await #expect(
            processExitsWith: .signal(SIGKILL),
            observing: [\.standardOutputContent]
        ) {
            for inMemory in [false, true] { announce(try kept(inMemory: inMemory).path) }
            kill(getpid(), SIGKILL)
        }
        try await expectRemoval(of: killed)
    }

    @Test(.enabled(if: PostgresServer.isInstalled, "PostgreSQL is not installed"))
    func `of a PostgreSQL server are removed when its process is killed`() async throws {
        let killed = await #expect(
            processExitsWith: .signal(SIGKILL),
            observing: [\.standardOutputContent]
        ) {
            announce(try PostgresServer.shared().folder)
            kill(getpid(), SIGKILL)
        }
        try await expectRemoval(of: killed)
    }

    /// A server that is killed cannot remove its shared memory itself.
    @Test(.enabled(if: PostgresServer.isInstalled, "PostgreSQL is not installed"))
    func `and shared memory of a killed PostgreSQL server are removed`() throws {
        let server = try PostgresServer()
        let segment = try #require(try server.sharedMemorySegment())
        #expect(segmentExists(segment))
        try server.kill()
        #expect(!segmentExists(segment))
    }

    private func segmentExists(_ segment: Int32) -> Bool {
        var status = shmid_ds()
        return shmctl(segment, IPC_STAT, &status) == 0
    }

    /// The folders are named in the output, one per line.
    private func expectRemoval(of ended: ExitTest.Result?) async throws {
        let output = String(decoding: try #require(ended).standardOutputContent, as: UTF8.self)
        let paths = output.split(separator: "\n").filter { $0.hasPrefix("/") }.map(String.init)
        #expect(!paths.isEmpty)
        for path in paths {
            let root = URL(filePath: path).deletingLastPathComponent().path
            #expect(root.contains("countersign-tests-"))
            // A shell removes them after the end of the process.
            try await waitUntil { !FileManager.default.fileExists(atPath: root) }
        }
    }
}

/// Keeps folders that only the end of the process can remove.
nonisolated(unsafe) private var folders: [TemporaryFolder] = []

private func kept(inMemory: Bool) throws -> TemporaryFolder {
    let folder = try TemporaryFolder(inMemory: inMemory)
    folders.append(folder)
    return folder
}

private func announce(_ path: String) {
    FileHandle.standardOutput.write(Data((path + "\n").utf8))
}
