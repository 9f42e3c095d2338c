package import OneTimePassword
package import TransactionApproval

/// A person's answer to a transaction, as it came in.
package struct SubmittedDecision: Sendable {
    package let decision: Decision
    package let type: AuthenticationType
    package let code: SubmittedCode

    package init(decision: Decision, type: AuthenticationType, code: SubmittedCode) {
        self.decision = decision
        self.type = type
        self.code = code
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

    /// Judges a decision; nil is a yes to what the person decided, and the transaction is closed.
    ///
    /// `number` is the one that the bank shows. The device never sends what was typed: it is in the
    /// code, and a wrong one makes a wrong code like any other.
    package mutating func judge(
        _ submitted: SubmittedDecision,
        number: TypedNumber?,
        with codes: borrowing InBandCodes,
        in circumstances: Circumstances,
        events: inout [Event]
    ) throws(MachineFailure) -> Refusal? {
        guard transaction.account == credential.device.account else { return .unknownTransaction }
        // First, so that a device which was revoked is told of no outcome.
        if let refusal = credential.refusalByStanding(in: circumstances) { return refusal }
        if let refusal = transaction.refusal(at: circumstances.now) { return refusal }
        guard allows(submitted) else { return .typeNotAllowed }
        let question = InBandQuestion.decision(
            try transaction.hash(),
            submitted.decision,
            submitted.decision == .approve ? number : nil
        )
        if let refusal = try credential.judge(
            submitted.code,
            over: question,
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
    private func allows(_ submitted: SubmittedDecision) -> Bool {
        switch submitted.decision {
        case .approve:
            transaction.acceptedAuthentication.contains(submitted.type)
                && credential.credential.kind == submitted.type.credentialKind
        case .reject: credential.credential.kind == .device
        }
    }

    private mutating func close(
        _ submitted: SubmittedDecision,
        at now: Timestamp,
        events: inout [Event]
    ) {
        let device = credential.device
        switch submitted.decision {
        case .approve:
            transaction.close(as: .approved(with: submitted.type, by: device.id), at: now)
            events.append(event(.transactionApproved, detail: submitted.type.rawValue))
        case .reject(let reason):
            transaction.close(as: .rejected(reason, by: device.id), at: now)
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
