import TransactionApproval
import Verification

extension BiometricRemovalExchange: MessageService {
    static func outcome(
        of request: Request,
        from sender: Sender,
        by api: DeviceAPI
    ) async throws(Verifier.Failure) -> Outcome<Response> {
        let answer = try await api.verifier.removeBiometrics(
            from: sender.device,
            attempt: request.attempt
        )
        return try await api.outcome(of: answer, to: sender.device)
    }
}
