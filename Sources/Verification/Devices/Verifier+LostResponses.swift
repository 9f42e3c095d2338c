import Cryptography
package import OneTimePassword
import Storage
package import TransactionApproval

/// A device that lost a response cancels its request here; afterwards the request has no effect.
extension Verifier {
    /// Returns whether the activation's commit created this device; if not, it never will.
    package func end(_ commit: SentCommit, of device: DeviceID) async throws(Failure) -> Bool {
        try await change(by: .device(device)) { context throws(StoreFailure) in
            let kind = try context.ledger.device(device)?.kind
            if kind == .installation(publicKey: commit.deviceKey.uncompressedPoint) { return true }
            // A device with another key gets the same response as an unknown one.
            guard let old = try context.ledger.activation(commit.activation) else { return false }
            var new = old
            if new.forget(commit.claim) { try context.ledger.save(new) }
            return false
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
