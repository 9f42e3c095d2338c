import Verification

/// How much is on its way to one kind of target, and whether to look for more.
final class DeliverySlots: Sendable {
    /// As much as is sent at a time.
    private static let width = 8

    let target: Delivery.Target
    /// One for each time that there may be something to send, or room for it.
    let looks: AsyncStream<Void>
    private let looking: AsyncStream<Void>.Continuation
    private let lock = Lock()
    // Only touched while `lock` is held.
    private nonisolated(unsafe) var free = width

    init(to target: Delivery.Target) {
        self.target = target
        (looks, looking) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    var room: Int { lock.locked { free } }

    func look() { looking.yield() }

    func enter(_ count: Int) { lock.locked { free -= count } }

    func leave() {
        lock.locked { free += 1 }
        look()
    }
}
