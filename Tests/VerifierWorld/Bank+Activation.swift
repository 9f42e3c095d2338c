import Cryptography
package import TransactionApproval
package import Verification

extension Bank {
    /// Runs a complete activation.
    package func activate(_ account: AccountReference = account) async throws -> Phone {
        try await activateAll(account, 1)[0]
    }

    /// Activates `count` linked accounts on one installation.
    package func activateAll(
        _ account: AccountReference = account,
        _ count: Int
    ) async throws -> [Phone] {
        let phones = try (0..<count).map { _ in try phone() }
        try await activate(account, on: phones)
        return phones
    }

    package func activate(_ account: AccountReference, on phones: [Phone]) async throws {
        let issued = try await issue(for: account)
        let submitted = try phones[0].claim(issued.id, issued.code)
        let commit = try await offered(submitted, to: phones, issued.code)
        try await complete(commit)
    }

    /// Runs the second step; every account must be enrolled.
    package func complete(_ commit: ActivationCommit) async throws {
        guard
            case .committed(let outcomes, _) = try await verifier.commit(commit),
            outcomes.allSatisfy({ $0 == .enrolled })
        else { throw Unexpected() }
    }

    /// A device before its activation.
    package func phone() throws -> Phone { try Phone(agreeingWith: agreementKey.publicKey) }

    package func issue(for account: AccountReference = account) async throws -> IssuedActivation {
        try await verifier.issueActivation(for: account, by: Self.core).issued()
    }

    /// Runs the first step, and prepares the second one.
    package func offered(
        _ submitted: SubmittedClaim,
        to phones: [Phone],
        _ code: borrowing ActivationCode,
        joining sibling: ActivationCommit.Sibling? = nil
    ) async throws -> ActivationCommit {
        guard case .offered(let offer, let mac) = try await verifier.claim(submitted) else {
            throw Unexpected()
        }
        return try phones[0].commit(
            submitted,
            offer,
            mac: mac,
            code,
            with: phones.dropFirst(),
            joining: sibling
        )
    }

    /// A further account of the same person.
    package func addLinkedAccount(
        _ id: String,
        to account: AccountReference = account
    ) async throws -> AccountReference {
        let linked = Self.account(id)
        guard
            try await verifier.addAccount(linked, by: Self.core) == .done,
            try await verifier.link(account, to: linked.key, by: Self.core) == .done
        else { throw Unexpected() }
        return linked
    }
}

extension IssueResult {
    /// The issued activation, if there is one.
    package consuming func issued() throws -> IssuedActivation {
        guard case .issued(let activation) = consume self else { throw Bank.Unexpected() }
        return activation
    }
}
