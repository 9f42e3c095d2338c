import OneTimePassword
package import TransactionApproval

/// A code with its envelope, from a device whose request signature is valid.
package struct Attempt: Sendable {
    package let device: DeviceID
    package let code: CodeEnvelope

    package init(device: DeviceID, code: CodeEnvelope) {
        self.device = device
        self.code = code
    }
}

package enum AttemptResult: Equatable, Sendable {
    /// With the id of the login that it created, if any.
    case accepted(TransactionID?)
    case refused(Refusal)
}

/// The result of an attempt, and whether the attempt is a repeated one.
package struct JudgedAttempt: Equatable, Sendable {
    package let result: AttemptResult
    /// True if the result was stored earlier, by the same attempt.
    package let isRepeated: Bool
}

/// Identifies an attempt, so that a repeated one gets the stored verdict.
struct AttemptKey: Equatable, Sendable {
    enum Origin: Equatable, Sendable {
        /// From the device, with a digest of the request without the code.
        case device(AttemptID, fingerprint: [UInt8])
        case call(BankCall)
    }

    let origin: Origin
    let kind: CredentialKind
    let device: DeviceID
    /// Nil for a call, whose fingerprint includes the code.
    let code: CodeEnvelope?

    init(
        _ origin: Origin,
        of kind: CredentialKind,
        on device: DeviceID,
        code: CodeEnvelope? = nil
    ) {
        self.origin = origin
        self.kind = kind
        self.device = device
        self.code = code
    }

    init(_ attempt: Attempt, fingerprint: [UInt8], with kind: CredentialKind) {
        let origin = Origin.device(attempt.code.attempt, fingerprint: fingerprint)
        self.init(origin, of: kind, on: attempt.device, code: attempt.code)
    }

    /// Whether the other one is a different attempt, although the store has one place for both verdicts.
    func collides(with other: AttemptKey) -> Bool {
        self != other && hasSameName(as: other)
    }

    private func hasSameName(as other: AttemptKey) -> Bool {
        switch (origin, other.origin) {
        case (.device(let id, _), .device(let otherID, _)):
            id == otherID && device == other.device
        case (.call(let call), .call(let otherCall)):
            call.enterprise == otherCall.enterprise && call.storedKey == otherCall.storedKey
        case (.device, .call), (.call, .device): false
        }
    }
}

extension AttemptResult {
    init(_ result: RuleResult<Refusal>) {
        self =
            switch result {
            case .accepted: .accepted(nil)
            case .refused(let refusal): .refused(refusal)
            }
    }

    init(_ verdict: AttemptVerdict) {
        self =
            switch verdict {
            case .accepted(let id): .accepted(id)
            case .unchanged: .accepted(nil)
            case .wrongCode(let consequence): .refused(.wrongCode(consequence))
            }
    }
}

extension AttemptVerdict {
    /// Nil if the result costs no attempt.
    init?(_ result: AttemptResult) {
        switch result {
        case .accepted(let id): self = .accepted(id)
        case .refused(.wrongCode(let consequence)): self = .wrongCode(consequence)
        case .refused: return nil
        }
    }
}
