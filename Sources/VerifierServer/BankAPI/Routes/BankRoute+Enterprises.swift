import StrictJSON
package import TransactionApproval
import Verification

extension BankRoute {
    static let enterprises = [
        BankRoute(.get, root + "enterprises", .read, BankRequest.listEnterprises),
        BankRoute(.get, ofEnterprise, .read, BankRequest.showEnterprise),
        BankRoute(
            .put,
            ofEnterprise,
            .administration,
            as: .createEnterprise,
            takingPolicy: BankRequest.createEnterprise
        ),
        BankRoute(.get, ofEnterprise + "/policy", .read, BankRequest.showPolicy),
        BankRoute(
            .put,
            ofEnterprise + "/policy",
            .administration,
            as: .setPolicy,
            takingPolicy: BankRequest.setPolicy
        ),
    ]
}

extension BankRequest {
    fileprivate func listEnterprises() async throws(Verifier.Failure) -> BankResponse {
        let ids = try await verifier.enterprises().filter(caller.reach.includes)
        return .ok(EnterpriseList(enterprises: ids.map { EnterpriseResource(id: $0) }))
    }

    fileprivate func showEnterprise() async throws(Verifier.Failure) -> BankResponse {
        .ok(EnterpriseResource(id: enterprise))
    }

    fileprivate func createEnterprise(
        policy: String
    ) async throws(Verifier.Failure) -> BankResponse {
        let resource = EnterpriseResource(id: enterprise)
        return switch try await verifier.addEnterprise(enterprise, policy: policy, by: author) {
        case .done: .created(resource, at: target)
        case .unchanged: .ok(resource)
        case .enterpriseExists: .refused(.own(.enterpriseExists))
        case .unknownEnterprise: .notFound(.enterprise)
        }
    }

    fileprivate func showPolicy() async throws(Verifier.Failure) -> BankResponse {
        guard let policy = try await verifier.policy(of: enterprise) else {
            return .notFound(.enterprise)
        }
        return .file(Array(policy.utf8), type: "application/json")
    }

    fileprivate func setPolicy(_ policy: String) async throws(Verifier.Failure) -> BankResponse {
        switch try await verifier.setPolicy(policy, of: enterprise, by: author) {
        case .done, .unchanged: .noContent
        case .enterpriseExists, .unknownEnterprise: .notFound(.enterprise)
        }
    }
}

package struct EnterpriseResource: Codable, Sendable {
    package let id: EnterpriseID
}

package struct EnterpriseList: Codable, Sendable {
    package let enterprises: [EnterpriseResource]
}

extension BankProblem {
    init(_ failure: EnterprisePolicy.Failure) {
        self =
            switch failure {
            case .document(let failure): BankProblem(failure)
            case .violations(let violations): .content(.invalidContent, violations)
            case .guessing(let probability):
                .content(.invalidContent, [.guessing(probability)])
            }
    }
}

extension Violation {
    /// Several members together cause it, so it concerns the whole document.
    fileprivate static func guessing(_ probability: GuessProbability) -> Violation {
        Violation(
            "",
            Rule(rawValue: "guessing"),
            "\(probability.sentence()) Decrease lookAhead or lock.failures, or increase "
                + "pin.minimumDigits or minimumTokenDigits."
        )
    }
}
