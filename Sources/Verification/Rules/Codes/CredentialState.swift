import Cryptography
package import OneTimePassword
import Sealing
package import TransactionApproval

/// The conditions under which a rule checks one code.
package struct CheckConditions: Sendable {
    package let now: Timestamp
    package let epoch: Epoch
    package let lockPolicy: LockPolicy
}

/// A credential with all state that decides whether a code of it is accepted.
package struct CredentialState: Equatable, Sendable {
    package var device: Device
    package var credential: Credential
    /// Its own wrong codes, or those of all user credentials with the same PIN.
    package var failures: FailureCount

    /// The device whose credential of the same kind holds the failure count; nil if this one does.
    let countingDevice: DeviceID?

    package init(
        device: Device,
        credential: Credential,
        failures: FailureCount,
        countingDevice: DeviceID? = nil
    ) {
        self.device = device
        self.credential = credential
        self.failures = failures
        self.countingDevice = countingDevice
    }

    /// Checks a code that names its counter.
    ///
    /// The order matters. The code is computed, once, only if everything that the device can know
    /// by itself is right; then it is used up or charged. An attached message that does not open
    /// makes the code wrong. `despiteLock`: a temporary lock neither refuses the code nor ends by it.
    package mutating func check(
        _ submitted: CodeEnvelope,
        over question: InBandQuestion,
        messageOpened: Bool = true,
        despiteLock: Bool = false,
        with codes: InBandCodes,
        in conditions: CheckConditions,
        events: inout [Event]
    ) throws(SystemFailure) -> RuleResult<Refusal> {
        let status = checkBeforeCode(
            submitted,
            despiteLock: despiteLock,
            in: conditions,
            events: &events
        )
        guard status.isAccepted else { return status }
        // The secret was opened before this state was loaded, and may have been replaced since.
        guard codes.credential == context else { return .refused(.generationMismatch) }
        guard
            try codes.matches(
                submitted.code.code,
                question,
                in: conditions.epoch,
                at: submitted.counter
            ), messageOpened
        else { return .refused(.wrongCode(charge(in: conditions, events: &events))) }
        credential.advance(to: Counter(submitted.counter.value + 1))
        credential.confirm(in: conditions.epoch)
        if case .open = failures.status(at: conditions.now, by: conditions.lockPolicy) {
            failures.succeed()
        }
        return .accepted
    }

    /// Checks all that the device can know without the secret.
    mutating func checkBeforeCode(
        _ submitted: CodeEnvelope,
        despiteLock: Bool = false,
        in conditions: CheckConditions,
        events: inout [Event]
    ) -> RuleResult<Refusal> {
        let status = checkStatus(despiteLock: despiteLock, in: conditions)
        guard status.isAccepted else { return status }
        guard submitted.generation == credential.generation else {
            return .refused(.generationMismatch)
        }
        // A device that does not know of the restore made a code for the old epoch; this costs no
        // attempt.
        guard submitted.epoch == conditions.epoch else { return .refused(.epochMismatch) }
        guard submitted.counter >= credential.counter else {
            // A device advances its counter before it sends, so a copy or an old backup is behind. Or
            // the request is late. A counter that the device declared as unanswered is reported
            // too, because a copy with the device's key can declare it.
            if credential.noticeCopy() { events.append(event(.deviceCopied)) }
            return .refused(.counterOutOfStep(minimumCounter: credential.counter))
        }
        guard
            submitted.counter.value - credential.counter.value <= Credential.reach,
            submitted.counter <= Credential.maximumCounter
        else { return .refused(.counterOutOfStep(minimumCounter: credential.counter)) }
        return .accepted
    }

    /// Checks whether a code of this credential is computed at all.
    func checkStatus(
        despiteLock: Bool = false,
        in conditions: CheckConditions
    ) -> RuleResult<Refusal> {
        if let refusal = device.checkStatus().refusal { return .refused(refusal) }
        guard credential.status.isEnabled else { return .refused(.credentialDisabled) }
        guard !credential.status.isOutdated else { return .refused(.generationMismatch) }
        return switch failures.status(at: conditions.now, by: conditions.lockPolicy) {
        case .blocked: .refused(.blocked)
        case .locked(let end): despiteLock ? .accepted : .refused(.locked(until: end))
        case .open: .accepted
        }
    }

    /// Counts a wrong code and applies the consequences.
    mutating func charge(
        in conditions: CheckConditions,
        events: inout [Event]
    ) -> FailureCount.Consequence {
        let wasLastChance = failures.isLastChance(at: conditions.now, by: conditions.lockPolicy)
        let consequence = failures.fail(at: conditions.now, by: conditions.lockPolicy)
        events.append(event(.codeRefused))
        let isLastChance = failures.isLastChance(at: conditions.now, by: conditions.lockPolicy)
        if isLastChance, !wasLastChance { events.append(event(.blockImminent)) }
        switch consequence {
        case .counted where failures.consecutiveFailures == FailureCount.alarming:
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
