import PrivateFiles
import Storage

/// Notices rows that were rejected because another program wrote them.
package final class ForgeryMonitor: Sendable {
    package typealias Observer = @Sendable (_ row: String) -> Void

    private struct State {
        var rows = NamedRows()
        var unrecorded: [String] = []
        var observers: [Observer] = []
    }

    private let state = LockedValue(State())

    package init() {}

    /// The number of rows that this process has rejected.
    package var count: Int { state.withLock { $0.rows.count } }

    /// Calls `observer` once with each name.
    package func addObserver(_ observer: @escaping Observer) {
        state.withLock { $0.observers.append(observer) }
    }

    func note(_ failure: StoreFailure) {
        guard case .forged(let row) = failure.reason else { return }
        let (name, observers) = state.withLock { state in
            let name = state.rows.add(row)
            if let name { state.unrecorded.append(name) }
            return (name, state.observers)
        }
        guard let name else { return }
        for observer in observers { observer(name) }
    }

    /// Notes the record that the journal rejected.
    func note(_ failure: JournalFailure) {
        switch failure {
        case .store(let failure): note(failure)
        case .forked(let sequence), .brokenTrail(let sequence):
            note(.forged(row: Table.audit.description(of: [SQLValue(sequence)])))
        case .file, .headFile, .damagedLine, .system, .lostHead, .foreign, .storeInUse, .behind,
            .unrestored, .damagedTrail, .contradictedRows:
            break
        }
    }

    /// The rows that have no audit record yet; from now on they are not returned again.
    func takeUnrecorded() -> [String] {
        state.withLock { state in
            defer { state.unrecorded = [] }
            return state.unrecorded
        }
    }

    /// Returns rows whose audit records could not be written.
    func putBack(_ rows: [String]) {
        state.withLock { $0.unrecorded += rows }
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
