public import OneTimePassword

/// Where the secrets of a device lie: outside of the vault, so that a copy of the vault is nothing.
///
/// `SecretFolder` and `KernelKeyring` are such stores. One of your own keeps bytes by name and needs
/// to know nothing about them. It is called on a thread that may block, and by one process at a time.
public protocol DeviceSecretStore: Sendable {
    /// Nil where nothing has this name.
    func secret(named name: String) throws(DeviceSecretFailure) -> SecretBytes?

    /// Takes the place of what has the name, and returns when the secret is there to stay.
    func store(_ secret: SecretBytes, named name: String) throws(DeviceSecretFailure)

    /// Does nothing where nothing has this name.
    func delete(named name: String) throws(DeviceSecretFailure)
}

/// Why a store of secrets gave or took nothing; `reason` is for people, and holds no secret.
public struct DeviceSecretFailure: Error, Equatable, Sendable {
    public let reason: String

    public init(reason: String) {
        self.reason = reason
    }
}
