package import TransactionApproval

@testable import Storage
@testable package import Verification

// Reads that no program needs.

extension Verifier {
    /// Deliveries in order, after `sequence`.
    package func deliveries(
        _ state: Delivery.State,
        after sequence: UInt64 = 0,
        limit: Int
    ) async throws(Failure) -> [Delivery] {
        try await read { ledger throws(StoreFailure) in
            try ledger.deliveries(state, after: sequence, limit: limit)
        }
    }

    /// Nil if the device does not exist.
    package func pushSetting(of device: DeviceID) async throws(Failure) -> PushSetting? {
        try await read { ledger throws(StoreFailure) in try ledger.pushSetting(of: device) }
    }
}
