import Foundation
import TestSupport
import Testing

@testable import PrivateFiles

@Suite struct `An incomplete file` {
    private let folder: TemporaryFolder
    private var path: String { folder.path + "/file" }
    private let one: [UInt8] = [1]

    init() throws {
        folder = try TemporaryFolder()
    }

    private func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path)
    }

    @Test func `gets its name when it is complete, and only its owner can read it`() throws {
        let file = try IncompleteFile(for: path)
        for bytes in [[1, 2], [3]] as [[UInt8]] { try file.append(bytes.span) }
        #expect(try !names().contains("file"))
        try file.finish()
        #expect(try names() == ["file"])
        #expect(try Data(contentsOf: URL(filePath: path)) == Data([1, 2, 3]))
        var status = stat()
        #expect(stat(path, &status) == 0)
        #expect(status.st_mode & 0o7777 == 0o600)
        #expect(status.st_nlink == 1)
    }

    @Test func `is removed if it was not finished`() throws {
        do {
            let file = try IncompleteFile(for: path)
            try file.append(one.span)
        }
        #expect(try names() == [])
    }

    @Test func `is written completely after an interrupting signal`() throws {
        var calls = 0
        let count = try FileDescriptor.uninterrupted {
            calls += 1
            errno = EINTR
            return calls < 3 ? -1 : 5
        }
        #expect((count, calls) == (5, 3))
        #expect(throws: FileFailure.full) {
            try FileDescriptor.uninterrupted {
                errno = ENOSPC
                return -1
            }
        }
    }

    @Test func `never replaces a file, even one that was created later`() throws {
        let file = try IncompleteFile(for: path)
        try file.append(one.span)
        _ = try folder.write("other", to: "file")
        #expect(throws: FileFailure.exists) { try file.finish() }
        #expect(throws: FileFailure.exists) { try IncompleteFile(for: path) }
        #expect(try Data(contentsOf: URL(filePath: path)) == Data("other".utf8))
    }

    @Test func `never has two names at the same time`() throws {
        let isDone = Flag()
        let hadTwoNames = Flag()
        let path = path
        let watch = Foundation.Thread {
            var status = stat()
            while !isDone.isSet {
                if stat(path, &status) == 0, status.st_nlink > 1 { hadTwoNames.set() }
            }
        }
        watch.start()
        for _ in 1...500 {
            let file = try IncompleteFile(for: path)
            try file.finish()
            #expect(unlink(path) == 0)
        }
        isDone.set()
        #expect(!hadTwoNames.isSet)
    }
}

/// A flag that one thread sets for another.
private final class Flag: Sendable {
    private let lock = Lock()
    // Only touched while `lock` is held.
    private nonisolated(unsafe) var isRaised = false

    var isSet: Bool { lock.locked { isRaised } }
    func set() { lock.locked { isRaised = true } }
}
