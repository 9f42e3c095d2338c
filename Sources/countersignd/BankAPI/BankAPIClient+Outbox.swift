import CommandLineTool
import TransactionApproval
import VerifierServer

/// A delivery that has not succeeded, and its enterprise.
struct UnfinishedDelivery: Sendable {
    enum State: String {
        /// No longer retried.
        case dead
        case waiting
    }

    enum Target: String, CaseIterable, ArgumentValue {
        case webhook, push
    }

    let enterprise: EnterpriseID
    let delivery: DeliveryResource

    var isDead: Bool { delivery.state == State.dead.rawValue }
    /// Whether an earlier delivery must succeed first.
    var isBehind: Bool { delivery.waitsFor != nil }

    /// The order of deliveries: by record, webhooks before pushes, then by device.
    fileprivate var position: (UInt64, Int, String) {
        let isPush = delivery.target == Target.push.rawValue
        return (delivery.sequence, isPush ? 1 : 0, delivery.device?.description ?? "")
    }

    /// The path that retries it, and all other pushes of its record.
    var retryPath: String {
        "\(enterprise.path)/outbox/\(delivery.sequence)/\(delivery.target)/retry"
    }
}

extension BankAPIClient {
    private static let maximumPage = 100

    func enterprises() async throws(CommandFailure) -> EnterpriseList {
        try await send(APIRequest(.get, EnterpriseID.allPath, of: "enterprise"))
    }

    /// The deliveries of all enterprises that the token can access.
    func deliveries(
        _ state: UnfinishedDelivery.State
    ) async throws(CommandFailure) -> [UnfinishedDelivery] {
        try await ofAllEnterprises { enterprise throws(CommandFailure) in
            try await deliveries(state, of: enterprise)
        }
    }

    /// The deliveries that a retry is for, in order.
    func deliveries(
        _ states: [UnfinishedDelivery.State],
        ofRecord record: UInt64?
    ) async throws(CommandFailure) -> [UnfinishedDelivery] {
        try await ofAllEnterprises { enterprise throws(CommandFailure) in
            var found: [DeliveryResource] = []
            for state in states {
                guard let record else {
                    found += try await deliveries(state, of: enterprise)
                    continue
                }
                let page = try await page(of: enterprise, state, after: max(record, 1) - 1)
                found += page.filter { $0.sequence == record }
            }
            return found
        }
    }

    private func ofAllEnterprises(
        _ deliveries: (EnterpriseID) async throws(CommandFailure) -> [DeliveryResource]
    ) async throws(CommandFailure) -> [UnfinishedDelivery] {
        var all: [UnfinishedDelivery] = []
        for enterprise in try await enterprises().enterprises.map(\.id) {
            all += try await deliveries(enterprise).map {
                UnfinishedDelivery(enterprise: enterprise, delivery: $0)
            }
        }
        return all.sorted { $0.position < $1.position }
    }

    /// Retries it in any state if `state` is nil; returns false if it is no longer in that state.
    func retry(
        _ delivery: UnfinishedDelivery,
        only state: UnfinishedDelivery.State?
    ) async throws(CommandFailure) -> Bool {
        let query = state.map { "?state=\($0.rawValue)" } ?? ""
        do throws(CommandFailure) {
            try await send(APIRequest(.put, delivery.retryPath + query, of: "delivery"))
            return true
        } catch {
            guard error.exitCode == .noInput else { throw error }
            return false
        }
    }

    private func deliveries(
        _ state: UnfinishedDelivery.State,
        of enterprise: EnterpriseID
    ) async throws(CommandFailure) -> [DeliveryResource] {
        var (all, last): ([DeliveryResource], UInt64) = ([], 0)
        while true {
            let page = try await page(of: enterprise, state, after: last)
            all += page
            guard page.count >= Self.maximumPage, let end = page.last else { return all }
            last = end.sequence
        }
    }

    private func page(
        of enterprise: EnterpriseID,
        _ state: UnfinishedDelivery.State,
        after sequence: UInt64
    ) async throws(CommandFailure) -> [DeliveryResource] {
        let query = "state=\(state.rawValue)&after=\(sequence)&limit=\(Self.maximumPage)"
        let request = APIRequest(.get, "\(enterprise.path)/outbox?\(query)", of: "enterprise")
        return try await send(request, for: DeliveryList.self).deliveries
    }
}
