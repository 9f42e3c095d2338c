import OneTimePassword
import PrivateFiles
import Sealing
import TestSupport
import Testing
import TransactionApproval
import VerifierWorld

@testable import Storage
@testable import Verification

/// An attacker with the rights of the tables' owner makes the database keep a row as it was.
///
/// SQLite runs no trigger for a verifier.
@Suite(.needsPostgres) struct `A row that a trigger keeps` {
    private let scene: ForgeryScene

    init() async throws {
        scene = try await StoreKind.$current.withValue(.postgreSQL) { try await ForgeryScene() }
        let keep = """
            CREATE FUNCTION keep() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN OLD; END';
            CREATE TRIGGER keep BEFORE UPDATE ON credentials FOR EACH ROW EXECUTE FUNCTION keep()
            """
        #expect(try scene.premises.store.output(of: keep) == "")
    }

    private enum Outcome: Equatable, Sendable {
        case accepted, forged, other
    }

    private func outcome(of attempt: Attempt) async -> Outcome {
        do throws(Verifier.Failure) {
            let result = try await scene.bank.verifier.checkPIN(attempt)
            return result == .accepted(nil) ? .accepted : .other
        } catch .store(let reason) where reason.isForgery {
            return .forged
        } catch {
            return .other
        }
    }

    /// Some share a commit, and others follow before the first one has its result.
    @Test func `SEC-04: has one of 32 concurrent copies of a code accepted`() async throws {
        let code = try await scene.phone.attempt(over: .pinCheck, in: scene.bank)
        let attempts = try (0..<32).map { _ in try code.withNewID() }
        let outcomes = await withTaskGroup { group in
            for attempt in attempts { group.addTask { await outcome(of: attempt) } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(outcomes.count { $0 == .accepted } == 1)
        #expect(outcomes.count { $0 == .forged } == 31)
    }

    private func useNextCounter(in ledger: Ledger) throws(StoreFailure) {
        guard let old = try ledger.credentialState(.user, on: scene.phone.id) else { throw .misuse }
        var new = old
        new.credential.advance(to: Counter(old.credential.counter.value + 1))
        try ledger.save(new, replacing: old)
    }

    @Test func `SEC-04: is forged for the next job of the same commit`() async throws {
        let (ring, view) = (scene.bank.verifier.keyRing, scene.bank.verifier.memory.view())
        let failure = await #expect(throws: StoreFailure.self) {
            try await scene.bank.database.write { connection throws(StoreFailure) in
                try useNextCounter(in: Ledger(connection, ring, view))
                try useNextCounter(in: Ledger(connection, ring, view))
            }
        }
        #expect(failure?.isForgery == true)
    }

    /// Its caller does not remember the row later.
    @Test func `SEC-04: is forged for the first job of the next commit`() async throws {
        let (ring, memory) = (scene.bank.verifier.keyRing, scene.bank.verifier.memory)
        try await scene.bank.database.write { connection throws(StoreFailure) in
            try useNextCounter(in: Ledger(connection, ring, memory.view()))
        }
        let failure = await #expect(throws: StoreFailure.self) {
            try await scene.bank.database.write { connection throws(StoreFailure) in
                try useNextCounter(in: Ledger(connection, ring, memory.view()))
            }
        }
        #expect(failure?.isForgery == true)
    }
}

/// SQLite runs no trigger for a verifier, but a program can put a row back between two commits.
@Suite(.onEveryStore) struct `A row that was written together with a job that failed` {
    @Test func `SEC-04: is remembered before the next commit`() async throws {
        let scene = try await ForgeryScene()
        let (ring, memory) = (scene.bank.verifier.keyRing, scene.bank.verifier.memory)
        let phone = scene.phone
        try scene.premises.keepRows(of: .credentials)
        let database = try (scene.bank.database as? any QueuedDatabase).unwrapped()
        let point = StopPoint()
        let held = Task { try await database.write { _ in point.stop() } }
        await point.waitUntilReached()
        let failure: StoreFailure? = await withCheckedContinuation { caller in
            let first = SubmittedJob { connection throws(StoreFailure) in
                let ledger = Ledger(connection, ring, memory.view())
                guard let old = try ledger.credentialState(.user, on: phone.id) else {
                    throw .misuse
                }
                var new = old
                new.credential.advance(to: Counter(old.credential.counter.value + 1))
                try ledger.save(new, replacing: old)
            } caller: { _ in
            }
            let second = SubmittedJob { _ throws(StoreFailure) in
                throw .conflict
            } caller: { (result: Result<Void, StoreFailure>) in
                caller.resume(returning: result.failure)
            }
            let isOpen = database.writing.append(first) && database.writing.append(second)
            #expect(isOpen)
            point.resume()
        }
        try await held.value
        #expect(failure == .conflict)
        try scene.premises.putBackRows(of: .credentials)
        let found = await #expect(throws: StoreFailure.self) {
            try await database.write { connection throws(StoreFailure) in
                let ledger = Ledger(connection, ring, memory.view())
                _ = try ledger.credentialState(.user, on: phone.id)
            }
        }
        #expect(found?.isForgery == true)
    }
}
