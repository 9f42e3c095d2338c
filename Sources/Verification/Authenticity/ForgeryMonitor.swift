import PrivateFiles
import Storage

/// Notices rows that were rejected because another program wrote them.
package final class ForgeryMonitor: Sendable {
    package typealias Observer = @Sendable (_ row: String) -> Void

    private let lock = Lock()
    // Only touched while `lock` is held.
    private nonisolated(unsafe) var rows = NamedRows()
    private nonisolated(unsafe) var unrecorded: [String] = []
    private nonisolated(unsafe) var observers: [Observer] = []

    package init() {}

    /// The number of rows that this process has rejected.
    package var count: Int { lock.locked { rows.count } }

    /// Calls `observer` once with each name.
    package func addObserver(_ observer: @escaping Observer) {
        lock.locked { observers.append(observer) }
    }

    func note(_ failure: StoreFailure) {
        guard case .forged(let row) = failure.reason else { return }
        let (name, observers) = lock.locked {
            let name = rows.add(row)
            if let name { unrecorded.append(name) }
            return (name, self.observers)
        }
        guard let name else { return }
        for observer in observers { observer(name) }
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
