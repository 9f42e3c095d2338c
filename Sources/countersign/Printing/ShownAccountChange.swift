import AuthenticationHandler

/// A change of an account in JSON.
struct ShownAccountChange: Encodable {
    let account: ShownAccount
    let kind: AccountChangeKind
    let moment: Timestamp
    let deviceName: String?

    init(_ change: AccountChange) {
        account = ShownAccount(change.account)
        (kind, moment, deviceName) = (change.kind, change.moment, change.deviceName)
    }
}
