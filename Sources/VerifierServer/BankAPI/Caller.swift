import Verification

/// The caller of the bank API, with its rights.
struct Caller: Sendable {
    let actor: Actor
    let reach: BankToken.Reach
    let scopes: Set<BankToken.Scope>

    init(_ token: BankToken) {
        self.init(actor: token.actor, reach: token.reach, scopes: token.role.scopes)
    }

    private init(actor: Actor, reach: BankToken.Reach, scopes: Set<BankToken.Scope>) {
        self.actor = actor
        self.reach = reach
        self.scopes = scopes
    }

    /// The operator has the store and its keys, so no scope can restrict them.
    static let operatorCommand = Caller(
        actor: .operatorCommand,
        reach: .all,
        scopes: Set(BankToken.Scope.allCases)
    )
}
