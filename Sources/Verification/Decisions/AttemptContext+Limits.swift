import Storage
import TransactionApproval

extension AttemptContext {
    /// The limits for a decision of the device.
    func limits(
        for choice: DecisionExchange.Choice,
        by policies: PolicyCache
    ) throws(StoreFailure) -> DecisionLimits {
        let policy = try policies.policy(of: account.reference.enterprise, ledger)
        var limits = DecisionLimits(wait: try wait(under: policy.newDevice))
        if credential.device.isWeb { limits.web = policy.webDevices }
        if choice == .approve(.consent) {
            let before = try ledger.consents(of: account, in: conditions.epoch)
            limits.consent = ConsentLimits(policy.consent, after: before)
        }
        return limits
    }

    /// The waiting period of the device; nil if it does not wait.
    func wait(under policy: NewDevicePolicy) throws(StoreFailure) -> DeviceWait? {
        let device = credential.device
        guard let end = device.waitEnd(by: policy, at: conditions.now) else { return nil }
        let waiting = try ledger.devices(ofPersonWith: device.account).filter {
            $0.waitEnd(by: policy, at: conditions.now) != nil
        }
        let earlier = waiting.reduce(CurrencySums()) { $0.adding($1.waitingAmounts) }
        return DeviceWait(policy, until: end, after: earlier)
    }
}
