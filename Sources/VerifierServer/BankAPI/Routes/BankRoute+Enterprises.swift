package import TransactionApproval
import Verification

extension BankRoute {
    static let enterprises = [
        BankRoute(.get, root + "enterprises", .read, listEnterprises),
        BankRoute(.get, ofEnterprise, .read, showEnterprise),
        BankRoute(.put, ofEnterprise, .administration, takingDocument: makeEnterprise),
        BankRoute(.get, ofEnterprise + "/policy", .read, showPolicy),
        BankRoute(
            .put,
            ofEnterprise + "/policy",
            .administration,
            takingDocument: setPolicy
        ),
    ]

    private static func listEnterprises(
        _ request: BankRequest
    ) async throws(Verifier.Failure) -> BankResponse {
        let reach = request.caller.reach
        let ids = try await request.verifier.enterprises().filter(reach.includes)
        return .ok(EnterpriseList(enterprises: ids.map { EnterpriseResource(id: $0) }))
    }

    private static func showEnterprise(
        _ request: BankRequest
    ) async throws(Verifier.Failure) -> BankResponse {
        .ok(EnterpriseResource(id: request.enterprise))
    }

    private static func makeEnterprise(
        _ request: BankRequest,
        _ policy: String
    ) async throws(Verifier.Failure) -> BankResponse {
        let answer = try await request.verifier.addEnterprise(
            request.enterprise,
            policy: policy,
            by: request.actor
        )
        let resource = EnterpriseResource(id: request.enterprise)
        return switch answer {
        case .done: .created(resource, at: request.target)
        case .unchanged: .ok(resource)
        case .enterpriseExists: .refused(.own(.enterpriseExists))
        case .unknownEnterprise: .notFound
        }
    }

    private static func showPolicy(
        _ request: BankRequest
    ) async throws(Verifier.Failure) -> BankResponse {
        guard let policy = try await request.verifier.policy(of: request.enterprise) else {
            return .notFound
        }
        return .file(Array(policy.utf8), type: "application/json")
    }

    private static func setPolicy(
        _ request: BankRequest,
        _ policy: String
    ) async throws(Verifier.Failure) -> BankResponse {
        let answer = try await request.verifier.setPolicy(
            policy,
            of: request.enterprise,
            by: request.actor
        )
        return switch answer {
        case .done, .unchanged: .noContent
        case .enterpriseExists, .unknownEnterprise: .notFound
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
            case .member(let pointer): .own(.invalidContent, at: pointer)
            // Several members together cause it, so there is no pointer.
            case .guessing: .own(.invalidContent)
            }
    }
}
