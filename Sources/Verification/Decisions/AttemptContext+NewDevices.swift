import Storage
import TransactionApproval

extension AttemptContext {
    /// The waiting period of the device; nil if it does not wait.
    ///
    /// A token does not wait: an activation code does not enrol it.
    func wait(by policies: PolicyCache) throws(StoreFailure) -> DeviceWait? {
        let device = credential.device
        guard case .installation = device.kind else { return nil }
        let policy = try policies.policy(of: device.account.enterprise, ledger).newDevice
        let end = device.activated + policy.waiting
        guard policy.waiting > .zero, conditions.now < end else { return nil }
        return try ledger.hasEarlierDevice(than: device) ? DeviceWait(policy, until: end) : nil
    }
}

extension Ledger {
    /// Whether the person had another device before this one, in any status and on any account.
    fileprivate func hasEarlierDevice(than device: Device) throws(StoreFailure) -> Bool {
        try devicesOfPerson(device.account).contains { $0.activated < device.activated }
    }

    private func devicesOfPerson(_ reference: AccountReference) throws(StoreFailure) -> [Device] {
        guard let account = try account(reference) else { throw .damaged }
        var devices: [Device] = []
        for account in try allAccounts(of: account) {
            devices += try self.devices(of: account.reference)
        }
        return devices
    }

    /// The activation time of the person's last device.
    fileprivate func lastActivation(of account: AccountReference) throws(StoreFailure) -> Timestamp?
    {
        try devicesOfPerson(account).map(\.activated).max()
    }
}

extension ChangeContext {
    /// Moves the time of this change past the activation of the account's last device.
    ///
    /// So the times order the devices of a person, even if the clock was set back.
    mutating func follow(devicesOf account: AccountReference) throws(StoreFailure) {
        guard try ledger.account(account) != nil else { return }
        if let last = try ledger.lastActivation(of: account) {
            now = max(now, last + .milliseconds(1))
        }
    }
}
