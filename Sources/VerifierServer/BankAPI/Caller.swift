import Verification

/// The caller of the bank API, with its rights.
struct Caller: Sendable {
    /// Nil for the operator.
    let token: BankTokenID?
    let actor: Actor
    let reach: BankToken.Reach
    let scopes: Set<BankToken.Scope>

    /// The operator has the store and its keys, so no scope can restrict them.
    static let operatorCommand = Caller(
        token: nil,
        actor: .operatorCommand,
        reach: .all,
        scopes: Set(BankToken.Scope.allCases)
    )
}

extension Caller {
    init(_ token: BankToken) {
        self.init(
            token: token.id,
            actor: token.actor,
            reach: token.reach,
            scopes: token.role.scopes
        )
    }
}
