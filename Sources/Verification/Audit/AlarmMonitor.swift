import PrivateFiles
import Storage
import TransactionApproval

/// Counts the alarms on the audit trail since this process started, of all nodes and commands.
///
/// Its counters exist from the start, because Prometheus does not see the step from none to one.
package final class AlarmMonitor: Sendable {
    private struct State {
        /// The last record that was counted; nil before the first count.
        var last: UInt64?
        var counts = Dictionary(uniqueKeysWithValues: Event.Kind.alarms.map { ($0, 0) })
    }

    private let state = LockedValue(State())

    package init() {}

    fileprivate var last: UInt64? { state.withLock { $0.last } }

    /// Adds events, unless another caller counted them meanwhile.
    fileprivate func add(
        _ counts: [Event.Kind: Int],
        after first: UInt64?,
        through last: UInt64
    ) -> [Event.Kind: Int] {
        state.withLock { state in
            guard state.last == first else { return state.counts }
            state.last = last
            for kind in state.counts.keys { state.counts[kind, default: 0] += counts[kind] ?? 0 }
            return state.counts
        }
    }
}

extension Verifier {
    /// The number of alarms of each kind; the first call begins the count.
    ///
    /// A record of an unknown kind is a forged row, and does not end the count.
    @discardableResult
    package func countAlarms() async throws(Failure) -> [Event.Kind: Int] {
        let first = alarms.last
        let (counts, last) = try await read(isScan: true) { ledger throws(StoreFailure) in
            let newest = try ledger.state().audit.sequence
            guard let first else { return ([Event.Kind: Int](), newest) }
            return (try ledger.eventCounts(after: first, through: newest), newest)
        }
        if let first, counts[.deviceRevoked] ?? 0 > 0 || counts[.bankTokenRevoked] ?? 0 > 0 {
            try await readRevoked(after: first, through: last)
        }
        return alarms.add(counts, after: first, through: last)
    }
}

extension Verifier {
    /// Reads the rows of devices and tokens that another node or a command revoked.
    ///
    /// So this node rejects an earlier version of them.
    private func readRevoked(after first: UInt64, through last: UInt64) async throws(Failure) {
        try await read(isScan: true) { ledger throws(StoreFailure) in
            for (kind, subject) in try ledger.revocations(after: first, through: last) {
                _ = try ledger.skippingForged { () throws(StoreFailure) in
                    // No verifier wrote another subject.
                    if kind == .deviceRevoked {
                        _ = try DeviceID(subject).map(ledger.device)
                    } else {
                        _ = try BankTokenID(subject).map(ledger.bankToken)
                    }
                }
            }
        }
    }
}
