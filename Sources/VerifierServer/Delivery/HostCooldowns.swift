import BankIntegration
import PrivateFiles
import TransactionApproval
import Verification

/// The pauses in sending to the hosts of push services, after a timeout or a Retry-After.
///
/// Devices choose the hosts. So each host has a pause of its own, and the number of known pauses has
/// a limit. If a pause is forgotten, the host gets one more message.
final class HostCooldowns: Sendable {
    typealias Instant = ContinuousClock.Instant

    static let maximumCount = 256

    private let ends = LockedValue<[ServerOrigin: Instant]>([:])

    var count: Int { ends.withLock { $0.count } }

    /// Nil if there is no pause.
    func remaining(of host: ServerOrigin, at now: Instant = .now) -> Duration? {
        guard let end = ends.withLock({ $0[host] }), end > now else { return nil }
        return end - now
    }

    func begin(for duration: Duration, of host: ServerOrigin, at now: Instant = .now) {
        guard duration > .zero else { return }
        let end = now + min(duration, Cooldown.maximumWait)
        ends.withLock { ends in
            if ends[host] == nil { Self.makeRoom(in: &ends, at: now) }
            ends[host] = max(ends[host] ?? end, end)
        }
    }

    private static func makeRoom(in ends: inout [ServerOrigin: Instant], at now: Instant) {
        guard ends.count >= maximumCount else { return }
        ends = ends.filter { $0.value > now }
        guard ends.count >= maximumCount, let first = ends.min(by: { $0.value < $1.value }) else {
            return
        }
        ends[first.key] = nil
    }
}
