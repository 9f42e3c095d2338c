import Cryptography
import Foundation
import Glibc
import TestSupport
import Testing

@testable import PrivateFiles
@testable import Sealing
@testable import Storage
@testable import Verification

@Suite struct `A key file` {
    private let folder: TemporaryFolder
    private var path: String { folder.path + "/keys" }

    init() throws {
        folder = try TemporaryFolder()
    }

    private func write(_ text: String, mode: mode_t = 0o600) throws {
        _ = try folder.write(text, to: "keys")
        #expect(chmod(path, mode) == 0)
    }

    private func failure(of read: () throws -> Void) throws -> KeyFile.Failure? {
        do {
            try read()
            return nil
        } catch let failure as KeyFile.Failure {
            return failure
        }
    }

    private func readingFailure() throws -> KeyFile.Failure? {
        try failure { _ = try KeyFile.encryptionKeys(in: .file(path)) }
    }

    private static let digits = String(repeating: "0a", count: 32)

    /// Everyone who can read a folder can lock it.
    @Test func `waits only for some time for the lock of its folder`() throws {
        let other = open(folder.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        defer { close(other) }
        try #require(flock(other, LOCK_EX) == 0)
        let own = try FileDescriptor(open(folder.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC))
        #expect(throws: FileFailure.locked) {
            try own.lock(.shared, waiting: .milliseconds(50))
        }
        try #require(flock(other, LOCK_UN) == 0)
        try own.lock(.exclusive, waiting: .zero)
    }

    @Test func `can be read again, and its keys open their sealed values`() throws {
        try KeyFile.createEncryptionKeys(at: path)
        let secret: [UInt8] = [1, 2, 3]
        let owner = SealOwner.fingerprintKey(of: [1])
        let sealed = try KeyFile.encryptionKeys(in: .file(path)).seal(secret.span, for: owner)
        #expect(try KeyFile.addEncryptionKey(at: path) == 2)
        let both = try KeyFile.encryptionKeys(in: .file(path))
        #expect(both.newestVersion == 2)
        let opened = try both.open(sealed, for: owner)
        #expect(opened.withBytes { $0.array } == secret)
        try KeyFile.removeEncryptionKeys(olderThan: 2, at: path)
        let newest = try KeyFile.encryptionKeys(in: .file(path))
        #expect(newest.newestVersion == 2)
        #expect(throws: KeyEncryptionKeys.Failure.keyMissing(version: 1)) {
            _ = try newest.open(sealed, for: owner)
        }
        var status = stat()
        #expect(stat(path, &status) == 0)
        #expect(status.st_mode & 0o7777 == 0o600)
    }

    @Test func `keeps all keys if a newer key was added after the rotation`() throws {
        try KeyFile.createEncryptionKeys(at: path)
        #expect(try KeyFile.addEncryptionKey(at: path) == 2)
        #expect(try KeyFile.addEncryptionKey(at: path) == 3)
        let refusal = try failure { try KeyFile.removeEncryptionKeys(olderThan: 2, at: path) }
        #expect(refusal == .otherNewest(3))
        #expect(try KeyFile.encryptionKeys(in: .file(path)).versions == [1, 2, 3])
    }

    @Test func `contains every key that commands added at the same time`() async throws {
        try KeyFile.createEncryptionKeys(at: path)
        let path = path
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    for _ in 0..<10 { _ = try KeyFile.addEncryptionKey(at: path) }
                }
            }
            try await group.waitForAll()
        }
        #expect(try KeyFile.encryptionKeys(in: .file(path)).versions == Set(1...41))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["keys"])
    }

    @Test func `takes no key that would make it too long to be read`() throws {
        try KeyFile.createEncryptionKeys(at: path)
        var failure: KeyFile.Failure?
        while failure == nil {
            failure = try self.failure { _ = try KeyFile.addEncryptionKey(at: path) }
        }
        #expect(failure == .tooLong)
        let newest = try KeyFile.encryptionKeys(in: .file(path)).newestVersion
        #expect(newest > 50)
        try KeyFile.removeEncryptionKeys(olderThan: newest, at: path)
        #expect(try KeyFile.addEncryptionKey(at: path) == newest + 1)
    }

    @Test func `is not sealed if that would make it too long to be read`() throws {
        try KeyFile.createEncryptionKeys(at: path)
        for _ in 1...31 { _ = try KeyFile.addEncryptionKey(at: path) }
        let text = try Data(contentsOf: URL(filePath: path))
        let fileKey = try KeyEncryptionKeys.sealingFiles(with: P256.PrivateKey())
        let failure = try failure {
            _ = try KeyFile.sealEncryptionKeys(at: path, under: fileKey)
        }
        #expect(failure == .tooLong)
        #expect(try Data(contentsOf: URL(filePath: path)) == text)
    }

    @Test func `with a private key can be read again`() throws {
        try KeyFile.createPrivateKey(at: path)
        let first = try KeyFile.privateKey(in: .file(path)).publicKey
        #expect(try KeyFile.privateKey(in: .file(path)).publicKey == first)
    }

    @Test func `is never overwritten`() throws {
        try KeyFile.createEncryptionKeys(at: path)
        let before = try Data(contentsOf: URL(filePath: path))
        #expect(try failure { try KeyFile.createEncryptionKeys(at: path) } == .file(.exists))
        #expect(try failure { try KeyFile.createPrivateKey(at: path) } == .file(.exists))
        #expect(try Data(contentsOf: URL(filePath: path)) == before)
    }

    @Test(arguments: [0o600, 0o400] as [mode_t])
    func `is accepted if only its owner can read it`(_ mode: mode_t) throws {
        try write("1 \(Self.digits)\n", mode: mode)
        #expect(try readingFailure() == nil)
    }

    @Test(arguments: [0o640, 0o604, 0o620, 0o660, 0o700, 0o4600] as [mode_t])
    func `is refused with further permissions`(_ mode: mode_t) throws {
        try write("1 \(Self.digits)\n", mode: mode)
        #expect(try readingFailure() == .file(.unsafe(.openToOthers)))
    }

    @Test func `is refused if it is a link, a pipe or missing`() throws {
        let other = try folder.write("1 \(Self.digits)\n", to: "other")
        #expect(chmod(other, 0o600) == 0)
        #expect(symlink(other, path) == 0)
        #expect(try readingFailure() == .file(.unsafe(.symbolicLink)))
        unlink(path)
        #expect(link(other, path) == 0)
        #expect(try readingFailure() == .file(.unsafe(.hardLinked)))
        unlink(path)
        #expect(mkfifo(path, 0o600) == 0)
        #expect(try readingFailure() == .file(.unsafe(.notRegular)))
        unlink(path)
        #expect(try readingFailure() == .file(.missing))
    }

    @Test func `is refused in a folder that other users can write to`() throws {
        try write("1 \(Self.digits)\n")
        #expect(chmod(folder.path, 0o770) == 0)
        #expect(try readingFailure() == .file(.unsafe(.folderOpenToOthers)))
    }

    @Test(arguments: [
        ("", KeyFile.Failure.empty),
        ("1 \(digits)", .malformedLine(1)),
        ("\n", .malformedLine(1)),
        ("# a key\n", .malformedLine(1)),
        ("1 \(digits)\nkey \(digits)\n", .malformedLine(2)),
        ("0 \(digits)\n", .malformedLine(1)),
        ("01 \(digits)\n", .malformedLine(1)),
        ("4294967296 \(digits)\n", .malformedLine(1)),
        ("1  \(digits)\n", .malformedLine(1)),
        ("1 \(digits)\r\n", .malformedLine(1)),
        ("1 \(digits.dropLast(2))\n", .wrongLength(line: 1)),
        ("1 \(digits)00\n", .wrongLength(line: 1)),
        ("1 \(digits)\n1 \(digits)\n", .repeatedVersion(1)),
        (String(repeating: "1 \(digits)\n", count: 100), .tooLong),
    ])
    func `is refused if it is malformed`(_ text: String, _ failure: KeyFile.Failure) throws {
        try write(text)
        #expect(try readingFailure() == failure)
    }

    @Test(arguments: [
        ("", KeyFile.Failure.empty), (String(repeating: "0", count: 64) + "\n", .notAKey),
        (String(repeating: "f", count: 64) + "\n", .notAKey), ("0a0a\n", .wrongLength(line: 1)),
        ("\(digits)\n\(digits)\n", .malformedLine(2)), ("1 \(digits)\n", .malformedLine(1)),
    ])
    func `with a malformed private key is refused`(
        _ text: String,
        _ expected: KeyFile.Failure
    ) throws {
        try write(text)
        #expect(try failure { _ = try KeyFile.privateKey(in: .file(path)) } == expected)
    }

    @Test func `SEC-109: with sealed keys opens only under the key that sealed it`() throws {
        let (own, other) = (try P256.PrivateKey(), try P256.PrivateKey())
        let fileKey = try KeyEncryptionKeys.sealingFiles(with: own)
        try KeyFile.createEncryptionKeys(at: path, sealedUnder: fileKey)
        #expect(try KeyFile.addEncryptionKey(at: path, sealedUnder: fileKey) == 2)
        func failure(under fileKey: KeyEncryptionKeys?) throws -> KeyFile.Failure? {
            try self.failure {
                _ = try KeyFile.encryptionKeys(in: .file(path), sealedUnder: fileKey)
            }
        }
        // The same key computes the same file key again.
        #expect(try failure(under: .sealingFiles(with: own)) == nil)
        #expect(try failure(under: .sealingFiles(with: other)) == .sealedUnderOther(line: 1))
        #expect(try failure(under: nil) == .sealed(line: 1))
        #expect(
            throws: KeyFile.Failure.sealed(line: 1)
        ) { try KeyFile.addEncryptionKey(at: path) }
        // The keys of two versions are exchanged.
        let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
        try write("2 \(lines[0].dropFirst(2))\n1 \(lines[1].dropFirst(2))\n")
        #expect(try failure(under: fileKey) == .sealedUnderOther(line: 1))
        try write("\(lines[0])\n2 \(Self.digits)\n")
        #expect(try failure(under: fileKey) == .unsealed(line: 2))
        let line = "\(lines[0])\n"
        // Capital digits are the same digits.
        for changed in line.withOneBitFlipped where changed.lowercased() != line {
            try write(changed)
            #expect(try failure(under: fileKey) != nil, "\(changed)")
        }
    }

    @Test func `SEC-109: is sealed as a whole, or not at all`() throws {
        let (fileKey, other) = (
            try KeyEncryptionKeys.sealingFiles(with: P256.PrivateKey()),
            try KeyEncryptionKeys.sealingFiles(with: P256.PrivateKey())
        )
        func seal(
            under key: KeyEncryptionKeys,
            replacing former: KeyEncryptionKeys? = nil
        ) throws -> Bool {
            try KeyFile.sealEncryptionKeys(at: path, under: key, replacing: former)
        }
        try write("1 \(Self.digits)\n")
        #expect(try seal(under: fileKey))
        #expect(try !seal(under: fileKey))
        #expect(throws: KeyFile.Failure.sealedUnderOther(line: 1)) { try seal(under: other) }
        let sealed = try String(contentsOfFile: path, encoding: .utf8)
        // An attacker hopes that the next call seals a key that they know.
        let plain = "2 \(Self.digits)\n"
        try write(sealed + plain)
        #expect(throws: KeyFile.Failure.unsealed(line: 2)) { try seal(under: fileKey) }
        #expect(throws: KeyFile.Failure.unsealed(line: 2)) {
            try seal(under: other, replacing: fileKey)
        }
        try write(plain + sealed)
        #expect(throws: KeyFile.Failure.sealed(line: 2)) { try seal(under: fileKey) }
        #expect(throws: KeyFile.Failure.unsealed(line: 1)) {
            try seal(under: fileKey, replacing: other)
        }
        try write(sealed)
        #expect(try seal(under: other, replacing: fileKey))
        #expect(try !seal(under: other, replacing: fileKey))
        let keys = try KeyFile.encryptionKeys(in: .file(path), sealedUnder: other)
        #expect(keys.versions == [1])
    }

    @Test func `can be read from a pipe in parts`() throws {
        let pipe = try TestPipe()
        for part in ["3 ", Self.digits, "\n"] {
            #expect(Glibc.write(pipe.writing.number, part, part.utf8.count) == part.utf8.count)
        }
        let reading = pipe.reading.handOver()
        let file = identity(of: reading)
        pipe.writing.close()
        #expect(try KeyFile.encryptionKeys(in: .descriptor(reading)).newestVersion == 3)
        // The descriptor was closed after its use; another test may use the number now.
        #expect(identity(of: reading) != file)
    }

    /// The file behind a descriptor; nil if the descriptor is closed.
    private func identity(of descriptor: Int32) -> ino_t? {
        var status = stat()
        return fstat(descriptor, &status) == 0 ? status.st_ino : nil
    }
}
