import Storage
import TransactionApproval

extension AttemptContext {
    /// The limits for a web device; nil for every other device.
    func webPolicy(by policies: PolicyCache) throws(StoreFailure) -> WebDevicePolicy? {
        let device = credential.device
        guard device.isWeb else { return nil }
        return try policies.policy(of: device.account.enterprise, ledger).webDevices
    }
}
