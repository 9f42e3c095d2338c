package import OneTimePassword
package import TransactionApproval

/// The conditions under which a rule checks one code.
package struct Circumstances: Sendable {
    package let now: Timestamp
    package let epoch: Epoch
    package let lockPolicy: LockPolicy

    package init(now: Timestamp, epoch: Epoch, lockPolicy: LockPolicy) {
        self.now = now
        self.epoch = epoch
        self.lockPolicy = lockPolicy
    }
}

/// A credential with all state that decides whether a code of it is accepted.
package struct CredentialState: Equatable, Sendable {
    package var device: Device
    package var credential: Credential
    /// Its own wrong codes, or those of all user credentials with the same PIN.
    package var failures: FailureCount

    /// The device whose credential of the same kind holds the failure count; nil if this one does.
    package let countedWith: DeviceID?

    package init(
        device: Device,
        credential: Credential,
        failures: FailureCount,
        countedWith: DeviceID? = nil
    ) {
        self.device = device
        self.credential = credential
        self.failures = failures
        self.countedWith = countedWith
    }

    /// Checks a code that names its counter.
    ///
    /// The order matters. The code is computed, once, only if everything that the device can know
    /// by itself is right; then it is used up or charged. An attached message that does not open
    /// makes the code wrong.
    package mutating func judge(
        _ submitted: CodeEnvelope,
        over question: InBandQuestion,
        messageOpened: Bool = true,
        with codes: InBandCodes,
        in circumstances: Circumstances,
        events: inout [Event]
    ) throws(SystemFailure) -> Refusal? {
        if let refusal = refusalBeforeCode(submitted, in: circumstances, events: &events) {
            return refusal
        }
        // The secret was opened before this state was loaded, and may have been replaced since.
        guard codes.credential == context else { return .generationMismatch }
        guard
            try codes.matches(
                submitted.code.code,
                question,
                in: circumstances.epoch,
                at: submitted.counter
            ), messageOpened
        else { return .wrongCode(charge(in: circumstances, events: &events)) }
        credential.advance(to: Counter(submitted.counter.value + 1))
        credential.confirm(in: circumstances.epoch)
        failures.succeed()
        return nil
    }

    private mutating func refusalBeforeCode(
        _ submitted: CodeEnvelope,
        in circumstances: Circumstances,
        events: inout [Event]
    ) -> Refusal? {
        if let refusal = refusalByStanding(in: circumstances) { return refusal }
        guard submitted.generation == credential.generation else { return .generationMismatch }
        // A device that does not know of the restore made a code for the old epoch; this costs no
        // attempt.
        guard submitted.epoch == circumstances.epoch else { return .epochMismatch }
        guard submitted.counter >= credential.counter else {
            // A device advances its counter before it sends, so only a copy or an old backup is
            // behind.
            if credential.noticeCopy() { events.append(event(.deviceCopied)) }
            return .counterOutOfStep(least: credential.counter)
        }
        guard
            submitted.counter.value - credential.counter.value <= Credential.reach,
            submitted.counter <= Credential.maximumCounter
        else { return .counterOutOfStep(least: credential.counter) }
        return nil
    }

    /// Checks whether a code of this credential is computed at all.
    func refusalByStanding(in circumstances: Circumstances) -> Refusal? {
        if let refusal = device.refusal { return refusal }
        guard credential.status.isEnabled else { return .credentialDisabled }
        guard !credential.status.isOutdated else { return .generationMismatch }
        return switch failures.status(at: circumstances.now, by: circumstances.lockPolicy) {
        case .blocked: .blocked
        case .locked(let end): .locked(until: end)
        case .open: nil
        }
    }

    /// Counts a wrong code and applies the consequences.
    mutating func charge(
        in circumstances: Circumstances,
        events: inout [Event]
    ) -> FailureCount.Consequence {
        let wasLastChance = failures.isLastChance(
            at: circumstances.now,
            by: circumstances.lockPolicy
        )
        let consequence = failures.fail(at: circumstances.now, by: circumstances.lockPolicy)
        events.append(event(.codeRefused))
        let isLastChance = failures.isLastChance(
            at: circumstances.now,
            by: circumstances.lockPolicy
        )
        if isLastChance, !wasLastChance { events.append(event(.blockImminent)) }
        switch consequence {
        case .counted where failures.inARow == FailureCount.alarming:
            events.append(event(.failuresRepeated))
        case .counted: break
        case .locked(let end):
            events.append(event(.credentialLocked, detail: String(end.milliseconds)))
        case .blocked: block(events: &events)
        }
        return consequence
    }

    /// Suspends the device with all its credentials; returns false if it was suspended before.
    @discardableResult
    mutating func block(events: inout [Event]) -> Bool {
        guard device.status == .active else { return false }
        device.block()
        events.append(event(.credentialBlocked))
        return true
    }

    func event(_ kind: Event.Kind, detail: String = "") -> Event {
        Event(kind, of: credential.id, in: device.account, detail: detail)
    }

    /// The owner of the sealed secret, now or after a move to another account.
    func secretOwner(in account: AccountReference? = nil) -> SealOwner {
        .secret(of: context, on: device.id, device.kind, for: account ?? device.account)
    }

    package var context: CredentialContext {
        CredentialContext(
            enterprise: device.account.enterprise,
            id: credential.id,
            kind: credential.kind,
            generation: credential.generation
        )
    }
}
