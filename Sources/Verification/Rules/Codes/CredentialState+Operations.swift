package import Cryptography
package import OneTimePassword
package import Sealing
package import TransactionApproval

extension CredentialState {
    /// Checks an app login over `dataDigest`.
    package mutating func logIn(
        _ submitted: CodeEnvelope,
        over dataDigest: Digest,
        with codes: InBandCodes,
        in conditions: CheckConditions,
        events: inout [Event]
    ) throws(SystemFailure) -> RuleResult<Refusal> {
        // Consent proves one factor, and a login must prove the person.
        guard credential.kind != .device else { return .refused(.typeNotAllowed) }
        return try accept(submitted, over: .login(dataDigest), codes, conditions, &events)
    }

    /// Checks the PIN, for a device that is about to activate a further account.
    package mutating func checkPIN(
        _ submitted: CodeEnvelope,
        with codes: InBandCodes,
        in conditions: CheckConditions,
        events: inout [Event]
    ) throws(SystemFailure) -> RuleResult<Refusal> {
        guard credential.kind == .user else { return .refused(.typeNotAllowed) }
        return try accept(submitted, over: .pinCheck, codes, conditions, &events)
    }

    /// Checks the code that authorises a rekey; `seedOpened` is whether the new seed could be
    /// decrypted.
    package mutating func authorise(
        _ submitted: CodeEnvelope,
        _ proposal: RekeyProposal,
        over question: InBandQuestion,
        seedOpened: Bool,
        with codes: InBandCodes,
        in conditions: CheckConditions,
        events: inout [Event]
    ) throws(SystemFailure) -> RuleResult<Refusal> {
        guard proposal.authority == context else { return .refused(.generationMismatch) }
        return try check(
            submitted,
            over: question,
            messageOpened: seedOpened,
            with: codes,
            in: conditions,
            events: &events
        )
    }

    /// Replaces the secret by that of the next generation.
    ///
    /// Counter, wrong codes and locks stay, so a new PIN does not reset any of them.
    package mutating func rekey(
        to next: CredentialContext,
        _ seed: SealedValue,
        events: inout [Event]
    ) {
        credential.rekey(to: next.generation, seed)
        events.append(event(.credentialRekeyed, detail: String(next.generation.value)))
    }

    private mutating func accept(
        _ submitted: CodeEnvelope,
        over question: InBandQuestion,
        _ codes: InBandCodes,
        _ conditions: CheckConditions,
        _ events: inout [Event]
    ) throws(SystemFailure) -> RuleResult<Refusal> {
        let result = try check(
            submitted,
            over: question,
            with: codes,
            in: conditions,
            events: &events
        )
        if result.isAccepted { events.append(event(.codeAccepted, detail: question.name)) }
        return result
    }
}

extension CredentialState {
    /// Ends a temporary lock; returns false if there is none.
    package mutating func unlock(at now: Timestamp, events: inout [Event]) -> Bool {
        guard device.status == .active, failures.unlock(at: now) else { return false }
        events.append(event(.credentialUnlocked))
        return true
    }

    /// Restores a permanent lock that happened after the backup.
    ///
    /// A device that shares the PIN may already have set the lock.
    mutating func blockForGood(events: inout [Event]) -> Bool {
        let found = self
        _ = failures.block()
        device.block()
        guard self != found else { return false }
        events.append(event(.credentialBlocked))
        return true
    }

    /// Marks a secret that the device no longer has; returns false if the credential is not older.
    mutating func outdate(by generation: Generation?, events: inout [Event]) -> Bool {
        if let generation, generation.value <= credential.generation.value { return false }
        guard !credential.status.isOutdated else { return false }
        credential.markOutdated()
        let detail = generation.map { String($0.value) } ?? ""
        events.append(event(.credentialOutdated, detail: detail))
        return true
    }

    /// Marks the secret as removed by the device; returns false if it was before.
    ///
    /// A disabled credential stays disabled.
    mutating func remove(events: inout [Event]) -> Bool {
        guard !credential.status.isOutdated else { return false }
        credential.markOutdated()
        events.append(event(.credentialRemoved))
        return true
    }

    /// Uses up every counter below `counter` at the device's request; returns false if nothing
    /// changes.
    ///
    /// It goes no further than a code can; larger counters are refused anyway.
    package mutating func useUp(codesBelow counter: Counter, events: inout [Event]) -> Bool {
        guard
            counter > credential.counter,
            counter.value - credential.counter.value <= Credential.reach,
            counter <= Credential.maximumCounter
        else { return false }
        credential.advance(to: counter)
        events.append(event(.credentialResynchronised, detail: "unanswered"))
        return true
    }

    /// Enables or disables the credential; returns false if nothing changes.
    package mutating func setEnabled(_ isEnabled: Bool, events: inout [Event]) -> Bool {
        guard credential.setEnabled(isEnabled) else { return false }
        events.append(event(isEnabled ? .credentialEnabled : .credentialDisabled))
        return true
    }
}

extension Device {
    /// Revokes it for good; returns false if it was revoked before.
    package mutating func revoke(events: inout [Event]) -> Bool {
        guard status != .revoked else { return false }
        revoke()
        events.append(Event(.deviceRevoked, of: id, in: account))
        return true
    }
}

extension InBandQuestion {
    /// For the audit trail.
    fileprivate var name: String {
        switch self {
        case .decision: "decision"
        case .login: "login"
        case .pinCheck: "pin-check"
        case .rekey: "rekey"
        }
    }
}
