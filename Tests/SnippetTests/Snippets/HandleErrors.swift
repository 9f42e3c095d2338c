import AuthenticationHandler

extension App {
    func approve(_ transaction: PendingTransaction, with digits: inout [UInt8]) async {
        do {
            try await handler.approve(transaction, with: .pin(PIN(wiping: &digits)))
        } catch {
            switch error.code {
            case .authenticationFailed where transaction.typedDigits != nil:
                show("Wrong PIN or number; \(error.attemptsLeft ?? 0) attempts left.")
            case .authenticationFailed: show("Wrong PIN; \(error.attemptsLeft ?? 0) attempts left.")
            case .credentialLocked where error.lock == .never: show("Request a new activation.")
            case .credentialLocked: offerToReject(transaction, until: error.lock)
            case .responseMissing, .serverUnavailable: show("The result is not known yet.")
            case .serverUntrusted where error.trustFailure == .response:
                show("The result is not known yet.")
            default: show(error.description)
            }
        }
    }

    func rejectUnlessCancelled(_ transaction: PendingTransaction) async {
        do {
            try await handler.reject(transaction)
        } catch {
            if !Task.isCancelled { show(error.description) }
        }
    }

    func warn() async {
        for warning in await handler.warnings() { log("\(warning)") }
    }
}
