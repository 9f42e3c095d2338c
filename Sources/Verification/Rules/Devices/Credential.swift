package import OneTimePassword
package import Sealing
package import TransactionApproval

/// One secret with its moving counter.
package struct Credential: Equatable, Sendable {
    package enum Status: UInt8, Sendable {
        case active = 1
        /// The bank disabled it; only the bank can enable it.
        case disabled
        /// The device no longer has this secret: it removed it, or was rekeyed after the restored
        /// backup. A rekey ends this state.
        case outdated
        /// Both; either may end first.
        case disabledAndOutdated
    }

    /// How far a device's counter may be ahead in band.
    package static let reach = CredentialPosition.reach

    /// A store's integer is signed, and the counter after the last one must fit too.
    static let maximumCounter = Counter(UInt64(Int64.max) - 1)

    package let id: CredentialID
    package let device: DeviceID
    package let kind: CredentialKind
    package private(set) var generation: Generation
    /// The lowest unused counter.
    package private(set) var counter: Counter
    package private(set) var status: Status
    /// The epoch in which the device last proved its counter.
    ///
    /// Typed codes are refused until it equals the current epoch.
    package private(set) var confirmedEpoch: Epoch
    package private(set) var seed: SealedValue
    /// Whether a reused counter was reported since the last right code.
    private(set) var isCopyDetected: Bool

    package init(
        id: CredentialID,
        device: DeviceID,
        kind: CredentialKind,
        generation: Generation,
        counter: Counter,
        status: Status,
        confirmedEpoch: Epoch,
        seed: SealedValue,
        isCopyDetected: Bool = false
    ) {
        self.id = id
        self.device = device
        self.kind = kind
        self.generation = generation
        self.counter = counter
        self.status = status
        self.confirmedEpoch = confirmedEpoch
        self.seed = seed
        self.isCopyDetected = isCopyDetected
    }

    /// A credential at its activation.
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
            confirmedEpoch: epoch,
            seed: seed
        )
    }

    /// Uses up every counter below `next`.
    mutating func advance(to next: Counter) {
        // A counter that moves back would accept a used code again.
        precondition(next > counter)
        counter = next
        isCopyDetected = false
    }

    /// Records a reused counter; returns false if it is already recorded.
    ///
    /// A sender with the device's key can repeat used counters without limit, and one event is
    /// enough.
    mutating func noticeCopy() -> Bool {
        defer { isCopyDetected = true }
        return !isCopyDetected
    }

    mutating func confirm(in epoch: Epoch) {
        confirmedEpoch = epoch
    }

    /// Replaces the secret by that of another generation.
    mutating func rekey(to generation: Generation, _ seed: SealedValue) {
        status = Status(isEnabled: status.isEnabled, isOutdated: false)
        self.generation = generation
        self.seed = seed
    }

    /// Replaces the encrypted value of the same secret.
    mutating func reseal(as seed: SealedValue) {
        self.seed = seed
    }

    /// Returns false if nothing changes; an outdated credential stays outdated.
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
