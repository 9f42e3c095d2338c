import TransactionApproval
import Verification

/// How many event streams each device has open at this node.
///
/// One is enough. A second is there while the first, whose connection is dead, is not known to be;
/// and no device takes the places of others.
final class OpenStreams: Sendable {
    static let maximumOfDevice = 3

    private let lock = Lock()
    // Only touched while `lock` is held.
    private nonisolated(unsafe) var counts: [DeviceID: Int] = [:]

    /// A stream's place among those of its device, given back when nobody has it any more.
    final class Place: Sendable {
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

    /// Nil where the device has as many as it may.
    func enter(_ device: DeviceID) -> Place? {
        let isRoom = lock.locked {
            guard counts[device, default: 0] < Self.maximumOfDevice else { return false }
            counts[device, default: 0] += 1
            return true
        }
        return isRoom ? Place(device, self) : nil
    }

    private func leave(_ device: DeviceID) {
        lock.locked {
            let left = counts[device, default: 0] - 1
            counts[device] = left > 0 ? left : nil
        }
    }
}
