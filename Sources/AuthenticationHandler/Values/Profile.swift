import TransactionApproval

/// The status of an account at the verifier.
public struct Profile: Equatable, Sendable {
    public let account: Account
    public let pinPolicy: PINPolicy
    /// The types that the bank allows and this device has.
    public let authenticationTypes: [AuthenticationType]
    /// Nil if the PIN is not locked.
    public let pinLock: LockEnd?
    /// False while the bank has disabled the PIN.
    public let isPINEnabled: Bool
    /// Whether this account still has the old PIN after an interrupted change; `changePIN`
    /// continues it.
    public let needsPINChange: Bool
    /// The verifier's clock minus the clock of this device; zero until the verifier refuses the
    /// clock of this device.
    ///
    /// After the clock is corrected to within 60 seconds, the next refusal sets it to zero again.
    public let clockOffset: Duration
}
