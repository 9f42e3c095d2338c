package import Cryptography
import Dispatch
import PrivateFiles
import TransactionApproval

/// Strong authentication on this device: activation, approvals, logins and one-time codes.
///
/// One handler serves all accounts. Its operations can run at the same time, and several programs
/// can use one vault. Expected results are values; everything else throws an `AuthenticationError`.
///
/// The type has the name of its module, so code that imports the module cannot qualify other names
/// with it.
public actor AuthenticationHandler {
    let vault: Vault
    var transport: any HTTPTransport
    let dependencies: Dependencies
    let deviceName: DeviceName
    /// Nil if this device has no biometrics.
    let biometrics: (any BiometricProvider)?
    /// The offset of each server's clock to the clock of this device.
    var clockOffsets: [ServerOrigin: Duration] = [:]
    /// When the server of an unfinished activation was last unreachable.
    var unreachable: [DeviceID: Timestamp] = [:]
    /// The announced keys for which each device requested its status.
    var requestedKeys: [DeviceID: AnnouncedKeys] = [:]
    private let executor = BlockingExecutor()

    /// Signing and disk access run on a thread of their own, not on Swift's cooperative pool.
    public nonisolated var unownedExecutor: UnownedSerialExecutor {
        executor.asUnownedSerialExecutor()
    }

    init(
        vault: Vault,
        deviceName: DeviceName,
        transport: any HTTPTransport,
        biometrics: (any BiometricProvider)? = nil,
        dependencies: Dependencies = Dependencies()
    ) {
        self.vault = vault
        self.deviceName = deviceName
        self.transport = transport
        self.biometrics = biometrics
        self.dependencies = dependencies
    }

    /// Uses the vault folder at `path`, which the first activation creates.
    ///
    /// Nothing else can be in this folder. Each account uses the verifier that its activation
    /// trusted. The bank sees `deviceName`. Throws `invalidArgument` if the name is empty, has more
    /// than 64 characters, or has text that cannot be shown safely, such as controls. It also throws
    /// it if `secrets` is a folder in the vault.
    public init(
        vault path: String,
        secrets: any DeviceSecretStore,
        deviceName: String,
        network: NetworkSettings = NetworkSettings(),
        biometrics: (any BiometricProvider)? = nil
    ) throws(AuthenticationError) {
        try self.init(
            vault: path,
            secrets: secrets,
            deviceName: deviceName,
            transport: NetworkTransport(network),
            biometrics: biometrics
        )
    }

    /// The same with another transport.
    package init(
        vault path: String,
        secrets: any DeviceSecretStore,
        deviceName: String,
        transport: any HTTPTransport,
        biometrics: (any BiometricProvider)? = nil,
        pinCost: Argon2id.Cost = .constrainedMemory
    ) throws(AuthenticationError) {
        guard let name = DeviceName(deviceName) else {
            throw AuthenticationError(.invalidArgument, cause: "the device's name")
        }
        let folder = PrivateFolder(path)
        if let secrets = secrets as? SecretFolder, secrets.folder.isIn(folder) {
            throw AuthenticationError(.invalidArgument, cause: "the secrets are in the vault")
        }
        var dependencies = Dependencies()
        dependencies.pinCost = pinCost
        self.init(
            vault: Vault(folder: folder, secretStore: secrets),
            deviceName: name,
            transport: transport,
            biometrics: biometrics,
            dependencies: dependencies
        )
    }
}

/// Runs an actor on a serial queue, which may block.
///
/// On Linux, concurrent queues of libdispatch use the threads of Swift's cooperative pool. A serial
/// queue has its own thread.
private final class BlockingExecutor: SerialExecutor {
    private let queue = DispatchQueue(label: "AuthenticationHandler")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let executor = asUnownedSerialExecutor()
        queue.async { job.runSynchronously(on: executor) }
    }
}
