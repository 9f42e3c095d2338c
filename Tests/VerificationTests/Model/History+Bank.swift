import TransactionApproval
import Verification
import VerifierWorld

/// The bank's calls.
extension History {
    mutating func requestTransaction() async throws -> Bool {
        let index = device()
        // Far enough apart to stay below the rate limits, which have their own tests.
        bank.clock.advance(by: .seconds(3 * 3600))
        model.now = bank.clock.now
        let takesConsent = Bool.random(using: &random)
        let minorUnits = UInt64(lines.count + 1)
        let request = TransactionRequest(
            account: Self.accounts[index],
            content: try .payment(of: minorUnits),
            authentication: takesConsent ? [.userPIN, .consent] : .userPIN
        )
        let result = try await bank.verifier.request(request, by: Bank.core)
        guard case .created(let transaction, _) = result else {
            return agree("request for \(index) refused", false, model.mayRequest(index))
        }
        let isAllowed = model.mayRequest(index)
        transactions.append(transaction)
        model.add(transaction, of: index, minorUnits, takesConsent: takesConsent)
        let types = model.payments[transaction.id]?.takesConsent
        guard transaction.acceptedAuthentication.contains(.consent) == types else {
            return agree("consent to \(transaction.id)", types != true, types == true)
        }
        return agree("request \(transaction.id) for \(index)", true, isAllowed)
    }

    mutating func unlock(on chosen: Int? = nil) async throws -> Bool {
        let index = chosen ?? device()
        let found = try await bank.verifier.unlock(
            .user,
            on: phones[index].id,
            of: Self.accounts[index],
            by: Bank.core
        )
        return agree("unlock \(index)", found, model.unlock(index))
    }

    mutating func setEnabled() async throws -> Bool {
        // Enabled more often than disabled, or most later steps would be refused.
        let (index, isEnabled) = (device(), Int.random(in: 0..<4, using: &random) > 0)
        let kinds: [CredentialKind?] = [.user, .device, nil]
        let kind = kinds.randomElement(using: &random) ?? nil
        let found = try await bank.verifier.setEnabled(
            isEnabled,
            kind,
            on: phones[index].id,
            of: Self.accounts[index],
            by: Bank.core
        )
        return agree(
            "enabled \(kind.map { "\($0)" } ?? "all") on \(index) \(isEnabled)",
            found,
            model.setEnabled(isEnabled, kind, index)
        )
    }

    mutating func notify() async throws -> Bool {
        guard let transaction = pick(transactions.suffix(3)) else { return true }
        advance(by: .seconds(pick([0, 29, 30, 31]) ?? 0))
        let account = AccountReference(enterprise: Bank.enterprise, key: transaction.account)
        let found = try await bank.verifier.notify(of: transaction.id, of: account, by: Bank.core)
        return agree("notify \(transaction.id)", found, model.notify(transaction.id))
    }

    mutating func withdraw() async throws -> Bool {
        guard let transaction = pick(transactions.suffix(4)) else { return true }
        let account = AccountReference(enterprise: Bank.enterprise, key: transaction.account)
        let found = try await bank.verifier.withdraw(transaction.id, of: account, by: Bank.core)
        return agree("withdraw \(transaction.id)", found, model.withdraw(transaction.id))
    }

    mutating func redeem() async throws -> Bool {
        guard let id = pick(grants.suffix(4)), let index = model.grants[id]?.account else {
            return true
        }
        let isSigned = Int.random(in: 0..<4, using: &random) > 0
        let result = try await bank.verifier.redeemLogin(
            id,
            of: Self.accounts[index],
            over: isSigned ? Phone.challenge : [1, 2, 3],
            by: Bank.core
        )
        let step = "redeem \(id), data \(isSigned)"
        let expected = model.redeem(id, isSigned)
        switch result {
        case .redeemed: return agree(step, .accepted, expected)
        case .refused(let refusal): return agree(step, .refused(refusal), expected)
        case .unknown, .keyReused, .repeated, .testAccountForbidden:
            return agree(step + " unknown", true, false)
        }
    }

    mutating func revoke() async throws -> Bool {
        // Rarely, because a revoked device can do nothing more.
        guard Int.random(in: 0..<4, using: &random) == 0 else { return true }
        let index = device()
        let found = try await bank.verifier.revoke(
            phones[index].id,
            of: Self.accounts[index],
            by: Bank.core
        )
        return agree("revoke \(index)", found, model.revoke(index))
    }

    mutating func expire() async throws -> Bool {
        agree("expired", try await bank.verifier.expire(atMost: 1000), model.expire())
    }
}
