import Cryptography
package import TransactionApproval

/// The state of one change by the bank, an operator or a timer, within its store transaction.
struct ChangeContext {
    let ledger: Ledger
    let now: Timestamp
    let epoch: Epoch
    var events: [Event] = []
}

extension ChangeContext {
    /// Whether an account can have this many more devices.
    func hasRoom(
        in account: AccountReference,
        forDevices count: Int = 1,
        under policy: EnterprisePolicy
    ) throws(StoreFailure) -> Bool {
        try ledger.activeDeviceCount(of: account) + count <= policy.devicesPerAccount
    }
}

extension Verifier {
    /// Runs a change and records its events on the audit trail, in one store transaction.
    func change<Outcome: Sendable>(
        by actor: Actor,
        _ body: @escaping @Sendable (inout ChangeContext) throws(StoreFailure) -> Outcome
    ) async throws(Failure) -> Outcome {
        let clock = clock
        return try await write { ledger throws(StoreFailure) in
            let state = try ledger.state()
            let now = clock.now(in: state)
            var context = ChangeContext(ledger: ledger, now: now, epoch: state.epoch)
            let outcome = try body(&context)
            try ledger.record(context.events, by: actor, at: now, after: state.audit)
            return outcome
        }
    }
}

// MARK: Enterprises and accounts

extension Verifier {
    /// Initializes an empty store; returns false if it is initialized.
    @discardableResult
    package func begin() async throws(Failure) -> Bool {
        let id = try onThisMachine { () throws(CryptographyFailure) in try randomBytes(count: 16) }
        return try await write { ledger throws(StoreFailure) in try ledger.begin(id) }
    }

    package enum PolicyResult: Equatable, Sendable {
        case done
        /// The policy is already set.
        case unchanged
        case unknownEnterprise
        /// An enterprise of this name exists, with another policy.
        case enterpriseExists
    }

    /// Creates an enterprise with its first policy.
    @discardableResult
    package func addEnterprise(
        _ enterprise: EnterpriseID,
        policy document: String,
        by actor: Actor
    ) async throws(Failure) -> PolicyResult {
        try check(document)
        return try await change(by: actor) { context throws(StoreFailure) in
            if let found = try context.ledger.enterprise(enterprise) {
                return found.document == document ? .unchanged : .enterpriseExists
            }
            _ = try context.ledger.setPolicy(document, of: enterprise)
            context.events.append(Event(.enterpriseCreated, of: enterprise, in: nil))
            return .done
        }
    }

    /// Replaces the policy of an existing enterprise; it creates none, because a name may be
    /// misspelt.
    @discardableResult
    package func setPolicy(
        _ document: String,
        of enterprise: EnterpriseID,
        by actor: Actor
    ) async throws(Failure) -> PolicyResult {
        try check(document)
        return try await change(by: actor) { context throws(StoreFailure) in
            guard try context.ledger.enterprise(enterprise) != nil else {
                return .unknownEnterprise
            }
            guard try context.ledger.setPolicy(document, of: enterprise) else { return .unchanged }
            context.events.append(Event(.policyChanged, of: enterprise, in: nil))
            return .done
        }
    }

    private func check(_ document: String) throws(Failure) {
        do throws(EnterprisePolicy.Failure) {
            _ = try EnterprisePolicy(document: document, guessingCeiling: policies.guessingCeiling)
        } catch {
            throw .policy(error)
        }
    }

    package enum AccountResult: Equatable, Sendable {
        case done, unknownEnterprise, unknownAccount
        /// The account exists, or already has the wanted state.
        case unchanged
        /// An account would have more devices than the policy allows.
        case tooManyDevices
    }

    package func addAccount(
        _ account: AccountReference,
        by actor: Actor
    ) async throws(Failure) -> AccountResult {
        try await change(by: actor) { context throws(StoreFailure) in
            guard try context.ledger.enterprise(account.enterprise) != nil else {
                return .unknownEnterprise
            }
            guard try context.ledger.add(account) else { return .unchanged }
            context.events.append(Event(.accountCreated, of: account.key, in: account))
            return .done
        }
    }

    /// Records that two accounts belong to one person: later activations cover both.
    package func link(
        _ first: AccountReference,
        to second: AccountKey,
        by actor: Actor
    ) async throws(Failure) -> AccountResult {
        let person = try onThisMachine { () throws(CryptographyFailure) in try PersonID.random() }
        return try await change(by: actor) { context throws(StoreFailure) in
            let other = AccountReference(enterprise: first.enterprise, key: second)
            guard
                let left = try context.ledger.account(first),
                let right = try context.ledger.account(other), left != right
            else { return .unknownAccount }
            guard left.person == nil || left.person != right.person else { return .unchanged }
            try context.ledger.link(left, right, as: person)
            context.events.append(Event(.accountsLinked, of: second, in: first))
            return .done
        }
    }
}
