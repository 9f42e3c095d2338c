package import OneTimePassword
import Storage
package import TransactionApproval

/// The state that a device needs after a lost response; reading it needs no code.
package struct DeviceStatus: Equatable, Sendable {
    package let account: AccountReference
    package let status: Device.Status
    package let epoch: Epoch
    package let policy: DevicePolicy
    package let credentials: [HeldCredential]
}

/// A credential without its secret.
package struct HeldCredential: Equatable, Sendable {
    package let id: CredentialID
    package let kind: CredentialKind
    /// The current one; the device deletes all others.
    package let generation: Generation
    /// The lowest unused counter.
    package let counter: Counter
    package let status: Credential.Status
    package let failures: FailureCount.Status
}

/// The result of changing a device or one of its credentials.
package enum DeviceResult: Equatable, Sendable {
    case done
    /// It already has the wanted state, or can no longer get it.
    case unchanged
    /// The account has no such device.
    case unknownDevice
    case unknownCredential
}

extension Verifier {
    /// Nil if the device does not exist.
    package func status(of device: DeviceID) async throws(Failure) -> DeviceStatus? {
        // A reported generation must be in the journal, so that a restore cannot revert it.
        try await readOutcomes {
            [clock, policies] ledger throws(StoreFailure) -> DeviceStatus? in
            guard let device = try ledger.device(device) else { return nil }
            let state = try ledger.state()
            let now = clock.now(in: state)
            let policy = try policies.policy(of: device.account.enterprise, ledger)
            let credentials = try ledger.credentialStates(on: device.id).map {
                HeldCredential($0, at: now, by: policy.lock)
            }
            return DeviceStatus(
                account: device.account,
                status: device.status,
                epoch: state.epoch,
                policy: policy.forDevice(isWeb: device.isWeb),
                credentials: credentials
            )
        }
    }

    /// The uncompressed point of an installation's key, in any status; nil if there is no such
    /// installation.
    package func publicKey(of device: DeviceID) async throws(Failure) -> [UInt8]? {
        try await read(reading: [Ledger.query(of: device)]) { ledger throws(StoreFailure) in
            guard let found = try ledger.device(device) else {
                try ledger.readDecoy(of: device)
                return nil
            }
            guard case .installation(let key) = found.kind else { return nil }
            return key
        }
    }

    /// Ends a temporary lock; only a new activation ends a permanent one.
    package func unlock(
        _ kind: CredentialKind,
        on device: DeviceID,
        of account: AccountReference,
        by author: ChangeAuthor
    ) async throws(Failure) -> DeviceResult {
        try await change(kind, on: device, of: account, by: author) { credential, context in
            credential.unlock(at: context.now, events: &context.events)
        }
    }

    /// Disabled credentials prove nothing, until the bank enables them again.
    ///
    /// `kind`: nil for all credentials of the device, for example of a lost phone.
    package func setEnabled(
        _ isEnabled: Bool,
        _ kind: CredentialKind?,
        on device: DeviceID,
        of account: AccountReference,
        by author: ChangeAuthor
    ) async throws(Failure) -> DeviceResult {
        try await change(kind, on: device, of: account, by: author) { credential, context in
            credential.setEnabled(isEnabled, events: &context.events)
        }
    }

    /// Revokes a device for good.
    package func revoke(
        _ id: DeviceID,
        of account: AccountReference,
        by author: ChangeAuthor
    ) async throws(Failure) -> DeviceResult {
        try await change(by: author) { context throws(StoreFailure) in
            guard let old = try context.ledger.device(id), old.account == account else {
                return .unknownDevice
            }
            var new = old
            guard new.revoke(events: &context.events) else { return .unchanged }
            try context.ledger.save(new)
            return .done
        }
    }

    private func change(
        _ kind: CredentialKind?,
        on device: DeviceID,
        of account: AccountReference,
        by author: ChangeAuthor,
        _ rule: @escaping @Sendable (inout CredentialState, inout ChangeContext) -> Bool
    ) async throws(Failure) -> DeviceResult {
        try await change(by: author) { context throws(StoreFailure) in
            guard try context.ledger.device(device)?.account == account else {
                return .unknownDevice
            }
            var result = DeviceResult.unknownCredential
            for kind in kind.map({ [$0] }) ?? CredentialKind.allCases {
                guard let old = try context.ledger.credentialState(kind, on: device) else {
                    continue
                }
                if result == .unknownCredential { result = .unchanged }
                var new = old
                guard rule(&new, &context) else { continue }
                try context.ledger.save(new, replacing: old)
                result = .done
            }
            return result
        }
    }
}

extension HeldCredential {
    init(_ state: CredentialState, at now: Timestamp, by policy: LockPolicy) {
        self.init(
            id: state.credential.id,
            kind: state.credential.kind,
            generation: state.credential.generation,
            counter: state.credential.counter,
            status: state.credential.status,
            failures: state.failures.status(at: now, by: policy)
        )
    }
}
