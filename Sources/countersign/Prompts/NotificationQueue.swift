import PrivateFiles

/// The notifications that `countersign watch` handles, one after the other.
///
/// Each new connection announces all pending requests again. So a notification is skipped if it is
/// equal to an earlier one, until the earlier one is forgotten.
final class NotificationQueue: Sendable {
    private static let maximumLength = 64

    private let known = LockedValue<Set<[UInt8]>>([])

    /// Also reads `pushes` while a notification is handled.
    func notifications(among pushes: AsyncStream<[UInt8]>) -> AsyncStream<[UInt8]> {
        let (notifications, queue) = AsyncStream<[UInt8]>.makeStream(
            bufferingPolicy: .bufferingNewest(Self.maximumLength)
        )
        let reading = Task {
            for await push in pushes where isNew(push) {
                if case .dropped(let earlier) = queue.yield(push) { forget(earlier) }
            }
            queue.finish()
        }
        queue.onTermination = { _ in reading.cancel() }
        return notifications
    }

    /// Accepts the next notification that is equal to this one.
    func forget(_ push: [UInt8]) {
        known.withLock { _ = $0.remove(push) }
    }

    private func isNew(_ push: [UInt8]) -> Bool {
        known.withLock { $0.insert(push).inserted }
    }
}
