import BankIntegration
import Storage
import ThreeDSProtocol

extension IssuerRoute {
    static let values = [
        IssuerRoute(
            .post,
            root + "authentication-values/check",
            taking: IssuerRequest.checkValue
        )
    ]
}

extension IssuerRequest {
    fileprivate func checkValue(_ check: ValueCheck) async throws(StoreFailure) -> IssuerResponse {
        let verdict = try await service.verdict(
            about: check.value,
            dsTransID: check.dsTransID,
            card: check.card,
            amount: check.amount
        )
        return .ok(ShownVerdict(verdict: verdict), outcome: verdict.rawValue)
    }
}

private struct ShownVerdict: Encodable, Sendable {
    let verdict: AuthenticationValueVerdict
}
