import BankIntegration
import Storage
import ThreeDSProtocol
import Transactions

extension IssuerRoute {
    static let values = [
        IssuerRoute(
            .post,
            root + "authentication-values/check",
            takesKey: true,
            taking: IssuerRequest.checkValue
        )
    ]
}

extension IssuerRequest {
    fileprivate func checkValue(_ check: ValueCheck) async throws(StoreFailure) -> IssuerResponse {
        let call: KeyedCall?
        switch keyedCall {
        case .success(let found): call = found
        case .failure(let problem): return .refused(problem)
        }
        switch try await service.outcome(of: check, call) {
        case .checked(let result): return .checked(result)
        case .repeated(let result): return .repeated(.checked(result))
        case .keyReused: return .refused(IssuerProblem(.idempotencyKeyReused))
        }
    }
}

extension IssuerResponse {
    fileprivate static func checked(_ result: CheckResult) -> IssuerResponse {
        .ok(result, outcome: result.verdict.rawValue)
    }
}
