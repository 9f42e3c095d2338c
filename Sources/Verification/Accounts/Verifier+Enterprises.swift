import Cryptography
import FailureTranslation
import Storage
import StrictJSON
package import TransactionApproval

extension Verifier {
    /// Initializes an empty store; returns false if it is initialized.
    @discardableResult
    package func begin() async throws(Failure) -> Bool {
        let id = try translatingSystemFailure(randomBytes(count: 16), to: Failure.system)
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
    ///
    /// A repeated call has no effect, also if another text describes the same policy.
    @discardableResult
    package func addEnterprise(
        _ enterprise: EnterpriseID,
        policy document: String,
        by author: ChangeAuthor
    ) async throws(Failure) -> PolicyResult {
        let policy = try checkedPolicy(document)
        return try await change(by: author) { [policies] context throws(StoreFailure) in
            guard try !context.ledger.hasEnterprise(enterprise) else {
                let found = try policies.policy(of: enterprise, context.ledger)
                return found == policy ? .unchanged : .enterpriseExists
            }
            _ = try context.ledger.setPolicy(document, of: enterprise)
            context.events.append(
                Event(.enterpriseCreated, of: enterprise, within: .enterprise(enterprise))
            )
            return .done
        }
    }

    /// Replaces the policy of an existing enterprise; it creates none, because a name may be
    /// misspelt.
    @discardableResult
    package func setPolicy(
        _ document: String,
        of enterprise: EnterpriseID,
        by author: ChangeAuthor
    ) async throws(Failure) -> PolicyResult {
        _ = try checkedPolicy(document)
        return try await change(by: author) { context throws(StoreFailure) in
            guard try context.ledger.hasEnterprise(enterprise) else {
                return .unknownEnterprise
            }
            guard try context.ledger.setPolicy(document, of: enterprise) else { return .unchanged }
            context.events.append(
                Event(.policyChanged, of: enterprise, within: .enterprise(enterprise))
            )
            return .done
        }
    }

    /// Checks a policy without setting it.
    package func check(policy document: String) throws(Failure) {
        _ = try checkedPolicy(document)
    }

    private func checkedPolicy(_ document: String) throws(Failure) -> EnterprisePolicy {
        let policy = try translating(
            EnterprisePolicy(document: document, guessingCeiling: policies.guessingCeiling),
            to: Failure.policy
        )
        let violations = policy.violationsOfNewPolicies
        guard violations.isEmpty else { throw .policy(.violations(violations)) }
        return policy
    }
}

extension EnterprisePolicy {
    /// Labels that no field can have, and too many of them; stored policies may require them.
    fileprivate var violationsOfNewPolicies: [Violation] { violationsOfLabels + violationsOfCounts }

    private var violationsOfCounts: [Violation] {
        let limit = Transaction.Content.maximumFields
        let tooMany = requiredFields.enumerated().filter { Set($0.element.labels).count > limit }
        return tooMany.map { index, fields in
            Violation(
                "/requiredFields/\(index)/labels",
                .tooMany,
                "A transaction has at most \(limit) fields."
            )
        }
    }

    private var violationsOfLabels: [Violation] {
        let limit = Transaction.DisplayField.maximumLabelLength
        return requiredFields.enumerated().flatMap { index, fields in
            fields.labels.enumerated().filter { $0.element.count > limit }.map { number, label in
                Violation(
                    "/requiredFields/\(index)/labels/\(number)",
                    .tooLong,
                    value: label.text,
                    "Must have at most \(limit) characters."
                )
            }
        }
    }
}
