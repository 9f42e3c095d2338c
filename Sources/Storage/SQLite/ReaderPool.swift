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
    private var usedCount = 0
    private var isOpen = true
    private var closers: [CheckedContinuation<Void, Never>] = []

    init(_ open: @escaping @Sendable () throws(StoreFailure) -> SQLiteConnection) {
        self.open = open
    }

    func read<Outcome>(
        _ body: (SQLiteConnection) throws(StoreFailure) -> Outcome
    ) throws(StoreFailure) -> Outcome {
        let (isOpen, known) = lock.locked {
            if self.isOpen { usedCount += 1 }
            return (self.isOpen, free.popLast())
        }
        guard isOpen else { throw .unavailable }
        var connection = known
        defer { endUse(of: connection) }
        let used = if let known { known } else { try open() }
        connection = used
        return try body(used)
    }

    /// Rejects new reads; returns when all reads have ended and all connections are closed.
    func close() async {
        await withCheckedContinuation { closer in
            let (closing, isUsed) = lock.locked {
                isOpen = false
                if usedCount > 0 { closers.append(closer) }
                defer { free = [] }
                return (free, usedCount > 0)
            }
            for connection in closing { connection.close() }
            if !isUsed { closer.resume() }
        }
    }

    /// Nil if no connection could be opened.
    private func endUse(of connection: SQLiteConnection?) {
        let isKept = lock.locked {
            if isOpen, let connection { free.append(connection) }
            return isOpen
        }
        // Before the last closer continues.
        if !isKept { connection?.close() }
        let ready = lock.locked {
            usedCount -= 1
            defer { if usedCount == 0 { closers = [] } }
            return usedCount == 0 ? closers : []
        }
        for closer in ready { closer.resume() }
    }
}
