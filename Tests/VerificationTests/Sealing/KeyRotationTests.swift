import Cryptography
import Foundation
import OneTimePassword
import TestSupport
import Testing
import TransactionApproval
import VerifierWorld

@testable import PrivateFiles
@testable import Sealing
@testable import Storage
@testable import Verification

@Suite(.onEveryStore) struct `A rotation of keys` {
    private let premises: Premises

    init() throws {
        premises = try Premises()
    }

    /// The keys of `bank` and a newer one; and the newer one alone.
    private func newKeys() throws -> (both: KeyEncryptionKeys, alone: KeyEncryptionKeys) {
        try KeyFile.addEncryptionKey(at: premises.keysPath)
        let both = try KeyFile.encryptionKeys(in: .file(premises.keysPath))
        try KeyFile.removeEncryptionKeys(
            olderThan: both.newestVersion,
            at: premises.keysPath
        )
        return (both, try KeyFile.encryptionKeys(in: .file(premises.keysPath)))
    }

    @Test func `reseals every value, and afterwards the old key is not needed`()
        async throws
    {
        let bank = try await premises.begin(policy: #"{"numberMatchingDigits":2}"#)
        let phone = try await bank.activate()
        _ = try await bank.activate("4712")
        _ = try await bank.verifier.issueActivation(
            for: try await bank.addAccount("4713"),
            by: .operatorCommand
        )
        _ = try await bank.pay()
        #expect(
            try await phone.type(try await phone.typedCode(in: bank), in: bank) == .accepted(nil)
        )
        let before = try await bank.read { ledger throws(StoreFailure) in
            try ledger.sealedCounts()
        }
        // Four seeds, one code, one number, and the store's fingerprint key.
        #expect(before == [1: 7])

        let (both, alone) = try newKeys()
        bank.verifier.use(both)
        let rotation = try await bank.verifier.rotateKeys(by: .operatorCommand, rowsAtOnce: 2)
        #expect(rotation.moved == 7)
        #expect(rotation.counts == [2: 7])
        #expect(rotation.isComplete)

        bank.verifier.use(alone)
        let next = try await phone.typedCode(in: bank)
        #expect(try await phone.type(next, call: "next", in: bank) == .accepted(nil))
        let again = try await bank.verifier.rotateKeys(by: .operatorCommand)
        #expect(again.moved == 0)
        #expect(try await bank.count(of: .keyRotated) == 1)
    }

    /// A small read of PostgreSQL fails after seconds.
    @Test func `counts the values of a large store in scans`() async throws {
        let bank = try await premises.begin()
        let watched = WatchedDatabase(bank.database)
        let verifier = bank.verifier(over: watched)
        _ = try await verifier.sealedCounts()
        #expect(watched.statements.contains("scan"))
    }

    @Test func `is on the trail together with the first resealed value`() async throws {
        let bank = try await premises.begin()
        for number in 1...3 { _ = try await bank.activate("\(number)") }
        let (both, _) = try newKeys()
        bank.verifier.use(both)
        let counts = KeptCounts()
        let verifier = Verifier(
            database: bank.interleaved {
                let counted = try await bank.verifier.sealedCounts()
                counts.add(counted[2] ?? 0, try await bank.count(of: .keyRotated))
            },
            keys: KeyRing(both),
            agreementKey: bank.agreementKey,
            journal: nil,
            clock: bank.clock.verifierClock
        )
        _ = try await verifier.rotateKeys(by: .operatorCommand, rowsAtOnce: 2)
        #expect(counts.all.prefix(4) == [[0, 0], [2, 1], [4, 1], [6, 1]])
        // The rest writes tags.
        #expect(counts.all.dropFirst(4).allSatisfy { $0 == [7, 1] })
        #expect(try await bank.count(of: .keyRotated) == 1)
    }

    @Test func `runs while decisions are made`() async throws {
        let bank = try await premises.begin()
        var phones: [(AccountReference, Phone)] = []
        for number in 1...8 { phones.append(try await bank.activate("\(number)")) }
        let (both, _) = try newKeys()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (_, phone) in phones {
                group.addTask {
                    for _ in 1...10 {
                        let attempt = try await phone.attempt(over: .pinCheck, in: bank)
                        #expect(try await bank.verifier.checkPIN(attempt) == .accepted(nil))
                    }
                }
            }
            group.addTask {
                bank.verifier.use(both)
                _ = try await bank.verifier.rotateKeys(by: .operatorCommand, rowsAtOnce: 1)
            }
            try await group.waitForAll()
        }
        let counts = try await bank.read { ledger throws(StoreFailure) in
            try ledger.sealedCounts()
        }
        #expect(counts == [2: 17])
        for (_, phone) in phones {
            let attempt = try await phone.attempt(over: .pinCheck, in: bank)
            #expect(try await bank.verifier.checkPIN(attempt) == .accepted(nil))
        }
    }

    @Test func `does not undo a rekey between its read and its write`() async throws {
        let bank = try await premises.begin()
        let phone = try await bank.activate()
        let (both, _) = try newKeys()
        let read = try await bank.read { ledger throws(StoreFailure) in
            try ledger.sealedPlaces(in: SealedTable.all[0], after: nil, limit: 10)
        }
        #expect(try await phone.changePIN(in: bank) == .accepted(nil))
        let rekeyed = try await bank.credential(of: phone).credential.seed
        let secret: [UInt8] = [1]
        let other = try both.seal(secret.span, for: .fingerprintKey(of: []))
        let places = try #require(read).places
        let replaced = try await bank.database.write { connection throws(StoreFailure) in
            var count = 0
            for place in places where try Ledger(connection, nil).replace(place, by: other) {
                count += 1
            }
            return count
        }
        // The seed of the device credential is unchanged; the rekeyed seed is not replaced.
        #expect(replaced == 1)
        #expect(try await bank.credential(of: phone).credential.seed == rekeyed)
    }

    @Test func `completes an earlier rotation that was stopped`() async throws {
        let bank = try await premises.begin()
        for number in 1...3 { _ = try await bank.activate("\(number)") }
        let (both, _) = try newKeys()
        bank.verifier.use(both)
        let first = try await bank.read { ledger throws(StoreFailure) in
            try ledger.sealedPlaces(in: SealedTable.all[0], after: nil, limit: 1)
        }
        let place = try #require(first?.places.first)
        let secret = try both.open(place.value, for: place.owner)
        let sealed = try secret.withBytes { try both.seal($0, for: place.owner) }
        _ = try await bank.database.write { connection throws(StoreFailure) in
            try Ledger(connection, nil).replace(place, by: sealed)
        }
        let rotation = try await bank.verifier.rotateKeys(by: .operatorCommand)
        #expect(rotation.moved == 6)
        #expect(rotation.isComplete)
    }

    @Test func `names rows whose key is missing, and does not change them`() async throws {
        let bank = try await premises.begin()
        let phone = try await bank.activate()
        _ = try await bank.makeToken("core")
        let (both, alone) = try newKeys()
        bank.verifier.use(both)
        #expect(try await bank.verifier.rotateKeys(by: .operatorCommand).isComplete)
        // It remembers no rows, so it needs the key of each tag.
        let restarted = Verifier(
            database: bank.database,
            keys: KeyRing(alone),
            agreementKey: bank.agreementKey,
            journal: nil,
            clock: bank.clock.verifierClock
        )
        try premises.tamper(
            premises.inEngine(
                """
                UPDATE credentials SET seed = CAST(x'0100000001' || substr(seed, 6) AS BLOB)
                WHERE kind = 1;
                UPDATE bank_tokens SET tag = CAST(x'00000001' || substr(tag, 5) AS BLOB);
                """
            )
        )
        let rotation = try await restarted.rotateKeys(by: .operatorCommand)
        #expect(rotation.locked.names.first == "credentials device=\(phone.id) kind=1")
        #expect(rotation.locked.names.last?.hasPrefix("bank_tokens id=") == true)
        #expect(rotation.locked.count == 2)
        #expect(rotation.forged.count == 0)
        #expect(!rotation.isComplete)
        // The key may be missing by mistake, so the end waits for it.
        await #expect(throws: Verifier.Failure.sealedRecord(.keyMissing(version: 1))) {
            _ = try await restarted.endKeys(olderThan: 2, by: .operatorCommand)
        }
    }

    @Test func `changes nothing without the old key`() async throws {
        let bank = try await premises.begin()
        _ = try await bank.activate()
        let before = try await bank.contents()
        let verifier = Verifier(
            database: bank.database,
            keys: KeyRing(try #require(KeyEncryptionKeys([.random(version: 2)]))),
            agreementKey: bank.agreementKey,
            journal: nil,
            clock: bank.clock.verifierClock
        )
        await #expect(throws: Verifier.Failure.sealedRecord(.keyMissing(version: 1))) {
            _ = try await verifier.rotateKeys(by: .operatorCommand)
        }
        #expect(try await bank.contents() == before)
    }

    @Test func `prevents new values under an old key after the key is retired`()
        async throws
    {
        let bank = try await premises.begin()
        let phone = try await bank.activate()
        let stale = Verifier(
            database: bank.database,
            keys: KeyRing(premises.keys),
            agreementKey: bank.agreementKey,
            journal: nil,
            clock: bank.clock.verifierClock
        )
        func issue(_ verifier: Verifier, _ id: String) async throws {
            let account = try await bank.addAccount(id)
            _ = try await verifier.issueActivation(for: account, by: .operatorCommand)
        }
        let (both, _) = try newKeys()
        bank.verifier.use(both)
        #expect(try await !bank.verifier.endKeys(olderThan: 2, by: .operatorCommand))
        _ = try await bank.verifier.rotateKeys(by: .operatorCommand)
        #expect(try await bank.count(of: .keysEnded) == 0)
        #expect(try await bank.verifier.endKeys(olderThan: 2, by: .operatorCommand))
        #expect(try await bank.verifier.endKeys(olderThan: 2, by: .operatorCommand))
        #expect(try await bank.count(of: .keysEnded) == 1)
        let before = try await bank.verifier.sealedCounts()
        await #expect(throws: Verifier.Failure.sealedRecord(.keyMissing(version: 2))) {
            try await issue(stale, "late")
        }
        #expect(try await bank.verifier.sealedCounts() == before)
        try await issue(bank.verifier, "after")
        let attempt = try await phone.attempt(over: .pinCheck, in: bank)
        #expect(try await bank.verifier.checkPIN(attempt) == .accepted(nil))
    }

    @Test func `keeps the idempotency of the bank's calls`() async throws {
        let bank = try await premises.begin()
        let phone = try await bank.activate()
        let code = try await phone.typedCode(in: bank)
        #expect(try await phone.type(code, call: "call", in: bank) == .accepted(nil))
        let (both, alone) = try newKeys()
        bank.verifier.use(both)
        _ = try await bank.verifier.rotateKeys(by: .operatorCommand)
        let restarted = Verifier(
            database: bank.database,
            keys: KeyRing(alone),
            agreementKey: bank.agreementKey,
            journal: nil,
            clock: bank.clock.verifierClock
        )
        let result = try await restarted.verify(
            typed: code,
            .of([code], call: "call", on: phone.id, to: restarted),
            by: .token(name: "core")
        )
        #expect(result.result == .accepted(nil))
        let other = try await restarted.verify(
            typed: "00000000",
            .of(["00000000"], call: "call", on: phone.id, to: restarted),
            by: .token(name: "core")
        )
        #expect(other.result == .refused(.attemptReused))
    }
}

private final class KeptCounts: Sendable {
    private let lock = Lock()
    // Only touched while `lock` is held.
    private nonisolated(unsafe) var counts: [[Int]] = []

    var all: [[Int]] { lock.locked { counts } }

    func add(_ counts: Int...) {
        lock.locked { self.counts.append(counts) }
    }
}
