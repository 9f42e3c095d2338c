import Cryptography
package import OneTimePassword
import Storage
package import TransactionApproval

/// The end of a commit whose response was lost.
package enum CommitEnd: Equatable, Sendable {
    /// The commit created the device.
    case enrolled
    /// The commit did not create the device, and never will.
    case cancelled
    /// The same, but the sender did not prove that it had claimed the activation.
    case unknown
}

/// A device that lost a response cancels its request here; afterwards the request has no effect.
extension Verifier {
    /// Only a device with the current claim waits for the writer of the store.
    package func end(_ commit: SentCommit, of device: DeviceID) async throws(Failure) -> CommitEnd {
        let found = try await readOutcomes { ledger throws(StoreFailure) in
            try ledger.end(of: commit, device)
        } isOutcome: { end in
            end == .enrolled
        }
        guard found == .cancelled else { return found }
        return try await change(by: .device(device)) { context throws(StoreFailure) in
            // Another request of the device may have ended it just now.
            let end = try context.ledger.end(of: commit, device)
            guard
                end == .cancelled,
                var activation = try context.ledger.activation(commit.activation),
                activation.forget(commit.claim)
            else { return end == .enrolled ? .enrolled : .cancelled }
            try context.ledger.save(activation)
            return .cancelled
        }
    }

    /// Uses up the codes that the device made but no longer needs.
    ///
    /// The codes of a suspended or revoked device are useless anyway.
    package func end(codesBelow counter: Counter, of device: DeviceID) async throws(Failure) {
        try await change(by: .device(device)) { context throws(StoreFailure) in
            guard
                let old = try context.ledger.credentialState(.user, on: device),
                old.device.checkStatus().isAccepted
            else { return }
            var new = old
            guard new.useUp(codesBelow: counter, events: &context.events) else { return }
            try context.ledger.save(new, replacing: old)
        }
    }
}

extension Ledger {
    /// Reads the same rows if the device is unknown, or if it has another key (SEC-52).
    fileprivate func end(
        of commit: SentCommit,
        _ device: DeviceID
    ) throws(StoreFailure) -> CommitEnd {
        let kind = try self.device(device)?.kind
        if kind == .installation(publicKey: commit.deviceKey.uncompressedPoint) { return .enrolled }
        let claim = try activation(commit.activation)?.claim
        return claim?.digest == commit.claim.array ? .cancelled : .unknown
    }
}
