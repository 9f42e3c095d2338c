import Foundation
import Glibc
import PrivateFiles
import TestSupport
import Testing

@testable import AuthenticationHandler
@testable import Cryptography

@Suite struct `Private folders` {
    let home: Home

    init() throws {
        home = try Home()
    }

    var folder: PrivateFolder { PrivateFolder(home.vaultPath) }
    var file: String { home.vaultPath + "/note" }

    private func write(_ text: String, to name: String = "note") async throws {
        let bytes = Array(text.utf8)
        let locked = try await folder.locked()
        try locked.replace(name, with: bytes.span)
    }

    private func read(_ name: String = "note") throws -> String? {
        try folder.contents(of: name, atMost: 100).map { String(decoding: $0, as: UTF8.self) }
    }

    @Test func `contain the last written contents`() async throws {
        #expect(try read() == nil)
        try await write("one")
        #expect(try read() == "one")
        try await write("two")
        #expect(try read() == "two")
        #expect(try folder.names() == ["note"])
    }

    @Test func `do not contain removed or erased files`() async throws {
        try await write("one")
        try await write("two", to: "other")
        let locked = try await folder.locked()
        try locked.remove("note")
        try locked.erase("other")
        try locked.erase("never there")
        #expect(try folder.names() == [])
    }

    /// As a crash during a write leaves it.
    @Test func `leave only zeros of a temporary file when its file is erased`() async throws {
        try await write("one")
        let leftover = open(home.vaultPath + "/note.incomplete", O_RDWR | O_CREAT, 0o600)
        defer { close(leftover) }
        var bytes = Array("seed".utf8)
        try #require(pwrite(leftover, bytes, bytes.count, 0) == bytes.count)
        try await folder.locked().erase("note")
        #expect(pread(leftover, &bytes, bytes.count, 0) == bytes.count)
        #expect(bytes == [0, 0, 0, 0])
    }

    @Test func `are read again if the name no longer leads to the open file`() async throws {
        try await write("one")
        let directory = try FileDescriptor(open(home.vaultPath, O_RDONLY | O_DIRECTORY))
        let file = try directory.openFile("note").unwrapped()
        #expect(try directory.contents(of: file, named: "note", atMost: 100) == Array("one".utf8))
        try await folder.locked().erase("note")
        #expect(try directory.contents(of: file, named: "note", atMost: 100) == nil)
        #expect(try directory.contents(of: file, named: "note", atMost: 1) == nil)
        try await write("two")
        #expect(try directory.contents(of: file, named: "note", atMost: 100) == nil)
        #expect(try read() == "two")
    }

    @Test(.timeLimit(.minutes(5))) func `never contain zeros of a file that is being erased`()
        async throws
    {
        let writer = Task {
            for _ in 0..<100 {
                try await write("one")
                try await folder.locked().erase("note")
            }
        }
        let isEnded = LockedValue(false)
        let ending = Task {
            _ = await writer.result
            isEnded.withLock { $0 = true }
        }
        while !isEnded.withLock({ $0 }) {
            let text = try read()
            #expect(text == nil || text == "one")
        }
        await ending.value
        try await writer.value
    }

    @Test func `and their files are accessible only to their owner`() async throws {
        try await write("one")
        var status = stat()
        #expect(stat(home.vaultPath, &status) == 0)
        #expect(status.st_mode == S_IFDIR | 0o700)
        for name in ["note", "lock"] {
            #expect(stat(home.vaultPath + "/" + name, &status) == 0)
            #expect(status.st_mode == S_IFREG | 0o600, "\(name)")
        }
    }

    @Test func `are empty if they do not exist`() throws {
        #expect(try folder.names() == [])
        #expect(access(home.vaultPath, F_OK) == -1, "reading does not create the folder")
    }

    @Test func `refuse files that are too large`() async throws {
        try await write(String(repeating: "x", count: 100))
        #expect(try read()?.count == 100)
        try await write(String(repeating: "x", count: 101))
        #expect(throws: FileFailure.tooLarge) { try read() }
    }

    // MARK: Files that other users could read or replace

    /// A change of the file or the folder, and the expected failure.
    struct Attack: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let failure: UnsafeFile
        let prepare: @Sendable (_ folder: String, _ file: String) -> Int32

        init(
            _ description: String,
            _ failure: UnsafeFile,
            _ prepare: @escaping @Sendable (String, String) -> Int32
        ) {
            testDescription = description
            self.failure = failure
            self.prepare = prepare
        }
    }

    static let attacks = [
        Attack("a file that others read", .openToOthers) { chmod($1, 0o604) },
        Attack("a file that others write", .openToOthers) { chmod($1, 0o620) },
        Attack("a second name of the file", .hardLinked) { link($1, $0 + "/../second") },
        Attack("a link in the place of the file", .symbolicLink) {
            rename($1, $0 + "/../moved") + symlink($0 + "/../moved", $1)
        },
        Attack("a pipe in the place of the file", .notRegular) { unlink($1) + mkfifo($1, 0o600) },
        Attack("a folder in the place of the file", .notRegular) {
            unlink($1) + mkdir($1, 0o600)
        },
        Attack("a folder that others read", .openToOthers) { folder, _ in chmod(folder, 0o750) },
        Attack("a folder that others write", .openToOthers) { folder, _ in chmod(folder, 0o702) },
        Attack("a link in the place of the folder", .notRegular) { folder, _ in
            rename(folder, folder + "-moved") + symlink(folder + "-moved", folder)
        },
        Attack("a parent in which others rename", .folderOpenToOthers) { folder, _ in
            chmod(folder + "/..", 0o777)
        },
    ]

    @Test(arguments: attacks)
    func `refuse files that other users could read or replace, and change nothing`(
        _ attack: Attack
    ) async throws {
        try await write("mine")
        try #require(attack.prepare(home.vaultPath, file) == 0)
        let before = try FileManager.default.subpathsOfDirectory(atPath: home.folder.path)
        #expect(throws: FileFailure.unsafe(attack.failure)) { try read() }
        #expect(try FileManager.default.subpathsOfDirectory(atPath: home.folder.path) == before)
    }

    @Test(.enabled("only root can give a file to another user") { geteuid() == 0 })
    func `refuse files of another user`() async throws {
        try await write("mine")
        try #require(chown(file, 65534, 65534) == 0)
        #expect(throws: FileFailure.unsafe(.foreignOwner)) { try read() }
        try #require(chown(file, 0, 0) == 0)
        try #require(chown(home.vaultPath, 65534, 65534) == 0)
        #expect(throws: FileFailure.unsafe(.foreignOwner)) { try read() }
    }

    @Test func `refuse a link that a slash would follow`() async throws {
        try await write("mine")
        try #require(rename(home.vaultPath, home.vaultPath + "-moved") == 0)
        try #require(symlink(home.vaultPath + "-moved", home.vaultPath) == 0)
        let folder = PrivateFolder(home.vaultPath + "//")
        #expect(throws: FileFailure.unsafe(.notRegular)) { try folder.names() }
    }

    @Test func `can be locked again while a forked process still has the lock's descriptor`() throws
    {
        guard let lock = try folder.lockAtOnce(.writing) else {
            Issue.record("the lock is held")
            return
        }
        let place = home.vaultPath + "/lock"
        let number = try #require(
            (3..<1024).first { number in
                let link = "/proc/self/fd/\(number)"
                // Most numbers are not open descriptors: `try?`.
                return (try? FileManager.default.destinationOfSymbolicLink(atPath: link)) == place
            }
        )
        // A forked process also has the descriptor until it runs another program.
        let other = try OwnedDescriptor(dup(Int32(number)))
        lock.end()
        let isOpen = try folder.lockAtOnce(.writing) != nil
        #expect(isOpen)
        other.close()
    }

    @Test func `refuse a lock that is a link, and do not change its target`() async throws {
        try await write("mine")
        let target = try home.folder.write("precious", to: "target")
        try #require(unlink(home.vaultPath + "/lock") == 0)
        try #require(symlink(target, home.vaultPath + "/lock") == 0)
        await #expect(throws: FileFailure.unsafe(.symbolicLink)) { try await write("again") }
        #expect(try String(contentsOfFile: target, encoding: .utf8) == "precious")
    }

    /// In a process of its own, whose memory is searched afterwards.
    @Test func `leave no part of a file that is too large in ordinary memory (SEC-26)`() async {
        await #expect(processExitsWith: .success) {
            let home = try Home()
            let folder = PrivateFolder(home.vaultPath)
            let secret = try SecureBytes.random(count: 64)
            try secret.withBytes { bytes in
                try folder.lockedWhileBlocking().replace("note", with: bytes)
            }
            #expect(throws: FileFailure.tooLarge) {
                try folder.contents(of: "note", atMost: 63)
            }
            let remnants = try secret.withBytes { bytes in
                try bytes.withUnsafeBytes { try remnantsOutsideSecureHeap(of: $0) }
            }
            #expect(remnants == 0)
        }
    }

    // MARK: Crashes

    @Test(arguments: [PrivateFolder.WritePoint.created, .written, .synchronised])
    func `keep the old contents if a change ends before the rename`(
        _ point: PrivateFolder.WritePoint
    ) async throws {
        try await crash(at: point)
        #expect(try read() == "old")
    }

    @Test(arguments: [PrivateFolder.WritePoint.renamed, .durable])
    func `have the new contents if a change ends after the rename`(
        _ point: PrivateFolder.WritePoint
    ) async throws {
        try await crash(at: point)
        #expect(try read() == "new")
    }

    /// Ends a change like a crash, and shows that the next change succeeds.
    private func crash(at point: PrivateFolder.WritePoint) async throws {
        try await write("old")
        let failing = PrivateFolder(home.vaultPath) { reached throws(FileFailure) in
            if reached == point { throw .errorNumber(EINTR) }
        }
        let bytes = Array("new".utf8)
        do {
            let locked = try await failing.locked()
            #expect(throws: FileFailure.errorNumber(EINTR)) {
                try locked.replace("note", with: bytes.span)
            }
        }
        let after = try read()
        try await write("next")
        #expect(try read() == "next")
        #expect(try folder.names() == ["note"])
        try await write(try #require(after))
    }

    // MARK: The lock

    @Test func `allow one change at a time`() async throws {
        let locked = try await folder.locked()
        await #expect(throws: FileFailure.locked) {
            _ = try await folder.locked(waiting: .milliseconds(30))
        }
        try locked.remove("nothing")
    }

    @Test func `report a cancellation while they wait for the lock`() async throws {
        let locked = try await folder.locked()
        let waiting = Task { [folder] in
            withUnsafeCurrentTask { $0?.cancel() }
            _ = try await folder.locked()
        }
        await #expect(throws: FileFailure.cancelled) { try await waiting.value }
        try locked.remove("nothing")
    }

    @Test func `can be locked again after a change`() async throws {
        do { _ = try await folder.locked() }
        _ = try await folder.locked(waiting: .zero)
    }

    @Test func `cannot be locked by another program during a change`() async throws {
        let lock = home.vaultPath + "/lock"
        let locked = try await folder.locked()
        #expect(try FinishedProcess.run("flock", ["-n", lock, "true"]).exitCode == 1)
        try locked.remove("nothing")
        _ = consume locked
        #expect(try FinishedProcess.run("flock", ["-n", lock, "true"]).exitCode == 0)
    }
}
