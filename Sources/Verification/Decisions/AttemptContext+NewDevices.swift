import Storage
import TransactionApproval

extension AttemptContext {
    /// The waiting period of the device; nil if it does not wait.
    func wait(by policies: PolicyCache) throws(StoreFailure) -> DeviceWait? {
        let device = credential.device
        let policy = try policies.policy(of: device.account.enterprise, ledger).newDevice
        guard let end = device.waitEnd(by: policy, at: conditions.now) else { return nil }
        let waiting = try ledger.devices(ofPersonWith: device.account).filter {
            $0.waitEnd(by: policy, at: conditions.now) != nil
        }
        let earlier = waiting.reduce(CurrencySums()) { $0.adding($1.waitingAmounts) }
        return DeviceWait(policy, until: end, after: earlier)
    }
}

extension Ledger {
    /// The devices of the person, in any status, on this account and the linked ones.
    func devices(ofPersonWith reference: AccountReference) throws(StoreFailure) -> [Device] {
        guard let account = try account(reference) else { throw .damaged }
        var devices: [Device] = []
        for account in try allAccounts(of: account) {
            devices += try self.devices(of: account.reference)
        }
        return devices
    }
}
