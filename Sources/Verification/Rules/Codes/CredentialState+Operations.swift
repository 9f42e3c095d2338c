package import Cryptography
package import OneTimePassword
package import TransactionApproval

extension CredentialState {
    /// ReferenceCheckers an app login over `dataDigest`; nil is a yes.
    package mutating func logIn(
        _ submitted: CodeEnvelope,
        over dataDigest: Digest,
        with codes: InBandCodes,
        in circumstances: Circumstances,
        events: inout [Event]
    ) throws(SystemFailure) -> Refusal? {
        // Consent is one factor, and a login asks for the person.
        guard credential.kind != .device else { return .typeNotAllowed }
        return try accept(submitted, over: .login(dataDigest), codes, circumstances, &events)
    }

    /// Says whether the PIN is right, for a device that is about to take a further account.
    package mutating func checkPIN(
        _ submitted: CodeEnvelope,
        with codes: InBandCodes,
        in circumstances: Circumstances,
        events: inout [Event]
    ) throws(SystemFailure) -> Refusal? {
        guard credential.kind == .user else { return .typeNotAllowed }
        return try accept(submitted, over: .pinCheck, codes, circumstances, &events)
    }

    /// ReferenceCheckers whether the person asks for this rekey, of which the new seed opened or did not.
    package mutating func authorise(
        _ submitted: CodeEnvelope,
        _ proposal: RekeyProposal,
        over question: InBandQuestion,
        seedOpened: Bool,
        with codes: InBandCodes,
        in circumstances: Circumstances,
        events: inout [Event]
    ) throws(SystemFailure) -> Refusal? {
        guard proposal.authority == context else { return .generationMismatch }
        return try judge(
            submitted,
            over: question,
            messageOpened: seedOpened,
            with: codes,
            in: circumstances,
            events: &events
        )
    }

    /// Puts the next generation's secret in the place of this one's.
    ///
    /// Counter, wrong codes and locks stay: a new PIN is no way around any of them.
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
        _ circumstances: Circumstances,
        _ events: inout [Event]
    ) throws(SystemFailure) -> Refusal? {
        let refusal = try judge(
            submitted,
            over: question,
            with: codes,
            in: circumstances,
            events: &events
        )
        if refusal == nil { events.append(event(.codeAccepted, detail: question.name)) }
        return refusal
    }
}

extension CredentialState {
    /// Ends a lock that would end by itself; false where there is none.
    package mutating func unlock(at now: Timestamp, events: inout [Event]) -> Bool {
        guard device.status == .active, failures.unlock(at: now) else { return false }
        events.append(event(.credentialUnlocked))
        return true
    }

    /// Locks it for good, as it was after the backup that this state comes from.
    ///
    /// The lock may be there by another device's, with whose PIN this one counts.
    mutating func blockForGood(events: inout [Event]) -> Bool {
        let found = self
        _ = failures.block()
        device.block()
        guard self != found else { return false }
        events.append(event(.credentialBlocked))
        return true
    }

    /// Gives a secret up that the device no longer has; false for one that is not older.
    mutating func outdate(by generation: Generation?, events: inout [Event]) -> Bool {
        if let generation, generation.value <= credential.generation.value { return false }
        guard !credential.status.isOutdated else { return false }
        credential.markOutdated()
        let detail = generation.map { String($0.value) } ?? ""
        events.append(event(.credentialOutdated, detail: detail))
        return true
    }

    /// Gives the secret up, as the device did; false where it did so before.
    ///
    /// What the bank switched off stays so.
    mutating func remove(events: inout [Event]) -> Bool {
        guard !credential.status.isOutdated else { return false }
        credential.markOutdated()
        events.append(event(.credentialRemoved))
        return true
    }

    /// Uses up every counter below `counter`, as the device itself asks for; false where that
    /// changes nothing.
    ///
    /// No further than a code could be: what is beyond that is refused anyhow.
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

    /// Switches the credential off or on; false where that changes nothing.
    package mutating func setEnabled(_ isEnabled: Bool, events: inout [Event]) -> Bool {
        guard credential.setEnabled(isEnabled) else { return false }
        events.append(event(isEnabled ? .credentialEnabled : .credentialDisabled))
        return true
    }
}

extension Device {
    /// Revokes it for good; false where it was revoked before.
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
