import PrivateFiles
import Storage

/// Notices rows that were rejected because another program wrote them.
package final class ForgeryMonitor: Sendable {
    package typealias Observer = @Sendable (_ row: String) -> Void

    /// An attacker may forge any number of rows.
    static let maximumRows = 1000
    /// Reported for all rows that are not named.
    static let furtherRows = "more rows: run countersignd audit verify"

    private let lock = Lock()
    // Only touched while `lock` is held.
    private nonisolated(unsafe) var rows: Set<String> = []
    private nonisolated(unsafe) var furtherCount = 0
    private nonisolated(unsafe) var unrecorded: [String] = []
    private nonisolated(unsafe) var observers: [Observer] = []

    package init() {}

    /// The number of rows that this process has rejected; after `maximumRows`, the number of times.
    package var count: Int { lock.locked { rows.count + furtherCount } }

    /// Calls `observer` for each row, once; after `maximumRows`, once for all others.
    package func addObserver(_ observer: @escaping Observer) {
        lock.locked { observers.append(observer) }
    }

    func note(_ failure: StoreFailure) {
        guard case .forged(let row) = failure.reason else { return }
        let (new, observers) = lock.locked { (name(of: row), self.observers) }
        guard let new else { return }
        for observer in observers { observer(new) }
    }

    /// The name under which a row is reported; nil if that was done.
    ///
    /// Only called while `lock` is held.
    private func name(of row: String) -> String? {
        guard !rows.contains(row) else { return nil }
        var name: String? = row
        if rows.count < Self.maximumRows {
            rows.insert(row)
        } else {
            name = furtherCount == 0 ? Self.furtherRows : nil
            furtherCount += 1
        }
        if let name { unrecorded.append(name) }
        return name
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
