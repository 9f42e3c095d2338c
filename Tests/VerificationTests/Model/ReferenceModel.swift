import OneTimePassword
import Sealing
import TransactionApproval
import Verification

/// A second, simple implementation of the rules, with integers and sets.
///
/// It has two devices of two accounts whose users share a PIN, and so share a failure count.
struct ReferenceModel {
    struct Device {
        var isRevoked = false
        var isBlocked = false
        var counters = [CredentialKind.user: UInt64(0), .device: 0]
        var generations = [CredentialKind.user: UInt64(0), .device: 0]
        var disabled: Set<CredentialKind> = []

        var isActive: Bool { !isRevoked && !isBlocked }
    }

    struct Count {
        var consecutiveFailures = 0
        var locks = 0
        var moments: [Timestamp] = []
        var end = Timestamp.earliest
    }

    struct Payment {
        let account: Int
        let deadline: Timestamp
        /// Of its creation, and of each further one.
        var notifications: [Timestamp]
        let minorUnits: UInt64
        let takesConsent: Bool
        var end: TransactionRecord.Outcome?
    }

    struct Grant {
        let attempt: AttemptID
        let account: Int
        let granted: Timestamp
        var isRedeemed = false
    }

    /// An attempt with a code, and its purpose.
    struct Trial {
        let attempt: AttemptID
        let device: Int
        let kind: CredentialKind
        let counter: UInt64
        let generation: UInt64
        let isRight: Bool
        /// Distinguishes purposes, as the attempt's fingerprint does.
        let purpose: String
    }

    var devices = [Device(), Device()]
    /// Of the shared PIN, and of each device credential.
    var pin = Count()
    var own = [Count(), Count()]
    /// The amounts that consent alone approved since the last right code of the PIN.
    var consents: [UInt64] = []
    var payments: [TransactionID: Payment] = [:]
    var mutedUntil = Timestamp.earliest
    var grants: [TransactionID: Grant] = [:]
    /// How often each of `kinds` happened.
    var events: [Event.Kind: Int] = [:]
    var verdicts: [String: (purpose: String, result: AttemptResult)] = [:]
    var now: Timestamp
}

extension ReferenceModel {
    /// The events that a history causes, except alarms.
    static let kinds: [Event.Kind] = [
        .codeAccepted, .codeRefused, .codeReused, .failuresRepeated, .credentialLocked,
        .credentialBlocked,
        .credentialUnlocked,
        .credentialEnabled, .credentialDisabled, .credentialRekeyed, .credentialResynchronised,
        .deviceRevoked, .transactionCreated, .transactionNotified, .transactionApproved,
        .transactionRejected,
        .personDenied, .transactionExpired, .transactionWithdrawn, .loginRedeemed,
    ]

    mutating func note(_ kind: Event.Kind) { events[kind, default: 0] += 1 }
}

// MARK: Codes

extension ReferenceModel {
    /// The result of a device API code; `end` closes its subject.
    mutating func process(
        _ trial: Trial,
        isUnknown: Bool = false,
        isRejection: Bool = false,
        refusal: (ReferenceModel) -> Refusal? = { _ in nil },
        accept: (inout ReferenceModel) -> Void = { _ in }
    ) -> AttemptResult {
        let name = "\(trial.device) \(trial.attempt)"
        if let earlier = verdicts[name] {
            return earlier.purpose == trial.purpose ? earlier.result : .refused(.attemptReused)
        }
        if isUnknown { return .refused(.unknownTransaction) }
        let isLocked = now < end(trial.device, trial.kind)
        let unusable =
            isRejection ? barrier(trial.device, trial.kind) : status(trial.device, trial.kind)
        if let refusal = unusable ?? refusal(self) { return .refused(refusal) }
        guard trial.generation == devices[trial.device].generations[trial.kind] else {
            return .refused(.generationMismatch)
        }
        let nextCounter = devices[trial.device].counters[trial.kind] ?? 0
        guard (nextCounter...nextCounter + 1 << 20).contains(trial.counter) else {
            return .refused(.counterOutOfStep(minimumCounter: Counter(nextCounter)))
        }
        let result: AttemptResult
        if trial.isRight {
            devices[trial.device].counters[trial.kind] = trial.counter + 1
            // A rejection does not end a lock.
            if !isLocked { succeed(trial.device, trial.kind) }
            accept(&self)
            result = .accepted(nil)
        } else {
            result = .refused(.wrongCode(fail(trial.device, trial.kind)))
        }
        verdicts[name] = (trial.purpose, result)
        return result
    }

    /// The result of a typed code `ahead` of the next one; nil if it is out of reach.
    mutating func type(ahead: Int?, on device: Int) -> AttemptResult {
        if let refusal = status(device, .user) { return .refused(refusal) }
        if let ahead, ahead < 0 {
            note(.codeReused)
            return .refused(.codeUsed)
        }
        guard let ahead, (0...10).contains(ahead) else {
            return .refused(.wrongCode(fail(device, .user)))
        }
        devices[device].counters[.user, default: 0] += UInt64(ahead) + 1
        succeed(device, .user)
        note(.codeAccepted)
        return .accepted(nil)
    }

    /// The result of two typed codes, the first `ahead` of the next one.
    mutating func resynchronise(ahead: Int64, _ isInARow: Bool, on device: Int) -> AttemptResult {
        if let refusal = status(device, .user) { return .refused(refusal) }
        guard isInARow, (0...100).contains(ahead) else {
            return .refused(.wrongCode(fail(device, .user)))
        }
        devices[device].counters[.user, default: 0] += UInt64(ahead) + 2
        succeed(device, .user)
        note(.codeAccepted)
        note(.credentialResynchronised)
        return .accepted(nil)
    }

    func status(_ device: Int, _ kind: CredentialKind) -> Refusal? {
        let end = end(device, kind)
        return barrier(device, kind) ?? (now < end ? .locked(until: end) : nil)
    }

    /// The end of the last temporary lock.
    private func end(_ device: Int, _ kind: CredentialKind) -> Timestamp {
        kind == .user ? pin.end : own[device].end
    }

    /// Why no code is checked, also without a temporary lock.
    private func barrier(_ device: Int, _ kind: CredentialKind) -> Refusal? {
        if devices[device].isRevoked { return .deviceRevoked }
        if devices[device].isBlocked { return .blocked }
        return devices[device].disabled.contains(kind) ? .credentialDisabled : nil
    }

    private mutating func succeed(_ device: Int, _ kind: CredentialKind) {
        if kind == .user { consents = [] }
        change(device, kind) { count in
            count.consecutiveFailures = 0
            count.locks = 0
            count.end = .earliest
        }
    }

    private mutating func fail(
        _ device: Int,
        _ kind: CredentialKind
    ) -> FailureCount.Consequence {
        note(.codeRefused)
        let now = now
        let month = Duration.seconds(30 * 24 * 3600)
        var (consequence, consecutiveFailures) = (FailureCount.Consequence.blocked, 0)
        change(device, kind) { count in
            count.moments = count.moments.filter { now < $0 + month } + [now]
            count.consecutiveFailures += 1
            consecutiveFailures = count.consecutiveFailures
            if count.moments.count >= 30 || count.consecutiveFailures == 5 && count.locks == 2 {
                return
            }
            if count.consecutiveFailures == 5 {
                count.end = now + .seconds(count.locks == 0 ? 1800 : 3600)
                count.locks += 1
                count.consecutiveFailures = 0
                consequence = .locked(until: count.end)
            } else {
                let left = min(5 - count.consecutiveFailures, 30 - count.moments.count)
                consequence = .counted(attemptsLeft: left)
            }
        }
        switch consequence {
        case .counted: if consecutiveFailures == 3 { note(.failuresRepeated) }
        case .locked: note(.credentialLocked)
        case .blocked:
            for index in kind == .user ? [0, 1] : [device] where devices[index].isActive {
                devices[index].isBlocked = true
                note(.credentialBlocked)
            }
        }
        return consequence
    }

    private mutating func change(
        _ device: Int,
        _ kind: CredentialKind,
        _ body: (inout Count) -> Void
    ) {
        if kind == .user { body(&pin) } else { body(&own[device]) }
    }
}

// MARK: Everything else

extension ReferenceModel {
    mutating func decide(_ trial: Trial, _ id: TransactionID, _ end: TransactionRecord.Outcome)
        -> AttemptResult
    {
        let isUnknown = payments[id]?.account != trial.device
        let isRejection = if case .rejected = end { true } else { false }
        return process(trial, isUnknown: isUnknown, isRejection: isRejection) { model in
            guard let payment = model.payments[id] else { return .unknownTransaction }
            if let outcome = payment.end {
                return outcome == .expired ? .transactionExpired : .alreadyDecided(outcome)
            }
            guard model.now < payment.deadline else { return .transactionExpired }
            guard case .approved(with: .consent, _) = end else { return nil }
            guard payment.takesConsent else { return .typeNotAllowed }
            return model.allowsConsent(to: payment.minorUnits) ? nil : .consentExhausted
        } accept: {
            $0.payments[id]?.end = end
            if case .approved(with: .consent, _) = end, let payment = $0.payments[id] {
                $0.consents.append(payment.minorUnits)
            }
            guard case .rejected(let reason, _) = end else { return $0.note(.transactionApproved) }
            $0.note(.transactionRejected)
            guard reason == .notMe else { return }
            $0.note(.personDenied)
            $0.mutedUntil = $0.now + .seconds(24 * 3600)
        }
    }

    /// The grant that an attempt creates, or created the first time.
    mutating func grant(_ id: TransactionID, by trial: Trial) -> TransactionID {
        let earlier = grants.first { $0.value.attempt == trial.attempt }
        if let earlier { return earlier.key }
        grants[id] = Grant(attempt: trial.attempt, account: trial.device, granted: now)
        return id
    }

    mutating func redeem(
        _ id: TransactionID,
        _ isSigned: Bool
    ) -> RuleResult<LoginGrant.Refusal> {
        guard let account = grants[id]?.account, devices[account].isActive else {
            return .refused(.deviceNotActive)
        }
        guard isSigned else { return .refused(.otherData) }
        guard let grant = grants[id], !grant.isRedeemed else { return .refused(.redeemedBefore) }
        guard now < grant.granted + .seconds(120) else { return .refused(.expired) }
        grants[id]?.isRedeemed = true
        note(.loginRedeemed)
        return .accepted
    }

    func allowsConsent(to minorUnits: UInt64) -> Bool {
        minorUnits <= 300 && consents.count < 5 && consents.reduce(minorUnits, +) <= 400
    }

    mutating func add(
        _ transaction: Transaction,
        of account: Int,
        _ minorUnits: UInt64,
        takesConsent: Bool
    ) {
        payments[transaction.id] = Payment(
            account: account,
            deadline: transaction.deadline,
            notifications: [now],
            minorUnits: minorUnits,
            takesConsent: takesConsent && allowsConsent(to: minorUnits)
        )
        note(.transactionCreated)
    }

    mutating func notify(_ id: TransactionID) -> NotificationResult {
        guard let payment = payments[id], payment.end == nil, now < payment.deadline else {
            return .ended
        }
        if now < mutedUntil { return .refused(.muted) }
        if !devices[payment.account].isActive { return .refused(.noDevice) }
        if payment.notifications.count == 3 { return .refused(.tooOften) }
        if let last = payment.notifications.last, now < last + .seconds(30) {
            return .refused(.tooSoon(until: last + .seconds(30)))
        }
        payments[id]?.notifications.append(now)
        note(.transactionNotified)
        return .notified
    }

    mutating func withdraw(_ id: TransactionID) -> Verifier.WithdrawalResult {
        guard let payment = payments[id], payment.end == nil, now < payment.deadline else {
            return .ended
        }
        payments[id]?.end = .withdrawn
        note(.transactionWithdrawn)
        return .done
    }

    mutating func unlock(_ device: Int) -> DeviceResult {
        guard devices[device].isActive, now < pin.end else { return .unchanged }
        pin.end = .earliest
        note(.credentialUnlocked)
        return .done
    }

    mutating func setEnabled(
        _ isEnabled: Bool,
        _ kind: CredentialKind?,
        _ device: Int
    ) -> DeviceResult {
        var result = DeviceResult.unchanged
        for kind in kind.map({ [$0] }) ?? [.user, .device]
        where devices[device].disabled.contains(kind) == isEnabled {
            if isEnabled {
                devices[device].disabled.remove(kind)
            } else {
                devices[device].disabled.insert(kind)
            }
            note(isEnabled ? .credentialEnabled : .credentialDisabled)
            result = .done
        }
        return result
    }

    mutating func revoke(_ device: Int) -> DeviceResult {
        guard !devices[device].isRevoked else { return .unchanged }
        devices[device].isRevoked = true
        note(.deviceRevoked)
        return .done
    }

    /// Returns how many transactions expired.
    mutating func expire() -> Int {
        let due = payments.filter { $0.value.end == nil && $0.value.deadline <= now }.keys
        for id in due {
            payments[id]?.end = .expired
            note(.transactionExpired)
        }
        return due.count
    }

    /// Whether one more transaction is allowed now; a person can have three pending ones.
    func mayRequest(_ account: Int) -> Bool {
        let waiting = payments.values.count { $0.end == nil && now < $0.deadline }
        return devices[account].isActive && waiting < 3
    }
}
