import CommandLineTool
import TransactionApproval
import Verification
import VerifierServer

/// What has not reached the bank or a device yet, and whose it is.
struct OwedDelivery: Sendable {
    let enterprise: EnterpriseID
    let delivery: DeliveryResource

    /// Where it stands among others; no two stand in the same place.
    fileprivate var place: (UInt64, Int, String) {
        let isPush = delivery.target == "\(Delivery.Target.push)"
        return (delivery.sequence, isPush ? 1 : 0, delivery.device?.description ?? "")
    }
}

extension Bank {
    private static let deliveriesAtOnce = 100

    /// All deliveries of a state, or those of one record, in the order of the records: to the bank,
    /// and then to each device.
    func deliveries(
        _ state: Delivery.Unfinished,
        ofRecord record: UInt64? = nil
    ) async throws(CommandFailure) -> [OwedDelivery] {
        var all: [OwedDelivery] = []
        for enterprise in try await enterprises() {
            let deliveries =
                if let record {
                    try await page(of: enterprise, state, after: max(record, 1) - 1).filter {
                        $0.sequence == record
                    }
                } else {
                    try await deliveries(state, of: enterprise)
                }
            all += deliveries.map { OwedDelivery(enterprise: enterprise, delivery: $0) }
        }
        return all.sorted { $0.place < $1.place }
    }

    /// Those that whoever asks may see.
    private func enterprises() async throws(CommandFailure) -> [EnterpriseID] {
        let request = APIRequest(.get, EnterpriseID.allPath, of: "enterprise")
        return try await ask(request, for: EnterpriseList.self).enterprises.map(\.id)
    }

    private func deliveries(
        _ state: Delivery.Unfinished,
        of enterprise: EnterpriseID
    ) async throws(CommandFailure) -> [DeliveryResource] {
        var (all, last): ([DeliveryResource], UInt64) = ([], 0)
        while true {
            let batch = try await page(of: enterprise, state, after: last)
            all += batch
            guard batch.count >= Self.deliveriesAtOnce, let end = batch.last else { return all }
            last = end.sequence
        }
    }

    private func page(
        of enterprise: EnterpriseID,
        _ state: Delivery.Unfinished,
        after sequence: UInt64
    ) async throws(CommandFailure) -> [DeliveryResource] {
        let query = "state=\(state.rawValue)&after=\(sequence)&limit=\(Self.deliveriesAtOnce)"
        let request = APIRequest(.get, "\(enterprise.path)/outbox?\(query)", of: "enterprise")
        return try await ask(request, for: DeliveryList.self).deliveries
    }
}
