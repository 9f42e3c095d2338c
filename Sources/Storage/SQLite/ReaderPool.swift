import PrivateFiles

/// Connections that only read, for the threads that call.
///
/// A read of a few rows, most of which the page cache has, costs less than to wake another thread.
/// There is a connection for each thread that reads at the same time.
///
/// `@unchecked`: `lock` guards all variables; a connection belongs to the thread that took it.
final class ReaderPool: @unchecked Sendable {
    private let open: @Sendable () throws(StoreFailure) -> SQLiteConnection
    private let lock = Lock()
    private var free: [SQLiteConnection] = []
    private var isOpen = true

    init(_ open: @escaping @Sendable () throws(StoreFailure) -> SQLiteConnection) {
        self.open = open
    }

    func read<Outcome>(
        _ body: (SQLiteConnection) throws(StoreFailure) -> Outcome
    ) throws(StoreFailure) -> Outcome {
        let (isOpen, known) = lock.locked { (self.isOpen, free.popLast()) }
        guard isOpen else { throw .unavailable }
        let connection: SQLiteConnection
        if let known { connection = known } else { connection = try open() }
        defer { giveBack(connection) }
        return try body(connection)
    }

    /// Connections in use close when they come back.
    func close() {
        let closing = lock.locked {
            isOpen = false
            defer { free = [] }
            return free
        }
        for connection in closing { connection.close() }
    }

    private func giveBack(_ connection: SQLiteConnection) {
        let isKept = lock.locked {
            if isOpen { free.append(connection) }
            return isOpen
        }
        if !isKept { connection.close() }
    }
}
