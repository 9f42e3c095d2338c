import OneTimePassword
package import TransactionApproval
package import Verification

extension Bank {
    /// A further account with a phone.
    package func activate(_ name: String) async throws -> (AccountReference, Phone) {
        let account = try await addAccount(name)
        return (account, try await activate(account))
    }

    package func addAccount(_ name: String) async throws -> AccountReference {
        let account = Self.account(name)
        _ = try await verifier.addAccount(account, by: Self.core)
        return account
    }

    @discardableResult
    package func revoke(_ phone: Phone) async throws -> DeviceResult {
        let account = try await credential(of: phone).device.account
        return try await verifier.revoke(phone.id, of: account, by: Self.core)
    }

    @discardableResult
    package func setEnabled(
        _ isEnabled: Bool,
        _ phone: Phone,
        _ kind: CredentialKind = .user
    ) async throws -> DeviceResult {
        let account = try await credential(of: phone).device.account
        return try await verifier.setEnabled(
            isEnabled,
            kind,
            on: phone.id,
            of: account,
            by: Self.core
        )
    }
}

extension Phone {
    /// Types the wrong PIN until the credential is locked.
    package func failUntilLocked(in bank: Bank) async throws {
        while case .refused(.wrongCode(.counted)) = try await checkPIN(with: .wrong, in: bank) {}
    }

    /// An attempt whose counter is ahead of the verifier's.
    package func attempt(
        over question: InBandQuestion,
        ahead: UInt64,
        in bank: Bank
    ) async throws -> Attempt {
        let (_, nextCounter, _) = try await context(.user, in: bank)
        return try await attempt(over: question, at: Counter(nextCounter.value + ahead), in: bank)
    }

    /// Guesses the PIN until the permanent lock.
    package func guessUntilBlocked(in bank: Bank) async throws {
        for _ in 1...100 {
            switch try await checkPIN(with: .wrong, in: bank) {
            case .refused(.wrongCode(.blocked)): return
            case .refused(.wrongCode(.locked)): bank.clock.advance(by: .seconds(24 * 60 * 60))
            case .refused(.wrongCode): break
            default: throw Bank.Unexpected()
            }
        }
        throw Bank.Unexpected()
    }

    package func changePIN(in bank: Bank) async throws -> AttemptResult {
        try await send(try await rekey(in: bank), in: bank)
    }
}
