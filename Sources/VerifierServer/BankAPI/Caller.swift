import Verification

/// The caller of the bank API, with its rights.
struct Caller: Sendable {
    /// Nil for the operator.
    let token: BankTokenID?
    /// The owner of the idempotency keys of its calls.
    let keys: BankCall.Caller
    private(set) var author: ChangeAuthor
    let reach: BankToken.Reach
    let scopes: Set<BankToken.Scope>

    /// The operator has the store and its keys, so no scope can restrict them.
    static let operatorCommand = Caller(
        token: nil,
        keys: .operatorCommand,
        author: .operatorCommand,
        reach: .all,
        scopes: Set(BankToken.Scope.allCases)
    )
}

extension Caller {
    init(_ token: BankToken) {
        self.init(
            token: token.id,
            keys: BankCall.Caller(token),
            author: token.author,
            reach: token.reach,
            scopes: token.role.scopes
        )
    }

    func confirming(_ id: RequestedCallID?, by call: TwoPersonCall) -> Caller {
        var caller = self
        caller.author = author.confirming(id, by: call)
        return caller
    }
}
