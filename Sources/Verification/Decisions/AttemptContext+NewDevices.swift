import Storage
import TransactionApproval

extension AttemptContext {
    /// The waiting period of the device; nil if it does not wait.
    func wait(by policies: PolicyCache) throws(StoreFailure) -> DeviceWait? {
        let device = credential.device
        guard device.waits else { return nil }
        let policy = try policies.policy(of: device.account.enterprise, ledger).newDevice
        let end = device.activated + policy.waiting
        return conditions.now < end ? DeviceWait(policy, until: end) : nil
    }
}

extension Ledger {
    /// Whether the person has or had a device, in any status, on this or a linked account.
    func hasDevice(ofPersonWith reference: AccountReference) throws(StoreFailure) -> Bool {
        guard let account = try account(reference) else { throw .damaged }
        for account in try allAccounts(of: account)
        where try !devices(of: account.reference).isEmpty {
            return true
        }
        return false
    }
}
