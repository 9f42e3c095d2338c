import Cryptography
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

    /// Turns off push for a device whose FCM token is invalid; returns false if the token is no
    /// longer set.
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

    /// Removes the device's biometric credential; the device can add a new one.
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

    /// Revokes the device at its own request; a suspended device can do this too.
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

    /// Nil if the device does not exist.
    package func pushSetting(of device: DeviceID) async throws(Failure) -> PushSetting? {
        try await read { ledger throws(StoreFailure) in try ledger.pushSetting(of: device) }
    }

    /// Runs `rule` unless the attempt has a stored verdict; stores an accepted result.
    ///
    /// A change without effect is stored too, because a repeated attempt must have no effect later.
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
