import AuthenticationHandler
import Storage
import Testing
import VerifierWorld

extension World {
    @discardableResult
    func activate(
        by letter: Letter,
        in app: AuthenticationHandler? = nil
    ) async throws -> [Enrolment] {
        let app = try app ?? self.app()
        let verified = try await app.verifyActivation(activation(by: letter))
        return try await app.setPIN(.typed(Self.pin), for: verified)
    }

    /// Types a wrong PIN until it is locked.
    func lockPIN() async throws {
        for _ in 1...5 {
            _ = await error { try await app().logIn(with: .pin(.typed(Self.wrongPIN))) }
        }
    }

    /// The payment that the bank now requests, as the app shows it.
    func shown(for minorUnits: UInt64 = 47_11) async throws -> PendingTransaction {
        let id = try await bank.request(for: minorUnits).id
        return try await app().pendingTransactions().transactions.first { $0.id == id }.unwrapped()
    }

    /// A payment from the bank's request to its end.
    func approve() async throws {
        // The verifier sends at most five requests in ten minutes.
        bank.clock.advance(by: .seconds(150))
        let shown = try await shown()
        try await app().approve(shown, with: .pin(.typed(Self.pin)))
        guard try await bank.outcome(of: shown.id) == "approved by userPIN" else {
            throw Bank.Unexpected()
        }
    }

    // MARK: Backups of the verifier

    func backUp(_ premises: Premises) async throws {
        try await premises.store.backUp(to: premises.path + "/backup")
    }

    /// Replaces the store with the backup, and restores it as an operator does.
    mutating func restore(_ premises: Premises) async throws {
        await bank.close()
        try premises.store.putBack(premises.path + "/backup")
        _ = try await premises.restore()
        try use(try await premises.open())
    }
}

extension AuthenticationHandler {
    /// A login without a challenge of a backend.
    func logIn(
        with method: consuming AuthenticationMethod,
        for account: Account? = nil
    ) async throws(AuthenticationError) -> String {
        try await logIn(with: method, signing: nil, for: account)
    }

    /// The oldest pending transaction; nil without one, or without an account.
    func oldest() async throws -> PendingTransaction? {
        do {
            return try await getTransaction()
        } catch  where error.code == .noAccountActivated {
            return nil
        }
    }
}

/// The error of an operation; nil if it succeeds.
func error(_ operation: () async throws -> some Any) async -> AuthenticationError? {
    do {
        _ = try await operation()
        return nil
    } catch let error as AuthenticationError {
        return error
    } catch {
        Issue.record(error)
        return nil
    }
}
