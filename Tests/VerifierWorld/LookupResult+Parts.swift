package import TransactionApproval
package import Verification

extension LookupResult {
    /// The found value; nil if there is a refusal.
    package var value: Value? {
        if case .found(let value) = self { value } else { nil }
    }

    package var refusal: Refusal? {
        if case .refused(let refusal) = self { refusal } else { nil }
    }
}

extension PendingTransaction {
    /// As the device reads it.
    package var transaction: Transaction? { Transaction(wireBytes: canonicalBytes) }
}
