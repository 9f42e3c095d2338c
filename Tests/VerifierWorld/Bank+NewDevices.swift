import TransactionApproval
import Verification

extension Bank {
    /// EUR 30 in the first 24 hours of a new device.
    package static let waitingPolicy = """
        {"newDevice": {"waitingHours": 24, "ceilings": [{"currency": "EUR", "minorUnits": 3000}]}}
        """

    package func makeNewDevicesWait() async throws {
        let result = try await verifier.setPolicy(
            Self.waitingPolicy,
            of: Self.enterprise,
            by: Self.core
        )
        guard result == .done else { throw Unexpected() }
    }
}
