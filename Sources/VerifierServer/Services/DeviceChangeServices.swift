import TransactionApproval
import Verification

extension PushExchange: MessageService {
    static func outcome(of call: Call) async throws(Verifier.Failure) -> Outcome<Response> {
        let (setting, attempt) = (call.request.setting, call.request.attempt)
        if case .web(let subscription) = setting, call.api.webPush?.takes(subscription) != true {
            return .refused(.invalidArgument)
        }
        return try await call.outcome(
            try await call.verifier.setPush(setting, on: call.device, attempt: attempt)
        )
    }
}

extension BiometricRemovalExchange: MessageService {
    static func outcome(of call: Call) async throws(Verifier.Failure) -> Outcome<Response> {
        let attempt = call.request.attempt
        return try await call.outcome(
            try await call.verifier.removeBiometrics(from: call.device, attempt: attempt)
        )
    }
}

extension DeletionExchange: MessageService {
    static func outcome(of call: Call) async throws(Verifier.Failure) -> Outcome<Response> {
        try await call.outcome(
            try await call.verifier.delete(call.device, attempt: call.request.attempt)
        )
    }
}

extension AccountChangesExchange: MessageService {
    static func outcome(of call: Call) async throws(Verifier.Failure) -> Outcome<Response> {
        switch try await call.verifier.accountChanges(for: call.device) {
        case .found(let changes): .done(Response(changes: changes))
        case .refused(let refusal): .refused(try await call.problem(refusal))
        }
    }
}
