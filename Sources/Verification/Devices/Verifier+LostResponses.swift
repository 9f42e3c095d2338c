import Cryptography
package import OneTimePassword
package import TransactionApproval

/// What a device asks about that heard nothing of what it sent: from then on that cannot arrive.
extension Verifier {
    /// Whether the commit of an activation made this device; where it did not, it never will.
    package func end(
        _ commit: SentCommit,
        of device: DeviceID
    ) async throws(Failure) -> Bool {
        try await change(by: .device(device)) { scene throws(StoreFailure) in
            let kind = try scene.ledger.device(device)?.kind
            if kind == .installation(publicKey: commit.deviceKey.uncompressedPoint) { return true }
            // Of a device that has another key, no more is said, or done, than of none.
            guard let old = try scene.ledger.activation(commit.activation) else { return false }
            var new = old
            if new.forget(commit.claim) { try scene.ledger.save(new, replacing: old) }
            return false
        }
    }

    /// Uses up the codes of the user credential that the device made, and nobody needs any more.
    ///
    /// Those of a device for which nothing is done are good for nothing as they are.
    package func end(codesBelow counter: Counter, of device: DeviceID) async throws(Failure) {
        try await change(by: .device(device)) { scene throws(StoreFailure) in
            guard
                let old = try scene.ledger.credentialState(.user, on: device),
                old.device.refusal == nil
            else { return }
            var new = old
            guard new.useUp(codesBelow: counter, events: &scene.events) else { return }
            try scene.ledger.save(new, replacing: old)
        }
    }
}
