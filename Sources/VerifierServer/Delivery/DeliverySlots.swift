import PrivateFiles
import TransactionApproval
import Verification

/// The deliveries in progress to one kind of target, and the signal to look for more.
final class DeliverySlots: Sendable {
    let target: Delivery.Target
    /// Yields whenever there may be something to send, or a slot is free.
    let looks: AsyncStream<Void>
    private let looking: AsyncStream<Void>.Continuation
    private let held = LockedValue(DeliveryShares())

    init(to target: Delivery.Target) {
        self.target = target
        (looks, looking) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// The shares at this moment.
    var shares: DeliveryShares { held.withLock { $0 } }

    func look() { looking.yield() }

    func begin(_ enterprise: EnterpriseID) { held.withLock { _ = $0.begin(enterprise) } }

    func end(_ enterprise: EnterpriseID) {
        held.withLock { $0.end(enterprise) }
        look()
    }
}
