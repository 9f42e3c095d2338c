import Cryptography
import Foundation
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

    /// A closed bank whose journal has a line for each of four activations, and the first.
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

    /// What is found by who reads all of it, as an audit does.
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

    @Test func `has what must survive before anybody is told of it`() async throws {
        let bank = try await premises.begin()
        let phone = try await bank.activate()
        let file = try OwnedDescriptor(open(premises.journalPath, O_RDONLY | O_CLOEXEC))
        #expect(flock(file.number, LOCK_EX) == 0)
        let told = Mark()
        let revoking = Task {
            try await bank.revoke(phone)
            told.set()
        }
        while try await bank.credential(of: phone).device.status != .revoked {}
        // It is committed, and the journal cannot be written.
        #expect(!told.isSet)
        #expect(try records().last?.event.kind == .deviceActivated)
        #expect(flock(file.number, LOCK_UN) == 0)
        try await revoking.value
        #expect(try records().last?.event == Event(.deviceRevoked, of: phone.id, in: Bank.account))
    }

    @Test func `that cannot be written lets nobody be told, not even on a second call`()
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

    @Test func `catches up with what a crash left out`() async throws {
        try await fill()
        let whole = try records()
        try write(Array(try lines().prefix(2)))
        #expect(try records().count < whole.count)
        #expect(try await failureOfOpening() == nil)
        #expect(try records() == whole)
    }

    @Test func `whose last line was torn by a crash goes on without it`() async throws {
        try await fill()
        let (whole, written) = (try lines(), try records())
        let torn = try #require(whole.last).prefix(100)
        try write(whole.dropLast() + [String(torn)], end: "")
        #expect(try await failureOfOpening() == nil)
        #expect(try records() == written)
        #expect(try lines().count == whole.count)
    }

    @Test(arguments: 1...5)
    func `names a line that was changed`(_ number: Int) async throws {
        try await fill()
        var lines = try lines()
        lines[number - 1] = lines[number - 1].replacing("\"epoch\":0", with: "\"epoch\":1")
        try write(lines)
        #expect(failureOfReading() == .damagedLine(number))
        #expect(try await failureOfOpening() == (number == 5 ? .damagedLine(5) : nil))
    }

    @Test(arguments: 1...5)
    func `names a line whose signature was changed`(_ number: Int) async throws {
        try await fill()
        var lines = try lines()
        let last = lines[number - 1].removeLast()
        lines[number - 1].append(last == "0" ? "1" : "0")
        try write(lines)
        #expect(failureOfReading() == .damagedLine(number))
        #expect(try await failureOfOpening() == (number == 5 ? .damagedLine(5) : nil))
    }

    @Test(arguments: ["", "garbage"])
    func `that holds no line is refused, by an audit too`(_ content: String) async throws {
        try await fill()
        try Data(content.utf8).write(to: URL(filePath: premises.journalPath))
        #expect(try await failureOfOpening() == .damagedLine(1))
        await #expect(throws: JournalFailure.damagedLine(1)) {
            try await premises.audit(againstJournal: true)
        }
    }

    @Test func `names the line where one is missing, moved or repeated`() async throws {
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

    @Test func `goes on by its last line, whatever stands before, which a restore needs whole`()
        async throws
    {
        try await fill()
        let whole = try lines()
        let other = try Premises()
        let bank = try await other.begin()
        for number in 1...4 { _ = try await bank.activate("\(number)") }
        await bank.database.close()
        let foreign = try String(contentsOfFile: other.journalPath, encoding: .utf8)
            .split(separator: "\n").map(String.init)
        let last = try #require(whole.last)
        for (start, damaged) in [
            (Array(whole[1..<4]), 1),
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
        try write(whole)
        #expect(failureOfReading() == nil)
    }

    @Test func `goes on behind a line of more than it reads at once`() async throws {
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

    @Test func `has no line that is too long to be read again`() async throws {
        let bank = try await premises.begin()
        try await bank.verifier.change(by: .verifier) { context in
            for _ in 1...4 {
                let long = String(repeating: "x", count: JournalFile.maximumBytesInLine / 3)
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

    @Test func `has what a device is told of itself, however it asks`() async throws {
        let bank = try await premises.begin()
        let phone = try await bank.activate()
        #expect(try await phone.checkPIN(in: bank) == .accepted(nil))
        let detail = try #require(try await bank.events().last?.detail)
        let head = try await bank.read { ledger throws(StoreFailure) in try ledger.state().audit }
        func mark(_ detail: String) async throws {
            let statement = Statement("UPDATE audit SET detail = $1 WHERE sequence = $2")
            _ = try await bank.database.write { connection throws(StoreFailure) in
                try connection.run(statement, [.text(detail), SQLValue(head.sequence)])
            }
        }
        // No journal follows a trail that somebody changed.
        try await mark("changed")
        let failure = Verifier.Failure.journal(.brokenTrail(at: head.sequence))
        await #expect(throws: failure) { _ = try await phone.changePIN(in: bank) }
        await #expect(throws: failure) { _ = try await bank.verifier.status(of: phone.id) }
        try await mark(detail)
        let status = try await bank.verifier.status(of: phone.id)
        #expect(status?.credentials.first { $0.kind == .user }?.generation == Generation(1))
        #expect(try records().contains { $0.event.kind == .credentialRekeyed })
        await bank.database.close()
    }

    @Test func `signed by another key is refused`() async throws {
        try await fill()
        let key = try P256.PrivateKey()
        let file = try JournalFile(premises.journalPath, signedBy: key.publicKey)
        #expect(throws: JournalFailure.damagedLine(5)) { _ = try file.read() }
    }

    @Test func `of another store is refused`() async throws {
        try await fill()
        let other = try Premises()
        let bank = try await other.begin()
        await bank.database.close()
        let backup = other.path + "/backup"
        try await other.store.backUp(to: backup)
        try premises.store.putBack(backup)
        #expect(try await failureOfOpening() == .foreign)
    }

    @Test func `open to others, or a link, is refused`() async throws {
        try await fill()
        chmod(premises.journalPath, 0o640)
        #expect(try await failureOfOpening() == .file(.unsafe(.openToOthers)))
        chmod(premises.journalPath, 0o600)
        let moved = premises.path + "/moved"
        #expect(rename(premises.journalPath, moved) == 0)
        #expect(symlink(moved, premises.journalPath) == 0)
        #expect(try await failureOfOpening() == .file(.unsafe(.symbolicLink)))
    }

    @Test func `is not begun anew beside a store in use`() async throws {
        try await fill()
        let store = try premises.openStore()
        await #expect(throws: JournalFailure.storeInUse) {
            _ = try await Journal.begin(
                at: premises.path + "/other",
                signingWith: premises.auditKey,
                over: store
            )
        }
    }

    @Test func `is written by two processes at once`() async throws {
        let bank = try await premises.begin()
        let other = try await premises.open()
        for number in 1...3 {
            _ = try await bank.activate("a\(number)")
            _ = try await other.activate("b\(number)")
        }
        let written = try records().count { $0.event.kind == .deviceActivated }
        #expect(written == 6)
    }

    @Test func `of another verifier has what it tells again, whoever judged it`() async throws {
        let bank = try await premises.begin()
        let phone = try await bank.activate()
        let path = premises.path + "/other"
        let journal = try await Journal.join(
            at: path,
            signingWith: premises.auditKey,
            over: bank.database
        )
        let other = try Bank(premises, journal: journal, over: bank.database)
        let request = try await phone.rekey(in: bank).request
        let attempt = try await phone.attempt(over: try request.question(), in: bank)
        #expect(try await bank.verifier.rekey(request, attempt) == .accepted(nil))
        #expect(try records(at: path) == [])
        #expect(try await other.verifier.rekey(request, attempt) == .accepted(nil))
        #expect(try records(at: path).map(\.event.kind) == [.credentialRekeyed])
    }

    @Test func `does not wait for what the store has lost`() async throws {
        let bank = try await premises.begin()
        let head = try await bank.read { ledger throws(StoreFailure) in try ledger.state().audit }
        let journal = try #require(bank.verifier.journal)
        let next = head.sequence + 1
        await #expect(throws: JournalFailure.behind(store: head.sequence, journal: next)) {
            try await journal.follow(upTo: next)
        }
    }

    @Test func `has a checkpoint after 1,000 records that it need not hold`() async throws {
        let bank = try await premises.begin()
        let before = try lines().count
        for _ in 1...20 {
            try await bank.verifier.change(by: .verifier) { context in
                for _ in 1...100 {
                    context.events.append(Event(.deviceCopied, of: "device", in: nil))
                }
            }
        }
        while try lines().count == before { await Task.yield() }
        #expect(try records().allSatisfy { $0.event.kind != .deviceCopied })
    }
}

/// Says that something happened.
private final class Mark: Sendable {
    private let lock = Lock()
    // Only touched while `lock` is held.
    private nonisolated(unsafe) var isMarked = false

    var isSet: Bool { lock.locked { isMarked } }

    func set() { lock.locked { isMarked = true } }
}
