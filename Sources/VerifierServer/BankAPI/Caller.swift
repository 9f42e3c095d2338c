import Verification

/// The caller of the bank API, with its rights.
struct Caller: Sendable {
    /// Nil for the operator.
    let token: BankTokenID?
    /// The owner of the idempotency keys of its calls.
    let keys: BankCall.Caller
    let actor: Actor
    let reach: BankToken.Reach
    let scopes: Set<BankToken.Scope>

    /// The operator has the store and its keys, so no scope can restrict them.
    static let operatorCommand = Caller(
        token: nil,
        keys: .operatorCommand,
        actor: .operatorCommand,
        reach: .all,
        scopes: Set(BankToken.Scope.allCases)
    )
}

extension Caller {
    init(_ token: BankToken) {
        self.init(
            token: token.id,
            keys: BankCall.Caller(token),
            actor: token.actor,
            reach: token.reach,
            scopes: token.role.scopes
        )
    }
}
