package import OneTimePassword
package import TransactionApproval

/// What holds while one code is judged, and does not change by it.
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

/// A credential with all that decides whether a code of it counts.
package struct CredentialState: Equatable, Sendable {
    package var device: Device
    package var credential: Credential
    /// Its own wrong codes, or those of all user credentials that share one PIN.
    package var failures: FailureCount

    /// The device whose credential of the same kind counts; nil where this one counts for itself.
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

    /// ReferenceCheckers a code that names its counter; nil is a yes.
    ///
    /// The order is the promise: only when everything that the device could know by itself is right,
    /// the code is computed, once, and then it is either used up or charged. A message that came
    /// with it and did not open under the same secret makes it wrong as well.
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
        // The secret was opened before this state was loaded, and may be another's by now.
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
        // A device that has not seen the restore yet made another code than is expected here: its
        // person's attempt is not lost for that.
        guard submitted.epoch == circumstances.epoch else { return .epochMismatch }
        guard submitted.counter >= credential.counter else {
            // The device counts before it sends, so only a copy of it, or an old state, is behind.
            if credential.noticeCopy() { events.append(event(.deviceCopied)) }
            return .counterOutOfStep(least: credential.counter)
        }
        guard
            submitted.counter.value - credential.counter.value <= Credential.reach,
            submitted.counter <= Credential.maximumCounter
        else { return .counterOutOfStep(least: credential.counter) }
        return nil
    }

    /// Why no code of this credential is looked at, whatever it may be.
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

    /// Counts a wrong code, with all that follows from it.
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

    /// Suspends the device with all its credentials; false where it was suspended before.
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

    /// Whose the sealed secret is, or will be once the device is another account's.
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
