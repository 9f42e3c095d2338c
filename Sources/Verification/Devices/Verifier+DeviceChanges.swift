import Cryptography
import Storage
package import TransactionApproval

/// Changes that a device makes by its signature alone, once per attempt id.
extension Verifier {
    /// Sets how the device wants to be notified.
    package func setPush(
        _ setting: PushSetting,
        on device: DeviceID,
        attempt: AttemptID
    ) async throws(Failure) -> AttemptResult {
        let fingerprint = try fingerprint { writer in
            writer.append("push")
            writer.append(setting.stored)
        }
        return try await change(device, attempt, fingerprint) {
            device,
            context throws(StoreFailure) in
            if let refusal = device.checkStatus().refusal { return .refused(refusal) }
            guard try context.ledger.pushSetting(of: device.id) != setting else { return .accepted }
            try context.ledger.setPush(setting, on: device.id)
            context.events.append(
                Event(
                    .notificationsChanged,
                    of: device.id,
                    in: device.account,
                    detail: setting.name
                )
            )
            return .accepted
        }
    }

    /// Turns off push for a device whose push service no longer knows it; returns false if the device
    /// has another setting.
    package func dropPush(
        _ setting: PushSetting,
        of device: DeviceID
    ) async throws(Failure) -> Bool {
        try await change(by: .verifier) { context throws(StoreFailure) in
            guard
                let account = try context.ledger.device(device)?.account,
                try context.ledger.pushSetting(of: device) == setting
            else { return false }
            try context.ledger.setPush(.off, on: device)
            let off = PushSetting.off.name
            context.events.append(
                Event(.notificationsChanged, of: device, in: account, detail: off)
            )
            return true
        }
    }

    /// Removes the device's biometric credential; the device can add a new one.
    package func removeBiometrics(
        from device: DeviceID,
        attempt: AttemptID
    ) async throws(Failure) -> AttemptResult {
        let fingerprint = try fingerprint { $0.append("biometric-removal") }
        return try await change(device, attempt, fingerprint) {
            device,
            context throws(StoreFailure) in
            if let refusal = device.checkStatus().refusal { return .refused(refusal) }
            guard let old = try context.ledger.credentialState(.biometric, on: device.id) else {
                return .accepted
            }
            var new = old
            guard new.remove(events: &context.events) else { return .accepted }
            try context.ledger.save(new, replacing: old)
            return .accepted
        }
    }

    /// Revokes the device at its own request; a suspended device can do this too.
    package func delete(
        _ device: DeviceID,
        attempt: AttemptID
    ) async throws(Failure) -> AttemptResult {
        let fingerprint = try fingerprint { $0.append("deletion") }
        return try await change(device, attempt, fingerprint) {
            device,
            context throws(StoreFailure) in
            guard device.revoke(events: &context.events) else { return .refused(.deviceRevoked) }
            try context.ledger.save(device)
            return .accepted
        }
    }

    /// Runs `rule` unless the attempt has a stored verdict; stores an accepted result.
    ///
    /// A change without effect is stored too, because a repeated attempt must have no effect later.
    private func change(
        _ id: DeviceID,
        _ attempt: AttemptID,
        _ fingerprint: [UInt8],
        by rule:
            @escaping @Sendable (
                inout Device, inout ChangeContext
            ) throws(StoreFailure) -> RuleResult<Refusal>
    ) async throws(Failure) -> AttemptResult {
        try await change(by: .device(id)) { context throws(StoreFailure) in
            if let stored = try context.ledger.stored(attempt, by: id, fingerprint) {
                return stored.result
            }
            guard var device = try context.ledger.device(id) else {
                return .refused(.deviceRevoked)
            }
            if case .refused(let refusal) = try rule(&device, &context) {
                return .refused(refusal)
            }
            try context.ledger.add(
                AttemptRecord(
                    device: id,
                    id: attempt,
                    made: context.now,
                    fingerprint: fingerprint,
                    verdict: context.events.isEmpty ? .unchanged : .accepted(nil)
                )
            )
            return .accepted(nil)
        }
    }
}
