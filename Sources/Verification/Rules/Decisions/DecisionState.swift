import Cryptography
package import OneTimePassword
package import TransactionApproval

package struct SubmittedDecision: Sendable {
    package let choice: DecisionExchange.Choice
    package let evidence: SignedEvidence?
    package let code: CodeEnvelope

    package init(
        choice: DecisionExchange.Choice,
        evidence: SignedEvidence?,
        code: CodeEnvelope
    ) {
        self.choice = choice
        self.evidence = evidence
        self.code = code
    }
}

extension SubmittedDecision {
    func question(on hash: TransactionHash, number: TypedNumber?) -> InBandQuestion {
        let decision = choice.decision
        return .decision(hash, decision, decision == .approve ? number : nil)
    }
}

/// A transaction, and the credential that must decide it.
package struct DecisionState: Equatable, Sendable {
    package var credential: CredentialState
    package var transaction: TransactionRecord
    /// Until when the person wants no notifications, after the answer "not me".
    package private(set) var mutedUntil: Timestamp?

    package init(credential: CredentialState, transaction: TransactionRecord) {
        self.credential = credential
        self.transaction = transaction
    }

    /// Checks a decision and, if it is accepted, closes the transaction.
    ///
    /// `number` is the number that the bank shows. The device never sends the typed number: it is
    /// part of the code, and a wrong one makes a wrong code.
    package mutating func judge(
        _ submitted: SubmittedDecision,
        number: TypedNumber?,
        with codes: InBandCodes,
        in circumstances: Circumstances,
        events: inout [Event]
    ) throws(SystemFailure) -> Refusal? {
        guard transaction.account == credential.device.account else { return .unknownTransaction }
        // First, so that a revoked device does not learn the transaction's outcome.
        if let refusal = credential.refusalByStanding(in: circumstances) { return refusal }
        if let refusal = transaction.refusal(at: circumstances.now) { return refusal }
        guard allows(submitted.choice) else { return .typeNotAllowed }
        // The number was opened before this state was loaded. A missing number must not count as
        // "no number required".
        guard (number == nil) == (transaction.number == nil) else { return .unknownTransaction }
        let hash = try transaction.hash()
        guard isSigned(submitted, over: hash) else { return .evidenceMismatch }
        if let refusal = try credential.judge(
            submitted.code,
            over: submitted.question(on: hash, number: number),
            with: codes,
            in: circumstances,
            events: &events
        ) {
            return refusal
        }
        close(submitted, at: circumstances.now, events: &events)
        return nil
    }
}

extension DecisionState {
    /// An approval uses the credential of its type.
    ///
    /// A rejection uses the device credential, so it needs no PIN.
    private func allows(_ choice: DecisionExchange.Choice) -> Bool {
        guard credential.credential.kind == choice.credentialKind else { return false }
        return switch choice {
        case .approve(let type): transaction.acceptedAuthentication.contains(type)
        case .reject: true
        }
    }

    /// Whether the device's own key signed exactly this decision.
    private func isSigned(_ submitted: SubmittedDecision, over hash: TransactionHash) -> Bool {
        guard let signed = submitted.evidence else { return false }
        let device = credential.device
        let evidence = DecisionEvidence(
            of: submitted.choice,
            on: hash,
            by: device.id,
            submitted.code
        )
        return signed.evidence == evidence
            && device.kind == .installation(publicKey: signed.key.uncompressedPoint)
    }

    private mutating func close(
        _ submitted: SubmittedDecision,
        at now: Timestamp,
        events: inout [Event]
    ) {
        let device = credential.device
        let evidence = submitted.evidence
        switch submitted.choice {
        case .approve(let type):
            transaction.close(as: .approved(with: type, by: device.id), at: now, evidence)
            events.append(event(.transactionApproved, detail: type.rawValue))
        case .reject(let reason):
            transaction.close(as: .rejected(reason, by: device.id), at: now, evidence)
            events.append(event(.transactionRejected, detail: reason.rawValue))
            guard reason == .notMe else { return }
            mutedUntil = now + RequestHistory.muteDuration
            events.append(event(.personDenied))
        }
    }

    private func event(_ kind: Event.Kind, detail: String = "") -> Event {
        Event(kind, of: transaction.id, in: transaction.account, detail: detail)
    }
}
