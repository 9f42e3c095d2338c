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
        case .checked(let verdict): return .verdict(verdict)
        case .repeated(let verdict): return .repeated(.verdict(verdict))
        case .keyReused: return .refused(IssuerProblem(.idempotencyKeyReused))
        }
    }
}

extension IssuerResponse {
    fileprivate static func verdict(_ verdict: AuthenticationValueVerdict) -> IssuerResponse {
        .ok(ShownVerdict(verdict: verdict), outcome: verdict.rawValue)
    }
}

private struct ShownVerdict: Encodable, Sendable {
    let verdict: AuthenticationValueVerdict
}
