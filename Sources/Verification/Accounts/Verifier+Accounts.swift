import Cryptography
import Storage
package import TransactionApproval

extension Verifier {
    package enum AccountResult: Equatable, Sendable {
        case done, unknownEnterprise, unknownAccount
        /// The account exists, or already has the wanted state.
        case unchanged
        /// An account would have more devices than the policy allows.
        case tooManyDevices
        case testAccountForbidden
        /// It exists, and only one of the existing and the wanted account is a test account.
        case accountExists
        /// Only one of the two accounts is a test account.
        case mixedTestAccounts
        /// The wanted successor was replaced itself.
        case successorReplaced
    }

    /// Without `isTest`, an existing account keeps its mark, and a new one is not a test account.
    package func addAccount(
        _ account: AccountReference,
        isTest: Bool? = nil,
        by author: ChangeAuthor
    ) async throws(Failure) -> AccountResult {
        return try await change(by: author) { [policies] context throws(StoreFailure) in
            guard try context.ledger.hasEnterprise(account.enterprise) else {
                return .unknownEnterprise
            }
            if let existing = try context.ledger.account(account) {
                return existing.isTest == isTest ?? existing.isTest ? .unchanged : .accountExists
            }
            let isTest = isTest ?? false
            let policy = try policies.policy(of: account.enterprise, context.ledger)
            guard policy.allowsTestAccounts || !isTest else { return .testAccountForbidden }
            guard try context.ledger.add(account, isTest: isTest) else { return .unchanged }
            context.events.append(.accountCreated(account, isTest: isTest))
            return .done
        }
    }

    /// Records that two accounts belong to one person: later activations cover both.
    package func link(
        _ first: AccountReference,
        to second: AccountKey,
        by author: ChangeAuthor
    ) async throws(Failure) -> AccountResult {
        let person = try translatingSystemFailure(PersonID.random(), to: Failure.system)
        return try await change(by: author) { context throws(StoreFailure) in
            let other = AccountReference(enterprise: first.enterprise, key: second)
            guard
                let left = try context.ledger.account(first),
                let right = try context.ledger.account(other), left != right
            else { return .unknownAccount }
            guard left.isTest == right.isTest else { return .mixedTestAccounts }
            guard left.person == nil || left.person != right.person else { return .unchanged }
            try context.ledger.link(left, right, as: person)
            context.events.append(Event(.accountsLinked, of: second, in: first))
            return .done
        }
    }

    /// Ends the link of an account to a person: later activations no longer cover it.
    ///
    /// An account and the accounts that it replaced stay together, so an unlink resets no limits.
    /// The accounts of one installation still share one failure count, because they share one PIN.
    /// So an unlink adds no attempts. A mute by the person, and the count of consents, stay on both
    /// accounts.
    package func unlink(
        _ second: AccountKey,
        from first: AccountReference,
        by author: ChangeAuthor
    ) async throws(Failure) -> AccountResult {
        try await change(by: author) { context throws(StoreFailure) in
            try context.unlink(second, from: first)
        }
    }
}

extension ChangeContext {
    mutating func unlink(
        _ second: AccountKey,
        from first: AccountReference
    ) throws(StoreFailure) -> Verifier.AccountResult {
        let other = AccountReference(enterprise: first.enterprise, key: second)
        guard
            let left = try ledger.account(first), let right = try ledger.account(other),
            left != right
        else { return .unknownAccount }
        guard left.person != nil, left.person == right.person else { return .unchanged }
        let group = try ledger.replacements(with: right)
        guard !group.contains(where: { $0.reference == first }) else { return .unchanged }
        try dropOffers(toPersonOf: left)
        try ledger.spreadConsents(of: left)
        let mutedUntil = try ledger.mutedUntil(right)
        guard var kept = try ledger.account(first) else { throw .damaged }
        if kept.mutedUntil != mutedUntil {
            kept.mutedUntil = mutedUntil
            try ledger.save(kept)
        }
        let person =
            group.count > 1
            ? try translatingSystemFailure(PersonID.random(), to: StoreFailure.system) : nil
        for account in group {
            guard var unlinked = try ledger.account(account.reference) else { throw .damaged }
            if unlinked.reference == other { unlinked.mutedUntil = mutedUntil }
            unlinked.person = person
            try ledger.save(unlinked)
        }
        events.append(Event(.accountsUnlinked, of: second, in: first))
        return .done
    }

    /// Makes devices repeat an activation's first step, because its offer has an unlinked account.
    fileprivate func dropOffers(toPersonOf account: Account) throws(StoreFailure) {
        for account in try ledger.allAccounts(of: account) {
            for id in try ledger.openActivations(of: account.reference) {
                guard let old = try ledger.activation(id) else { throw .damaged }
                var new = old
                if new.dropClaim() { try ledger.save(new) }
            }
        }
    }
}
