import Cryptography
package import TransactionApproval

/// What a device changes about itself by its signature alone, once for each attempt id.
extension Verifier {
    /// Wakes the device in another way from now on.
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
            scene throws(StoreFailure) in
            if let refusal = device.refusal { return refusal }
            guard try scene.ledger.pushSetting(of: device.id) != setting else { return nil }
            try scene.ledger.setPush(setting, on: device.id)
            scene.events.append(
                Event(
                    .notificationsChanged,
                    of: device.id,
                    in: device.account,
                    detail: setting.name
                )
            )
            return nil
        }
    }

    /// Has a device not be woken any more by what was no address of it; false where it said something
    /// else since.
    package func dropPush(_ token: FCMToken, of device: DeviceID) async throws(Failure) -> Bool {
        try await change(by: .verifier) { scene throws(StoreFailure) in
            guard
                let account = try scene.ledger.device(device)?.account,
                try scene.ledger.pushSetting(of: device) == .fcm(token)
            else { return false }
            try scene.ledger.setPush(.off, on: device)
            let off = PushSetting.off.name
            scene.events.append(
                Event(.notificationsChanged, of: device, in: account, detail: off)
            )
            return true
        }
    }

    /// Ends the biometric credential of a device, which may take a new one later.
    package func removeBiometrics(
        from device: DeviceID,
        attempt: AttemptID
    ) async throws(Failure) -> AttemptResult {
        let fingerprint = try fingerprint { $0.append("biometric-removal") }
        return try await change(device, attempt, fingerprint) {
            device,
            scene throws(StoreFailure) in
            if let refusal = device.refusal { return refusal }
            guard let old = try scene.ledger.credentialState(.biometric, on: device.id) else {
                return nil
            }
            var new = old
            guard new.remove(events: &scene.events) else { return nil }
            try scene.ledger.save(new, replacing: old)
            return nil
        }
    }

    /// Revokes the device that asks for it; one that is suspended can still be given up.
    package func delete(
        _ device: DeviceID,
        attempt: AttemptID
    ) async throws(Failure) -> AttemptResult {
        let fingerprint = try fingerprint { $0.append("deletion") }
        return try await change(device, attempt, fingerprint) {
            device,
            scene throws(StoreFailure) in
            let old = device
            guard device.revoke(events: &scene.events) else { return .deviceRevoked }
            try scene.ledger.save(device, replacing: old)
            return nil
        }
    }

    /// Nil where there is no such device.
    package func pushSetting(of device: DeviceID) async throws(Failure) -> PushSetting? {
        try await read { ledger throws(StoreFailure) in try ledger.pushSetting(of: device) }
    }

    /// Runs `rule` unless the attempt was answered before; nil of it is a yes, which is kept: what
    /// was so already may be otherwise when the attempt comes again.
    private func change(
        _ id: DeviceID,
        _ attempt: AttemptID,
        _ fingerprint: [UInt8],
        by rule:
            @escaping @Sendable (inout Device, inout ChangeScene) throws(StoreFailure) -> Refusal?
    ) async throws(Failure) -> AttemptResult {
        try await change(by: .device(id)) { scene throws(StoreFailure) in
            if let told = try scene.ledger.answer(to: attempt, of: id, fingerprint) { return told }
            guard var device = try scene.ledger.device(id) else { return .refused(.deviceRevoked) }
            if let refusal = try rule(&device, &scene) { return .refused(refusal) }
            try scene.ledger.add(
                AttemptRecord(
                    device: id,
                    id: attempt,
                    made: scene.now,
                    fingerprint: fingerprint,
                    verdict: scene.events.isEmpty ? .unchanged : .accepted(nil)
                )
            )
            return .accepted(nil)
        }
    }
}
