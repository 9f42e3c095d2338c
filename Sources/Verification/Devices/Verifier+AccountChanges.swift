import Storage
package import TransactionApproval

extension Verifier {
    /// The changes by the bank and other devices since the activation of the device, newest first.
    package func accountChanges(
        for device: DeviceID
    ) async throws(Failure) -> LookupResult<[AccountChangesExchange.Change]> {
        try await readOutcomes { ledger throws(StoreFailure) in
            try ledger.lookUp(for: device) { device throws(StoreFailure) in
                let limit = AccountChangesExchange.maximumCount
                // Some are not shown: the biometrics of each device can change.
                let records = try ledger.accountChanges(shownOn: device, limit: 2 * limit)
                var changes: [AccountChangesExchange.Change] = []
                for record in records where changes.count < limit {
                    let change = try ledger.accountChange(record, of: device.account)
                    if let change { changes.append(change) }
                }
                return .found(changes)
            }
        }
    }
}
