import PrivateFiles

/// Whether writes of this process may be missing on the disk, although a read returns them.
///
/// Linux reports once that pages could not be written, and then takes them for written. So after a
/// failure they are written again.
final class UnsyncedWrites: Sendable {
    private let exist = LockedValue(false)

    var mayExist: Bool { exist.withLock { $0 } }

    /// Makes all writes durable by `synchronise`.
    func end(by synchronise: () throws(FileFailure) -> Void) throws(FileFailure) {
        exist.withLock { $0 = true }
        try synchronise()
        exist.withLock { $0 = false }
    }
}
