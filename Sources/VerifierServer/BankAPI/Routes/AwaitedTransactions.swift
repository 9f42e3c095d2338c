import BankIntegration
import StrictJSON
import TransactionApproval
import Verification

/// The transactions for whose ends a program of the bank waits.
struct AwaitedTransactions: RequestContent {
    let ids: Set<TransactionID>
    let wait: Duration

    init?(_ value: CheckedValue) {
        guard let members = value.object(["ids", "wait"]) else { return nil }
        let ids = members.required("ids")?.elements(1...Verifier.maximumAwaited)
            .compactMap { $0.name() as TransactionID? }
        wait = .seconds(members.optional("wait")?.integer(in: 0...BankRoute.maximumWait) ?? 0)
        guard let ids else { return nil }
        self.ids = Set(ids)
    }
}

/// The transactions that need no waiting.
struct TransactionEndsResource: Encodable {
    struct Ended: Encodable {
        let id: TransactionID
        let account: AccountKey
        let state: TransactionResource.State
        let closed: DateTime?
        let approvedWith: AuthenticationType?
        let rejectedFor: RejectionReason?
        let device: DeviceID?

        fileprivate init(_ overview: TransactionOverview) {
            let shown = TransactionResource(overview)
            (id, account, state) = (shown.id, shown.account, shown.state)
            (closed, approvedWith) = (shown.closed, shown.approvedWith)
            (rejectedFor, device) = (shown.rejectedFor, shown.device)
        }
    }

    let ended: [Ended]
    let unapprovable: [TransactionID]
    let withoutDevice: [TransactionID]
    let unknown: [TransactionID]

    init(_ ends: TransactionEnds) {
        ended = ends.ended.map(Ended.init)
        unapprovable = ends.unapprovable
        withoutDevice = ends.withoutDevice
        unknown = ends.unknown
    }
}
