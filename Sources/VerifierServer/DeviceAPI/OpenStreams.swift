import PrivateFiles
import TransactionApproval
import Verification

/// The number of open event streams per device at this node.
///
/// A device needs one. It opens a second while the connection of the first is dead but not closed.
/// One device cannot use up the streams of others.
final class OpenStreams: Sendable {
    static let maximumOfDevice = 3

    private let counts = LockedValue<[DeviceID: Int]>([:])

    /// A stream of a device, which counts until the value is released.
    final class Slot: Sendable {
        private let device: DeviceID
        private let streams: OpenStreams

        fileprivate init(_ device: DeviceID, _ streams: OpenStreams) {
            self.device = device
            self.streams = streams
        }

        deinit {
            streams.leave(device)
        }
    }

    /// Nil if the device has the maximum number of streams.
    func enter(_ device: DeviceID) -> Slot? {
        let isFree = counts.withLock { counts in
            guard counts[device, default: 0] < Self.maximumOfDevice else { return false }
            counts[device, default: 0] += 1
            return true
        }
        return isFree ? Slot(device, self) : nil
    }

    private func leave(_ device: DeviceID) {
        counts.withLock { counts in
            let left = counts[device, default: 0] - 1
            counts[device] = left > 0 ? left : nil
        }
    }
}
