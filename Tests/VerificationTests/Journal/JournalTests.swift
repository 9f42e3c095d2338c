import Cryptography
import Foundation
import Sealing
import TestSupport
import Testing
import TransactionApproval
import VerifierWorld

@testable import PrivateFiles
@testable import Storage
@testable import Verification

@Suite(.onEveryStore) struct `A journal` {
    private let premises: Premises

    init() throws {
        premises = try Premises()
    }

    private func lines() throws -> [String] {
        try String(contentsOfFile: premises.journalPath, encoding: .utf8)
            .split(separator: "\n").map(String.init)
    }

    private func write(_ lines: [String], end: String = "\n") throws {
        try (lines.joined(separator: "\n") + end).write(
            toFile: premises.journalPath,
            atomically: false,
            encoding: .utf8
        )
    }

    /// Creates a closed bank whose journal has its first line and a line for each of four activations.
    private func fill() async throws {
        let bank = try await premises.begin()
        for number in 1...4 { _ = try await bank.activate("\(number)") }
        await bank.database.close()
    }

    private func failureOfOpening() async throws -> JournalFailure? {
        do {
            await (try await premises.open()).database.close()
            return nil
        } catch let failure as JournalFailure {
            return failure
        }
    }

    /// The failure of reading the complete journal, as an audit does.
    private func failureOfReading() -> JournalFailure? {
        do throws(JournalFailure) {
            let key = premises.auditKey.publicKey
            _ = try JournalFile(premises.journalPath, signedBy: key).read()
            return nil
        } catch {
            return error
        }
    }

    private func records(at path: String? = nil) throws -> [AuditRecord] {
        let file = try JournalFile(
            path ?? premises.journalPath,
            signedBy: premises.auditKey.publicKey
        )
        var records: [AuditRecord] = []
        _ = try file.read { records += $0.records }
        return records
    }

    @Test func `contains a change that must survive before the change is reported`() async throws {
        let bank = try await premises.begin()
        let phone = try await bank.activate()
        let file = try OwnedDescriptor(open(premises.journalPath, O_RDONLY | O_CLOEXEC))
        #expect(flock(file.number, LOCK_EX) == 0)
        let isReported = Flag()
        let revoking = Task {
            try await bank.revoke(phone)
            isReported.set()
        }
        try await waitUntil { try await bank.credential(of: phone).device.status == .revoked }
        // The revocation is committed, but the journal cannot be written.
        #expect(!isReported.isSet)
        #expect(try records().last?.event.kind == .deviceActivated)
        #expect(flock(file.number, LOCK_UN) == 0)
        try await revoking.value
        #expect(try records().last?.event == Event(.deviceRevoked, of: phone.id, in: Bank.account))
    }

    @Test func `fails each call while it cannot be written`()
        async throws
    {
        let bank = try await premises.begin()
        let phone = try await bank.activate()
        // A trail that does not continue is not signed.
        _ = try await bank.database.write { connection throws(StoreFailure) in
            try connection.run(Self.breakTrail, [])
        }
        await #expect(throws: Verifier.Failure.self) { try await bank.revoke(phone) }
        let attempt = try await phone.attempt(over: .pinCheck, in: bank)
        await #expect(throws: Verifier.Failure.self) { try await bank.verifier.checkPIN(attempt) }
    }

    private static let breakTrail = Statement(
        """
        UPDATE audit SET hash = (SELECT hash FROM audit WHERE sequence = 1)
        WHERE sequence = (SELECT audit_sequence FROM verifier)
        """
    )

    @Test func `adds the records that a crash left out`() async throws {
        try await fill()
        let complete = try records()
        try write(Array(try lines().prefix(2)))
        #expect(try records().count < complete.count)
        #expect(try await failureOfOpening() == nil)
        #expect(try records() == complete)
    }

    @Test func `continues without a last line that a crash cut off`() async throws {
        try await fill()
        let (complete, written) = (try lines(), try records())
        let torn = try #require(complete.last).prefix(100)
        try write(complete.dropLast() + [String(torn)], end: "")
        #expect(try await failureOfOpening() == nil)
        #expect(try records() == written)
        #expect(try lines().count == complete.count)
    }

    @Test(arguments: 1...5)
    func `names a changed line`(_ number: Int) async throws {
        try await fill()
        var lines = try lines()
        lines[number - 1] = lines[number - 1].replacing("\"epoch\":0", with: "\"epoch\":1")
        try write(lines)
        #expect(failureOfReading() == .damagedLine(number))
        #expect(try await failureOfOpening() == (number == 5 ? .damagedLine(5) : nil))
    }

    @Test(arguments: 1...5)
    func `names a line with a changed signature`(_ number: Int) async throws {
        try await fill()
        var lines = try lines()
        let last = lines[number - 1].removeLast()
        lines[number - 1].append(last == "0" ? "1" : "0")
        try write(lines)
        #expect(failureOfReading() == .damagedLine(number))
        #expect(try await failureOfOpening() == (number == 5 ? .damagedLine(5) : nil))
    }

    @Test(arguments: ["", "garbage"])
    func `is refused without a valid line, also by an audit`(_ content: String) async throws {
        try await fill()
        try Data(content.utf8).write(to: URL(filePath: premises.journalPath))
        #expect(try await failureOfOpening() == .damagedLine(1))
        await #expect(throws: JournalFailure.damagedLine(1)) {
            try await premises.audit(againstJournal: true)
        }
    }

    @Test func `names the place of a missing, moved or repeated line`() async throws {
        try await fill()
        let lines = try lines()
        try write([lines[0], lines[1], lines[3], lines[4]])
        #expect(failureOfReading() == .damagedLine(3))
        try write([lines[0], lines[2], lines[1], lines[3], lines[4]])
        #expect(failureOfReading() == .damagedLine(2))
        try write(lines + [lines[4]])
        #expect(failureOfReading() == .damagedLine(6))
        try write(lines)
        #expect(failureOfReading() == nil)
    }

    @Test func `continues after a valid last line, but a restore needs all lines to be valid`()
        async throws
    {
        try await fill()
        let complete = try lines()
        let other = try Premises()
        let bank = try await other.begin()
        for number in 1...4 { _ = try await bank.activate("\(number)") }
        await bank.database.close()
        let foreign = try String(contentsOfFile: other.journalPath, encoding: .utf8)
            .split(separator: "\n").map(String.init)
        let last = try #require(complete.last)
        for (start, damaged) in [
            (Array(complete[1..<4]), 1),
            (Array(foreign[..<4]), 4),
            ([String](repeating: String(repeating: "x", count: 100_000), count: 4), 1),
        ] {
            try write(start + [last])
            let before = try lines()
            #expect(try await failureOfOpening() == nil)
            #expect(try lines() == before)
            #expect(failureOfReading() == .damagedLine(damaged))
            await #expect(throws: JournalFailure.damagedLine(damaged)) {
                _ = try await premises.restore()
            }
            #expect(try lines() == before)
        }
        try write(complete)
        #expect(failureOfReading() == nil)
    }

    @Test func `continues after a line that is longer than its read buffer`() async throws {
        let bank = try await premises.begin()
        for _ in 1...3 {
            try await bank.verifier.change(by: .verifier) { context in
                for _ in 1...400 {
                    let event = Event(.credentialEnabled, of: "a", in: Bank.account)
                    context.events.append(event)
                }
            }
        }
        await bank.database.close()
        let lines = try lines()
        #expect((lines.map(\.utf8.count).max() ?? 0) > 64 << 10)
        let file = try JournalFile(premises.journalPath, signedBy: premises.auditKey.publicKey)
        let (end, read) = (try file.end(), try file.read())
        #expect((end.offset, end.lineHash, end.lineCount) == (read.offset, read.lineHash, 1))
        #expect(end.checkpoint == read.checkpoint)
        #expect(try await failureOfOpening() == nil)
    }

    @Test func `has no line that is too long to be read`() async throws {
        let bank = try await premises.begin()
        try await bank.verifier.change(by: .verifier) { context in
            for _ in 1...4 {
                let long = String(repeating: "x", count: 2 * Journal.maximumBytesOfRecords / 3)
                let event = Event(.credentialEnabled, of: "a", in: Bank.account, detail: long)
                context.events.append(event)
            }
        }
        try await bank.journalNow()
        await bank.database.close()
        #expect(failureOfReading() == nil)
        #expect(try await failureOfOpening() == nil)
        #expect(try records().filter { $0.event.kind == .credentialEnabled }.count == 4)
    }

    @Test func `contains a record of megabytes, and a restore reads it`() async throws {
        let bank = try await premises.begin()
        let phone = try await bank.activate()
        let backup = premises.path + "/backup"
        try await premises.store.backUp(to: backup)
        try await bank.verifier.change(by: .verifier) { context in
            let long = String(repeating: "x", count: 3 << 20)
            let event = Event(.deviceRevoked, of: phone.id, in: Bank.account, detail: long)
            context.events.append(event)
        }
        _ = try await bank.addAccount("4712")
        try await bank.journalNow()
        await bank.database.close()
        #expect(failureOfReading() == nil)
        #expect(try await failureOfOpening() == nil)
        let file = try JournalFile(premises.journalPath, signedBy: premises.auditKey.publicKey)
        let last = try #require(try records().last)
        let found = try file.firstCheckpoint(in: Epoch(0), notBefore: last.sequence)
        #expect(found?.checkpoint.head.sequence == last.sequence)

        try premises.store.putBack(backup)
        _ = try await premises.restore()
        let restored = try await premises.open()
        #expect(try await restored.verifier.status(of: phone.id)?.status == .revoked)
        await restored.database.close()
    }

    @Test func `gets no record that is too long to be read: its change fails`() async throws {
        let bank = try await premises.begin()
        let before = try await bank.contents()
        await #expect(throws: Verifier.Failure.store(.misuse)) {
            try await bank.verifier.change(by: .verifier) { context in
                let row = TracedRow(.device, [.bytes([])])
                let digest = [UInt8](repeating: 0, count: 32)
                let trace = RowTrace(row: row, before: digest, digest: digest)
                let count = AuditRecord.maximumBytesOfTraces / 64
                context.ledger.recorded.traces = Array(repeating: trace, count: count)
                context.events.append(.accountCreated(Bank.account))
            }
        }
        #expect(try await bank.contents() == before)
        await bank.database.close()
    }

    @Test func `contains a device's change before any request reports the change`() async throws {
        let bank = try await premises.begin()
        let phone = try await bank.activate()
        #expect(try await phone.checkPIN(in: bank) == .accepted(nil))
        let detail = try #require(try await bank.events().last?.detail)
        let head = try await bank.read { ledger throws(StoreFailure) in try ledger.state().audit }
        func setDetail(_ detail: String) async throws {
            let statement = Statement("UPDATE audit SET detail = $1 WHERE sequence = $2")
            _ = try await bank.database.write { connection throws(StoreFailure) in
                try connection.run(statement, [.text(detail), SQLValue(head.sequence)])
            }
        }
        // A journal does not continue a changed trail.
        try await setDetail("changed")
        let row = "audit sequence=\(head.sequence)"
        let failure = Verifier.Failure.journal(.store(.forged(row: row)))
        await #expect(throws: failure) { _ = try await phone.changePIN(in: bank) }
        await #expect(throws: failure) { _ = try await bank.verifier.status(of: phone.id) }
        try await setDetail(detail)
        let status = try await bank.verifier.status(of: phone.id)
        #expect(status?.credentials.first { $0.kind == .user }?.generation == Generation(1))
        #expect(try records().contains { $0.event.kind == .credentialRekeyed })
        await bank.database.close()
    }

    @Test func `is refused if another key signed it`() async throws {
        try await fill()
        let key = try P256.PrivateKey()
        let file = try JournalFile(premises.journalPath, signedBy: key.publicKey)
        #expect(throws: JournalFailure.damagedLine(5)) { _ = try file.read() }
    }

    @Test func `is refused for another store`() async throws {
        try await fill()
        let other = try Premises()
        let bank = try await other.begin()
        await bank.database.close()
        let backup = other.path + "/backup"
        try await other.store.backUp(to: backup)
        try premises.store.putBack(backup)
        #expect(try await failureOfOpening() == .foreign)
    }

    @Test func `is refused if other users can read it, or if it is a symbolic link`() async throws {
        try await fill()
        chmod(premises.journalPath, 0o640)
        #expect(try await failureOfOpening() == .file(.unsafe(.openToOthers)))
        chmod(premises.journalPath, 0o600)
        chmod(premises.journalPath + ".head", 0o640)
        #expect(try await failureOfOpening() == .headFile(.unsafe(.openToOthers)))
        chmod(premises.journalPath + ".head", 0o600)
        let moved = premises.path + "/moved"
        #expect(rename(premises.journalPath, moved) == 0)
        #expect(symlink(moved, premises.journalPath) == 0)
        #expect(try await failureOfOpening() == .file(.unsafe(.symbolicLink)))
    }

    @Test func `cannot be created for a store that is in use`() async throws {
        try await fill()
        let store = try premises.openStore()
        await #expect(throws: JournalFailure.storeInUse) {
            _ = try await Journal.begin(
                at: premises.path + "/other",
                signingWith: premises.auditKey,
                over: KeyedStore(store, KeyRing(premises.keys))
            )
        }
    }

    @Test func `accepts lines of two processes at the same time`() async throws {
        let bank = try await premises.begin()
        let other = try await premises.open()
        for number in 1...3 {
            _ = try await bank.activate("a\(number)")
            _ = try await other.activate("b\(number)")
        }
        let written = try records().count { $0.event.kind == .deviceActivated }
        #expect(written == 6)
    }

    @Test
    func `contains a result before its verifier repeats it, even if another verifier decided`()
        async throws
    {
        let bank = try await premises.begin()
        let phone = try await bank.activate()
        let path = premises.path + "/other"
        let journal = try await Journal.join(
            at: path,
            signingWith: premises.auditKey,
            over: KeyedStore(bank.database, KeyRing(premises.keys))
        )
        let other = try Bank(premises, journal: journal, over: bank.database)
        let request = try await phone.rekey(in: bank).request
        let attempt = try await phone.attempt(over: try request.question(), in: bank)
        #expect(try await bank.verifier.rekey(request, attempt) == .accepted(nil))
        #expect(try records(at: path) == [])
        #expect(try await other.verifier.rekey(request, attempt) == .accepted(nil))
        #expect(try records(at: path).map(\.event.kind) == [.credentialRekeyed])
    }

    @Test func `does not wait for a record that the store has lost`() async throws {
        let bank = try await premises.begin()
        let head = try await bank.read { ledger throws(StoreFailure) in try ledger.state().audit }
        let journal = try #require(bank.verifier.journal)
        let next = head.sequence + 1
        await #expect(throws: JournalFailure.behind(store: head.sequence, journal: next)) {
            try await journal.follow(upTo: next)
        }
    }

    @Test func `has a checkpoint after 1,000 records that it does not contain`() async throws {
        let bank = try await premises.begin()
        let before = try lines().count
        for _ in 1...20 {
            try await bank.verifier.change(by: .verifier) { context in
                for _ in 1...100 {
                    context.events.append(Event(.deviceCopied, of: "device", in: nil))
                }
            }
        }
        try await waitUntil { try lines().count != before }
        #expect(try records().allSatisfy { $0.event.kind != .deviceCopied })
    }
}

/// A flag that is set once.
private final class Flag: Sendable {
    private let lock = Lock()
    // Only used while `lock` is held.
    private nonisolated(unsafe) var value = false

    var isSet: Bool { lock.locked { value } }

    func set() { lock.locked { value = true } }
}
