import Cryptography
public import OneTimePassword
import TransactionApproval

extension AuthenticationHandler {
    /// Makes a code to type elsewhere, without a network; if there is `data`, the code signs it.
    ///
    /// The device cannot detect a wrong PIN: the code is then wrong. The network is needed only if an
    /// unanswered PIN change left it unknown which PIN is valid. If it stays unknown, throws the reason.
    /// With nil as `account`, it uses the first of `accounts()`.
    public func oneTimeCode(
        pin: consuming PIN,
        signing data: [UInt8]? = nil,
        for account: Account? = nil
    ) async throws(AuthenticationError) -> OneTimeCode {
        guard data?.isEmpty != true else { throw AuthenticationError(.signingDataMissing) }
        let account = try await recovered(activeAccount(account))
        let seed = try await seed(of: account, .pin(pin))
        // The person has left: no counter is used up.
        guard !Task.isCancelled else {
            throw AuthenticationError(.vaultLocked, cause: "the task was cancelled")
        }
        let taken = try await takeCounter(.user, of: account)
        do throws(SystemFailure) {
            let codes = try TypedCodes(of: taken.context, seed: seed)
            guard let data else { return codes.hotp.code(at: taken.counter) }
            return try codes.code(over: data, in: taken.epoch, at: taken.counter)
        } catch {
            throw AuthenticationError(system: error)
        }
    }

    /// The account, after it is known which of its PINs is valid: codes of the other PIN are wrong.
    private func recovered(
        _ account: OpenAccount
    ) async throws(AuthenticationError) -> OpenAccount {
        guard account.record.needsRecovery else { return account }
        let failure = try await recover { $0.device == account.record.device }
        let account = try self.account(account.record.device)
        // Without a failure, another program is finding out.
        guard !account.record.needsRecovery else {
            throw failure ?? AuthenticationError(.vaultLocked, cause: "another PIN change")
        }
        return account
    }
}
