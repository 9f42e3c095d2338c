import Storage

/// The names of rows that a restore leaves forged.
struct ForgedRows {
    /// After `ForgeryMonitor.maximumRows`, one name for all others.
    private(set) var names: [String] = []
    private var known: Set<String> = []

    mutating func add(_ row: String) {
        guard !known.contains(row) else { return }
        if known.count < ForgeryMonitor.maximumRows {
            known.insert(row)
            names.append(row)
        } else if names.count == known.count {
            names.append(ForgeryMonitor.furtherRows)
        }
    }

    mutating func add(_ failures: [StoreFailure]) {
        for failure in failures {
            if case .forged(let row) = failure.reason { add(row) }
        }
    }
}
