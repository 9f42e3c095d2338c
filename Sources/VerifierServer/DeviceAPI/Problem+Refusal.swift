import TransactionApproval
import Verification

// The one table from refusals of the verifier to problems of the device API.

extension Problem {
    /// Nil if the device needs the position of its credential.
    init?(_ refusal: Refusal) {
        switch refusal {
        case .unknownTransaction: self = .unknownTransaction
        case .transactionExpired: self = .transactionExpired
        case .alreadyDecided(let outcome): self = Problem(outcome)
        case .typeNotAllowed, .consentExhausted, .credentialDisabled:
            self = .authenticationTypeNotAllowed
        case .deviceWaiting(let end): self = .deviceWaiting(until: end)
        case .amountAboveCeiling: self = .amountAboveCeiling
        case .deviceRevoked: self = .deviceRevoked
        case .locked(let end), .wrongCode(.locked(let end)): self = .credentialLocked(.until(end))
        case .blocked, .wrongCode(.blocked): self = .credentialLocked(.never)
        case .wrongCode(.counted(let left)):
            self = .authenticationFailed(attemptsLeft: UInt8(clamping: left))
        case .evidenceMismatch, .attemptReused, .codeUsed, .agreementKeyUnknown:
            self = .invalidArgument
        case .generationMismatch, .epochMismatch, .counterOutOfStep, .counterUnconfirmed:
            return nil
        }
    }

    init(_ outcome: TransactionRecord.Outcome) {
        self =
            switch outcome {
            case .approved: .transactionAlreadyDecided(.approved)
            case .rejected: .transactionAlreadyDecided(.rejected)
            case .withdrawn: .transactionAlreadyDecided(.withdrawn)
            case .void: .transactionAlreadyDecided(.void)
            case .expired: .transactionExpired
            }
    }

    init(_ refusal: Activation.Refusal) {
        self =
            switch refusal {
            // A new claim can help a superseded device, but another code cannot.
            case .codeInvalid, .superseded: .activationCodeInvalid
            case .expired: .activationCodeExpired
            }
    }
}

extension DeviceCall {
    /// `kind` is the credential of the code.
    func outcome(
        _ result: AttemptResult,
        with kind: CredentialKind? = nil
    ) async throws(Verifier.Failure) -> Outcome<NoContent> {
        switch result {
        case .accepted: .done(NoContent())
        case .refused(let refusal): .refused(try await problem(refusal, with: kind))
        }
    }

    func problem(
        _ refusal: Refusal,
        with kind: CredentialKind? = nil
    ) async throws(Verifier.Failure) -> Problem {
        if let problem = Problem(refusal) { return problem }
        guard let status = try await verifier.status(of: device) else { return .deviceRevoked }
        guard let credential = status.credentials.first(where: { $0.kind == kind }) else {
            return .authenticationTypeNotAllowed
        }
        guard !credential.status.isOutdated else {
            // The device has a newer secret than the store, so no counter helps. The device can
            // enable biometrics again.
            return kind == .biometric ? .authenticationTypeNotAllowed : .credentialLocked(.never)
        }
        return .counterOutOfStep(CredentialPosition(credential, in: status.epoch))
    }
}
