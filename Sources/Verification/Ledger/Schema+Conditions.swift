/// The conditions of queries about records of the audit trail.
///
/// All but `isChangeOfPerson` are conditions of indexes. A query that lacks the condition does not use the index.
extension Schema {
    /// The changes that devices show.
    static let isAccountChange: StaticString = """
        (kind = 'account.linked' OR kind = 'account.replaced'
            OR kind = 'activation.issued' OR kind = 'device.activated'
            OR kind = 'device.token-added' OR kind = 'device.revoked'
            OR kind = 'credential.rekeyed' OR kind = 'credential.locked'
            OR kind = 'credential.blocked')
        """
    /// The changes that concern all linked accounts: an activation enrols a device for each of them,
    /// and a replacement can move a device to one.
    static let isChangeOfPerson: StaticString = """
        kind IN ('activation.issued', 'account.linked', 'account.replaced')
        """
    /// The subject is the account that was linked, or that took over the devices.
    static let isMergedAccount: StaticString = """
        (kind = 'account.linked' OR kind = 'account.replaced')
        """
    /// The person was notified again of the transaction that is the subject.
    static let isNotification: StaticString = "kind = 'transaction.notified'"
}
