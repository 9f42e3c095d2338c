import TransactionApproval
import Verification

extension PushExchange: MessageService {
    static func outcome(
        of request: Request,
        from sender: Sender,
        by api: DeviceAPI
    ) async throws(Verifier.Failure) -> Outcome<Response> {
        let answer = try await api.verifier.setPush(
            request.setting,
            on: sender.device,
            attempt: request.attempt
        )
        return try await api.outcome(of: answer, to: sender.device)
    }
}

extension DeletionExchange: MessageService {
    static func outcome(
        of request: Request,
        from sender: Sender,
        by api: DeviceAPI
    ) async throws(Verifier.Failure) -> Outcome<Response> {
        let answer = try await api.verifier.delete(sender.device, attempt: request.attempt)
        return try await api.outcome(of: answer, to: sender.device)
    }
}
