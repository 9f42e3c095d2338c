package import OneTimePassword
package import TransactionApproval

/// One secret with its moving counter, as the verifier keeps it.
package struct Credential: Equatable, Sendable {
    package enum Status: UInt8, Sendable {
        case active = 1
        /// The bank switched it off; only the bank can switch it on again.
        case disabled
        /// The device no longer has the secret: it gave it up, or was rekeyed after the backup that
        /// this record comes from. A rekey ends that.
        case outdated
        /// Both, of which either may end first.
        case disabledAndOutdated
    }

    /// How far a device may be ahead in band, where it says its counter: it counts codes that never
    /// arrived, and there are not so many in a life.
    package static let reach: UInt64 = 1 << 20

    /// A store's integer has a sign, and the counter after the last one must fit too.
    static let maximumCounter = Counter(UInt64(Int64.max) - 1)

    package let id: CredentialID
    package let device: DeviceID
    package let kind: CredentialKind
    package private(set) var generation: Generation
    /// The least one that was not used.
    package private(set) var counter: Counter
    package private(set) var status: Status
    /// The epoch in which the device last showed its counter: until it does so in the present one,
    /// codes that somebody types are refused.
    package private(set) var confirmedIn: Epoch
    package private(set) var seed: SealedValue
    /// Whether the bank heard of a counter that was used before, since the last code that was right.
    package private(set) var isCopyNoticed: Bool

    package init(
        id: CredentialID,
        device: DeviceID,
        kind: CredentialKind,
        generation: Generation,
        counter: Counter,
        status: Status,
        confirmedIn: Epoch,
        seed: SealedValue,
        isCopyNoticed: Bool = false
    ) {
        self.id = id
        self.device = device
        self.kind = kind
        self.generation = generation
        self.counter = counter
        self.status = status
        self.confirmedIn = confirmedIn
        self.seed = seed
        self.isCopyNoticed = isCopyNoticed
    }

    /// One as it begins.
    init(
        beginning context: CredentialContext,
        on device: DeviceID,
        in epoch: Epoch,
        seed: SealedValue
    ) {
        self.init(
            id: context.id,
            device: device,
            kind: context.kind,
            generation: context.generation,
            counter: Counter(0),
            status: .active,
            confirmedIn: epoch,
            seed: seed
        )
    }

    /// Uses up every counter below `next`.
    mutating func advance(to next: Counter) {
        precondition(next > counter)
        counter = next
        isCopyNoticed = false
    }

    /// Notes that a copy of the device is about; false where that is known.
    ///
    /// Who has the device's key can say used counters without end, and one alarm is enough.
    mutating func noticeCopy() -> Bool {
        defer { isCopyNoticed = true }
        return !isCopyNoticed
    }

    mutating func confirm(in epoch: Epoch) {
        confirmedIn = epoch
    }

    /// Puts the secret of another generation in the place of this one's, which may be gone.
    mutating func rekey(to generation: Generation, _ seed: SealedValue) {
        status = Status(isEnabled: status.isEnabled, isOutdated: false)
        self.generation = generation
        self.seed = seed
    }

    /// Encrypts the same secret for another owner, or under another key.
    mutating func reseal(as seed: SealedValue) {
        self.seed = seed
    }

    /// False where that changes nothing: an outdated one stays so.
    mutating func setEnabled(_ isEnabled: Bool) -> Bool {
        guard status.isEnabled != isEnabled else { return false }
        status = Status(isEnabled: isEnabled, isOutdated: status.isOutdated)
        return true
    }

    mutating func markOutdated() {
        status = Status(isEnabled: status.isEnabled, isOutdated: true)
    }
}

extension Credential.Status {
    package var isEnabled: Bool { self == .active || self == .outdated }
    package var isOutdated: Bool { self == .outdated || self == .disabledAndOutdated }

    fileprivate init(isEnabled: Bool, isOutdated: Bool) {
        self =
            switch (isEnabled, isOutdated) {
            case (true, false): .active
            case (false, false): .disabled
            case (true, true): .outdated
            case (false, true): .disabledAndOutdated
            }
    }
}
