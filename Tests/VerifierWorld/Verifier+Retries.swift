package import TransactionApproval
package import Verification

extension Verifier {
    /// By the operator.
    package func retry(
        _ sequence: UInt64,
        to target: Delivery.Target,
        only state: Delivery.Unfinished? = nil,
        in enterprise: EnterpriseID? = nil
    ) async throws(Failure) -> Int {
        try await retry(sequence, to: target, only: state, in: enterprise, by: .operatorCommand)
    }
}
