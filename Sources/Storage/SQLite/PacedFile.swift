import CSQLite

/// The file of a connection that is synced after some written pages, and not only after all.
///
/// A commit waits until the disk has everything that was written before. So it waits for a few pages
/// of a copy, and not for a thousand.
final class PacedFile {
    private let methods: UnsafeMutablePointer<countersign_sqlite_paced_methods>

    /// 128 pages.
    private static let interval: Int32 = 512 << 10

    /// It must exist until the connection is closed.
    fileprivate init() { methods = .allocate(capacity: 1) }

    fileprivate func pace(_ handle: OpaquePointer) -> Int32 {
        countersign_sqlite_pace(handle, methods, Self.interval)
    }

    deinit { methods.deallocate() }
}

extension SQLiteConnection {
    /// Call it once, on the thread of the connection.
    func paceWrites() {
        let file = PacedFile()
        // Without it, the file has the same contents, only later.
        guard file.pace(handle) == SQLITE_OK else { return }
        pacedFile = file
    }
}
