package import TransactionApproval
import Verification

extension BankRoute {
    static let outbox = [
        BankRoute(
            .get,
            ofEnterprise + "/outbox",
            .read,
            query: ["state", "after", "limit"],
            BankRequest.listDeliveries
        ),
        BankRoute(
            .put,
            ofEnterprise + "/outbox/{sequence}/{target}/retry",
            .administration,
            BankRequest.retryDelivery
        ),
    ]
}

extension BankRequest {
    fileprivate func listDeliveries() async throws(Verifier.Failure) -> BankResponse {
        guard
            let state = Delivery.Unfinished(rawValue: query.text("state") ?? "dead"),
            let after = query.number("after", in: 0...UInt64(Int64.max), default: 0),
            let limit = query.number("limit", in: 1...100, default: 100)
        else { return .refused(.own(.invalidQuery)) }
        let found = try await verifier.deliveries(state, of: enterprise, after: after, limit: limit)
        return .ok(DeliveryList(deliveries: found.map { DeliveryResource($0, state) }))
    }

    fileprivate func retryDelivery() async throws(Verifier.Failure) -> BankResponse {
        let text = text(.sequence)
        guard
            let sequence = UInt64(text), String(sequence) == text, sequence <= Int64.max,
            let target = Delivery.Target.allCases.first(where: { "\($0)" == self.text(.target) }),
            try await verifier.retry(sequence, to: target, in: enterprise, by: actor) > 0
        else { return .notFound }
        return .noContent
    }
}

package struct DeliveryList: Codable, Sendable {
    package let deliveries: [DeliveryResource]
}

package struct DeliveryResource: Codable, Sendable {
    /// The number of the audit record to deliver.
    package let sequence: UInt64
    package let target: String
    /// The device to wake.
    package let device: DeviceID?
    package let account: AccountKey
    package let subject: String
    package let state: String
    package let tries: Int
    /// Nil while it waits for an earlier delivery of its account.
    package let due: Timestamp?

    init(_ delivery: Delivery, _ state: Delivery.Unfinished) {
        sequence = delivery.sequence
        target = "\(delivery.target)"
        device = delivery.device
        account = delivery.account.key
        subject = delivery.subject
        self.state = state.rawValue
        tries = delivery.tries
        due = delivery.due
    }
}
