import Cryptography
import TransactionApproval

extension AuthenticationHandler {
    /// Whether there is an account, and so a PIN.
    ///
    /// Throws as `accounts()` does.
    public var isPINSetUp: Bool {
        get throws(AuthenticationError) { try !accounts().isEmpty }
    }

    /// Throws `pinPolicy` if the last known policy of an account does not allow the new PIN.
    ///
    /// Call it before the person types the new PIN a second time; it needs no network. `changePIN`
    /// checks the bank's current policies.
    public func checkNewPIN(_ pin: borrowing PIN) throws(AuthenticationError) {
        for policy in try newPINPolicies() { try pin.check(against: policy) }
    }

    /// The last known policies that a new PIN must follow: one per account.
    ///
    /// Empty if an earlier change left accounts: they get the PIN of the others.
    ///
    /// `profile(for:)`, for example, fetches the bank's current policy of an account.
    public func newPINPolicies() throws(AuthenticationError) -> [PINPolicy] {
        let accounts = try someAccounts()
        return accounts.leftByPINChange.isEmpty ? accounts.map(\.record.policy.pin) : []
    }

    /// Checks the PIN of an account online; a wrong PIN counts.
    ///
    /// Returns the attempt that the verifier accepted, for the activation with this claim.
    @discardableResult
    func checkPIN(
        _ pin: borrowing PIN,
        of account: OpenAccount,
        for claim: Digest? = nil
    ) async throws(AuthenticationError) -> AttemptID? {
        var accepted: AttemptID?
        let factor = Factor.pin(try pin.copy())
        _ = try await send(
            PINCheckExchange.self,
            over: .pinCheck,
            of: account.record.device,
            with: factor
        ) { envelope, _ throws(AuthenticationError) in
            accepted = envelope.attempt
            return PINCheckExchange.Request(claim, envelope: envelope)
        }
        return accepted
    }
}

extension PIN {
    /// For an operation that needs the PIN twice.
    borrowing func copy() throws(AuthenticationError) -> PIN {
        try digits.withBytes { digits throws(AuthenticationError) in try PIN(copying: digits) }
    }
}
