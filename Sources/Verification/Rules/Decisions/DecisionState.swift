import Cryptography
package import OneTimePassword
package import TransactionApproval

/// A person's answer to a transaction, as it came in.
package struct SubmittedDecision: Sendable {
    package let choice: DecisionExchange.Choice
    /// Nil where the device's signature was found to be over nothing that there is.
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
    /// What its code answers: in a rejection no number was typed.
    func question(on hash: TransactionHash, number: TypedNumber?) -> InBandQuestion {
        let decision = choice.decision
        return .decision(hash, decision, decision == .approve ? number : nil)
    }
}

/// A transaction and the credential that a decision about it must come from.
package struct DecisionState: Equatable, Sendable {
    package var credential: CredentialState
    package var transaction: TransactionRecord
    /// Until when the person wants no more pushes, once they said that it was not they who asked.
    package private(set) var mutedUntil: Timestamp?

    package init(credential: CredentialState, transaction: TransactionRecord) {
        self.credential = credential
        self.transaction = transaction
    }

    /// ReferenceCheckers a decision; nil is a yes to what the person decided, and the transaction is closed.
    ///
    /// `number` is the one that the bank shows. The device never sends what was typed: it is in the
    /// code, and a wrong one makes a wrong code like any other.
    package mutating func judge(
        _ submitted: SubmittedDecision,
        number: TypedNumber?,
        with codes: InBandCodes,
        in circumstances: Circumstances,
        events: inout [Event]
    ) throws(SystemFailure) -> Refusal? {
        guard transaction.account == credential.device.account else { return .unknownTransaction }
        // First, so that a device which was revoked is told of no outcome.
        if let refusal = credential.refusalByStanding(in: circumstances) { return refusal }
        if let refusal = transaction.refusal(at: circumstances.now) { return refusal }
        guard allows(submitted.choice) else { return .typeNotAllowed }
        // The number was opened before this state was loaded: none must not stand for one.
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
    /// Approvals come from the credential of their type; rejections always from the device
    /// credential, so that nobody needs a PIN to say no.
    private func allows(_ choice: DecisionExchange.Choice) -> Bool {
        guard credential.credential.kind == choice.credentialKind else { return false }
        return switch choice {
        case .approve(let type): transaction.acceptedAuthentication.contains(type)
        case .reject: true
        }
    }

    /// Whether what was signed is this decision, and the key is the device's own.
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
