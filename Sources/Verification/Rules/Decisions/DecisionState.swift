import Cryptography
package import OneTimePassword
package import TransactionApproval

/// The secrets and the verified evidence of a decision, prepared before its store transaction.
package struct OpenedDecision: Sendable {
    package let codes: InBandCodes
    /// The number that the bank shows; nil if the person types no number.
    package let number: TypedNumber?
    /// Nil if the device's signature is not valid for this decision.
    package let evidence: SignedEvidence?
}

extension DecisionExchange.Request {
    /// The question that the code is computed over; a rejection has no typed number.
    func question(on hash: TransactionHash, number: TypedNumber?) -> InBandQuestion {
        let decision = choice.decision
        return .decision(hash, decision, decision == .approve ? number : nil)
    }

    /// The message that the device must have signed.
    func expectedEvidence(on hash: TransactionHash, by device: DeviceID) -> DecisionEvidence {
        DecisionEvidence(of: choice, on: hash, by: device, envelope)
    }
}

/// A transaction, and the credential that must decide it.
package struct DecisionState: Equatable, Sendable {
    package var credential: CredentialState
    package var transaction: TransactionRecord
    let limits: DecisionLimits
    /// The consents of the person with this one, if consent alone approved.
    package private(set) var consents: ConsentTotal?
    /// Until when the person wants no notifications, after the rejection "not me".
    package private(set) var mutedUntil: Timestamp?

    /// Checks a decision and, if it is accepted, closes the transaction.
    ///
    /// The device never sends the typed number: it is part of the code, and a wrong one makes a
    /// wrong code. A temporary lock stops who guesses numbers, and a rejection has no number: so it
    /// works during the lock, and does not end it.
    package mutating func check(
        _ request: DecisionExchange.Request,
        with opened: OpenedDecision,
        in conditions: CheckConditions,
        events: inout [Event]
    ) throws(SystemFailure) -> RuleResult<Refusal> {
        guard transaction.account == credential.device.account else {
            return .refused(.unknownTransaction)
        }
        let despiteLock = request.choice.decision != .approve
        // First, so that a revoked device does not get the transaction's outcome.
        let usable = credential.checkStatus(despiteLock: despiteLock, in: conditions)
        guard usable.isAccepted else { return usable }
        let status = transaction.checkPending(at: conditions.now)
        guard status.isAccepted else { return status }
        guard allows(request.choice) else { return .refused(.typeNotAllowed) }
        let waiting: CurrencySums?
        let total: ConsentTotal?
        switch limits.outcome(of: request.choice, on: transaction) {
        case .refused(let refusal): return .refused(refusal)
        case .allowed(let sums, let consents): (waiting, total) = (sums, consents)
        }
        // The number was opened before this state was loaded. A missing number must not count as
        // "no number required".
        guard (opened.number == nil) == (transaction.number == nil) else {
            return .refused(.unknownTransaction)
        }
        let hash = try transaction.hash()
        guard isSigned(request, opened.evidence, over: hash) else {
            return .refused(.evidenceMismatch)
        }
        let result = try credential.check(
            request.envelope,
            over: request.question(on: hash, number: opened.number),
            despiteLock: despiteLock,
            with: opened.codes,
            in: conditions,
            events: &events
        )
        if result.isAccepted {
            if let waiting { credential.device.addWaiting(waiting) }
            consents = total
            close(request.choice, opened.evidence, at: conditions.now, events: &events)
        }
        return result
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
    ///
    /// The signature was verified before this state was loaded, so the device, its key and the
    /// transaction are compared again.
    private func isSigned(
        _ request: DecisionExchange.Request,
        _ signed: SignedEvidence?,
        over hash: TransactionHash
    ) -> Bool {
        guard let signed else { return false }
        let device = credential.device
        return signed.evidence == request.expectedEvidence(on: hash, by: device.id)
            && device.kind == .installation(publicKey: signed.key.uncompressedPoint)
    }

    private mutating func close(
        _ choice: DecisionExchange.Choice,
        _ evidence: SignedEvidence?,
        at now: Timestamp,
        events: inout [Event]
    ) {
        let device = credential.device
        switch choice {
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
