import PrivateFiles
import Storage

/// Notices rows that were rejected because another program wrote them.
package final class ForgeryMonitor: Sendable {
    package typealias Observer = @Sendable (_ row: String) -> Void

    /// An attacker may forge any number of rows.
    static let maximumRows = 1000

    private let lock = Lock()
    // Only touched while `lock` is held.
    private nonisolated(unsafe) var rows: Set<String> = []
    private nonisolated(unsafe) var unrecorded: [String] = []
    private nonisolated(unsafe) var observers: [Observer] = []

    package init() {}

    /// The number of rows that this process has rejected.
    package var count: Int { lock.locked { rows.count } }

    /// Calls `observer` for each row, once.
    package func addObserver(_ observer: @escaping Observer) {
        lock.locked { observers.append(observer) }
    }

    func note(_ failure: StoreFailure) {
        guard case .forged(let row) = failure.reason else { return }
        let observers: [Observer] = lock.locked {
            guard rows.count < Self.maximumRows, rows.insert(row).inserted else { return [] }
            unrecorded.append(row)
            return self.observers
        }
        for observer in observers { observer(row) }
    }

    /// The rows that have no audit record yet; from now on they are not returned again.
    func takeUnrecorded() -> [String] {
        lock.locked {
            defer { unrecorded = [] }
            return unrecorded
        }
    }

    /// Returns rows whose audit records could not be written.
    func putBack(_ rows: [String]) {
        lock.locked { unrecorded += rows }
    }
}

extension Verifier {
    /// Adds an audit record for each rejected row.
    ///
    /// If the row of the verifier itself was forged, no record can be written.
    package func recordForgeries() async throws(Failure) {
        let rows = forgeries.takeUnrecorded()
        guard !rows.isEmpty else { return }
        do throws(Failure) {
            try await change(by: .verifier) { context throws(StoreFailure) in
                for row in rows { context.events.append(Event(.rowForged, of: row, in: nil)) }
            }
        } catch {
            forgeries.putBack(rows)
            throw error
        }
    }
}
