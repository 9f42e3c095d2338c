package import BankIntegration
package import TransactionApproval
import Verification

extension BankRoute {
    static let outbox = [
        BankRoute(
            .get,
            ofEnterprise + "/outbox",
            .read,
            query: [
                .choice("state", Delivery.Unfinished.allCases.map(\.rawValue)), .after,
                .number("limit", 1...100),
            ],
            BankRequest.listDeliveries
        ),
        BankRoute(
            .put,
            ofEnterprise + "/outbox/{sequence}/{target}/retry",
            .administration,
            as: .retryDelivery,
            query: [.choice("state", Delivery.Unfinished.allCases.map(\.rawValue))],
            BankRequest.retryDelivery
        ),
    ]
}

extension BankRequest {
    private var state: Delivery.Unfinished? {
        query.text("state").flatMap { Delivery.Unfinished(rawValue: $0) }
    }

    fileprivate func listDeliveries() async throws(Verifier.Failure) -> BankResponse {
        let state = state ?? .dead
        let found = try await verifier.deliveries(
            state,
            of: enterprise,
            after: query.number("after", default: 0),
            limit: query.number("limit", default: 100)
        )
        return .ok(DeliveryList(deliveries: found.map { DeliveryResource($0, state) }))
    }

    fileprivate func retryDelivery() async throws(Verifier.Failure) -> BankResponse {
        let text = text(.sequence)
        guard
            let sequence = UInt64(text), String(sequence) == text, sequence <= Int64.max,
            let target = Delivery.Target.allCases.first(where: { "\($0)" == self.text(.target) }),
            try await verifier.retry(
                sequence,
                to: target,
                only: state,
                in: enterprise,
                by: author
            ) > 0
        else { return .notFound(.delivery) }
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
    /// Nil if the event concerns the whole enterprise.
    package let account: AccountKey?
    package let subject: String
    package let state: String
    package let tries: Int
    /// Nil while it waits for an earlier delivery of its account.
    package let due: DateTime?
    /// The number of the record that is delivered first.
    package let waitsFor: UInt64?

    init(_ queued: QueuedDelivery, _ state: Delivery.Unfinished) {
        let delivery = queued.delivery
        sequence = delivery.sequence
        target = "\(delivery.target)"
        device = delivery.device
        account = delivery.concern.account?.key
        subject = delivery.subject
        self.state = state.rawValue
        tries = delivery.tries
        due = delivery.due.map { DateTime($0) }
        waitsFor = queued.waitsFor
    }
}
