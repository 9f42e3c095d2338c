import Storage
import TransactionApproval

/// The state of one change by the bank, an operator or a timer, within its store transaction.
struct ChangeContext {
    let ledger: Ledger
    var now: Timestamp
    let epoch: Epoch
    var events: [Event] = []
}

extension ChangeContext {
    /// Whether an account can have this many more devices.
    func hasRoom(
        in account: AccountReference,
        forDevices count: Int = 1,
        under policy: EnterprisePolicy
    ) throws(StoreFailure) -> Bool {
        try ledger.activeDeviceCount(of: account) + count <= policy.devicesPerAccount
    }
}

extension Verifier {
    /// Runs a change and records its events on the audit trail, in one store transaction.
    func change<Outcome: Sendable>(
        by author: ChangeAuthor,
        reading queries: [Query] = [],
        _ body: @escaping @Sendable (inout ChangeContext) throws(StoreFailure) -> Outcome
    ) async throws(Failure) -> Outcome {
        try await write(by: author, reading: queries) { [clock] ledger throws(StoreFailure) in
            let state = try ledger.state()
            let now = clock.now(in: state)
            var context = ChangeContext(ledger: ledger, now: now, epoch: state.epoch)
            let outcome = try body(&context)
            try ledger.record(context.events, by: author.actor, at: context.now, after: state.audit)
            return outcome
        }
    }
}
