public import OneTimePassword

/// Stores the device secrets outside the vault, so that a copy of the vault alone is useless.
///
/// `SecretFolder` and `KernelKeyring` are such stores. A custom store keeps bytes by name. It is
/// called on a thread that may block. One process at a time calls `store` and `delete`. Any process
/// can call `secret` at any time, also meanwhile, and must get the secret or nil.
public protocol DeviceSecretStore: Sendable {
    /// Nil if there is no secret with this name, or if its bytes cannot be a secret of this library.
    ///
    /// An error makes all accounts unusable, and nil only the account of this secret.
    func secret(named name: String) throws(DeviceSecretFailure) -> SecretBytes?

    /// Replaces any secret with this name, and returns when the secret is durable.
    func store(_ secret: SecretBytes, named name: String) throws(DeviceSecretFailure)

    /// Does nothing if there is no secret with this name.
    func delete(named name: String) throws(DeviceSecretFailure)
}

/// Why a store failed; `reason` is for people and contains no secret.
public struct DeviceSecretFailure: Error, Equatable, Sendable {
    public let reason: String

    public init(reason: String) {
        self.reason = reason
    }
}

extension SecretBytes {
    /// Copies a stored secret; `store` is the beginning of the reason if this fails.
    init(copying bytes: Span<UInt8>, from store: String) throws(DeviceSecretFailure) {
        do throws(Secret.Failure) {
            try self.init(copying: bytes)
        } catch .system(let failure) {
            throw DeviceSecretFailure(reason: "\(store): \(failure.text)")
        } catch {
            throw DeviceSecretFailure(reason: "\(store): not a secret of this program")
        }
    }
}
