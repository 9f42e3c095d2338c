import PrivateFiles
import Storage
import TransactionApproval

/// Counts wrong activation codes in memory.
///
/// A stranger can send any number of them. So a wrong code never waits for the writer of the store,
/// and the audit events of many activations are one commit.
package final class WrongCodeMonitor: Sendable {
    /// The wrong codes since the start of this process.
    package struct Counts: Equatable, Sendable {
        /// Wrong codes for activations that the right code still opens.
        package var open = 0
        /// Wrong codes for activations that do not exist, or are closed.
        package var unknown = 0
    }

    /// A stranger may know any number of activation ids.
    ///
    /// A further activation is reported with its next wrong code.
    static let maximumActivations = 1000

    private struct State {
        var counts = Counts()
        var unreported: Set<ActivationID> = []
    }

    private let state = LockedValue(State())

    package init() {}

    package var counts: Counts { state.withLock { $0.counts } }

    /// Nil for an activation that does not exist, or is closed.
    func note(_ activation: Activation?) {
        state.withLock { state in
            guard let activation else { return state.counts.unknown += 1 }
            state.counts.open += 1
            guard activation.failureReported == nil,
                state.unreported.count < Self.maximumActivations
            else { return }
            state.unreported.insert(activation.id)
        }
    }

    /// The activations whose wrong codes have no audit event yet; they are not returned again.
    func takeUnreported() -> Set<ActivationID> {
        state.withLock { state in
            defer { state.unreported = [] }
            return state.unreported
        }
    }

    fileprivate func putBack(_ activations: Set<ActivationID>) {
        state.withLock { $0.unreported.formUnion(activations) }
    }
}

extension Verifier {
    /// Adds an audit event for each activation that got wrong codes, in one commit.
    ///
    /// During an outage the activations are kept. Any other failure, such as a forged row, drops them,
    /// so that no row stops the reports of others. The next wrong code of an activation reports it.
    package func reportWrongCodes() async throws(Failure) {
        let activations = wrongCodes.takeUnreported()
        guard !activations.isEmpty else { return }
        do throws(Failure) {
            try await change(by: .verifier) { context throws(StoreFailure) in
                for id in activations { try context.reportFailure(of: id) }
            }
        } catch {
            if error.isOutage { wrongCodes.putBack(activations) }
            throw error
        }
    }
}

extension ChangeContext {
    /// The activation may be closed by now: its row then stays as it is.
    fileprivate mutating func reportFailure(of id: ActivationID) throws(StoreFailure) {
        guard var activation = try ledger.activation(id) else { return }
        guard activation.reportFailure(at: now, events: &events), activation.isOpen else { return }
        try ledger.save(activation)
    }
}
