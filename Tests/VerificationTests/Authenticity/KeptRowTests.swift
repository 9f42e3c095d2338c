import OneTimePassword
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

    private enum Result: Equatable, Sendable {
        case accepted, forged, other
    }

    private func result(of attempt: Attempt) async -> Result {
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
        let results = await withTaskGroup { group in
            for attempt in attempts { group.addTask { await result(of: attempt) } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(results.count { $0 == .accepted } == 1)
        #expect(results.count { $0 == .forged } == 31)
    }

    @Test func `SEC-04: is forged for the next job of the same commit`() async throws {
        let (bank, id) = (scene.bank, scene.phone.id)
        let (ring, view) = (bank.verifier.keyRing, bank.verifier.memory.view())
        let failure = await #expect(throws: StoreFailure.self) {
            try await bank.database.write { connection throws(StoreFailure) in
                let first = Ledger(connection, ring, view)
                guard let old = try first.credentialState(.user, on: id) else { throw .misuse }
                var new = old
                new.credential.advance(to: Counter(old.credential.counter.value + 1))
                try first.save(new, replacing: old)
                _ = try Ledger(connection, ring, view).credentialState(.user, on: id)
            }
        }
        #expect(failure?.isForgery == true)
    }
}
