import AuthenticationHandler

/// An account in JSON.
struct ShownAccount: Encodable {
    let enterprise, type, id: String

    init(_ account: Account) {
        (enterprise, type, id) = (account.enterprise, account.type, account.id)
    }
}
