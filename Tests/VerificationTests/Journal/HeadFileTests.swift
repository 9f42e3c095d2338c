import Foundation
import PrivateFiles
import TestSupport
import Testing
import TransactionApproval

@testable import Verification

@Suite struct `The file of the last head` {
    private let folder: TemporaryFolder
    private let journal: String

    init() throws {
        folder = try TemporaryFolder()
        journal = folder.path + "/journal"
        try HeadFile.create(ofJournal: journal, with: Self.checkpoint(0))
    }

    private static func checkpoint(
        _ sequence: UInt64,
        epoch: UInt64 = 0,
        hash byte: UInt8? = nil
    ) -> Checkpoint {
        let hash = [UInt8](repeating: byte ?? UInt8(sequence % 251), count: 32)
        let head = AuditHead(sequence: sequence, moment: .earliest, hash: hash)
        return Checkpoint(store: [UInt8](0..<16), epoch: Epoch(epoch), head: head)
    }

    private func opened() throws -> HeadFile { try #require(try HeadFile(ofJournal: journal)) }

    private func change(slot: Int, _ change: (inout Data) -> Void) throws {
        let url = URL(filePath: journal + ".head")
        var bytes = try Data(contentsOf: url)
        var part = bytes[(512 * slot)..<(512 * (slot + 1))]
        change(&part)
        bytes.replaceSubrange((512 * slot)..<(512 * (slot + 1)), with: part)
        let file = try FileHandle(forUpdating: url)
        try file.write(contentsOf: bytes)
    }

    @Test func `has the last written one, and a fixed size`() throws {
        #expect(try opened().last() == Self.checkpoint(0))
        for sequence: UInt64 in [1, 2, 7, 1 << 40] {
            try opened().replace(by: Self.checkpoint(sequence))
            #expect(try opened().last() == Self.checkpoint(sequence))
        }
        #expect(try Data(contentsOf: URL(filePath: journal + ".head")).count == 1024)
    }

    /// After a failed attempt, a read returns bytes that may not be on the disk.
    @Test func `is written again after it could not be made durable`() throws {
        struct Attempts {
            var count = 0
            var failing = 0
        }
        let attempts = LockedValue(Attempts())
        let file = try #require(
            try HeadFile(ofJournal: journal) { _ throws(FileFailure) in
                let fails = attempts.withLock { attempts in
                    attempts.count += 1
                    return attempts.count <= attempts.failing
                }
                if fails { throw .full }
            }
        )
        attempts.withLock { $0.failing = 2 }
        for _ in 0..<2 {
            #expect(throws: JournalFailure.self) { try file.replace(by: Self.checkpoint(1)) }
        }
        try file.replace(by: Self.checkpoint(1))
        #expect(attempts.withLock { $0.count } == 3)
        // Durable, so nothing is left to do.
        try file.replace(by: Self.checkpoint(1))
        #expect(attempts.withLock { $0.count } == 3)
        // A later head replaces the other slot, after the last one is durable.
        attempts.withLock { $0.failing = 4 }
        #expect(throws: JournalFailure.self) { try file.replace(by: Self.checkpoint(2)) }
        attempts.withLock { $0.failing = 0 }
        try file.replace(by: Self.checkpoint(3))
        #expect(attempts.withLock { $0.count } == 6)
        #expect(try file.last() == Self.checkpoint(3))
    }

    @Test func `keeps a later one of the same trail`() throws {
        let (first, second) = (try opened(), try opened())
        try first.replace(by: Self.checkpoint(8))
        let kept = try second.write(Self.checkpoint(5), over: Self.checkpoint(8))
        #expect(kept == .kept(Self.checkpoint(8)))
        #expect(try first.last() == Self.checkpoint(8))
        try second.replace(by: Self.checkpoint(2, epoch: 1))
        #expect(try first.last() == Self.checkpoint(2, epoch: 1))
    }

    /// Before, at and after the new one; and of an epoch that the new one does not know.
    @Test(arguments: [(6, 0), (7, 0), (9, 0), (1, 1)] as [(UInt64, UInt64)])
    func `is not replaced while it has an unknown one`(
        _ sequence: UInt64,
        _ epoch: UInt64
    ) throws {
        let other = Self.checkpoint(sequence, epoch: epoch, hash: 9)
        try opened().replace(by: other)
        let new = Self.checkpoint(7)
        #expect(try opened().write(new, over: Self.checkpoint(5)) == .found(other))
        #expect(try opened().last() == other)
        // The same number and a later epoch are another trail, whatever the caller knows.
        let outcome = try opened().write(new, over: other)
        #expect((outcome == .found(other)) == (sequence == 7 || epoch == 1))
    }

    /// A write that was interrupted leaves the other slot.
    @Test func `has the one before if a write was interrupted`() throws {
        try opened().replace(by: Self.checkpoint(1))
        try opened().replace(by: Self.checkpoint(2))
        for length in [10, 100, 511] {
            try change(slot: 0) {
                $0.replaceSubrange(
                    $0.startIndex..<($0.startIndex + length),
                    with: Data(count: length)
                )
            }
            #expect(try opened().last() == Self.checkpoint(1))
        }
        try opened().replace(by: Self.checkpoint(3))
        #expect(try opened().last() == Self.checkpoint(3))
    }

    @Test func `is rejected if both slots are damaged`() throws {
        try opened().replace(by: Self.checkpoint(1))
        for slot in 0...1 { try change(slot: slot) { $0[$0.startIndex + 40] ^= 1 } }
        #expect(throws: JournalFailure.lostHead) { _ = try opened().last() }
    }
}

extension HeadFile {
    /// Writes over any head, as if it were of the same trail.
    func replace(by checkpoint: Checkpoint) throws(JournalFailure) {
        try write(checkpoint, over: try last())
    }
}
