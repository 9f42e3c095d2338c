package import Cryptography
import Dispatch
import TransactionApproval

/// Strong authentication on this device: activate it for accounts, approve what their bank asks, log
/// in, make codes.
///
/// One value serves all accounts. Its operations may be called from anywhere and at the same time,
/// and several programs may use one vault. What a person can be expected to do is answered by a
/// value; everything else throws an `AuthenticationError`.
///
/// The type has its module's name: nobody who imports both needs to name the module.
public actor AuthenticationHandler {
    let vault: Vault
    var transport: any HTTPTransport
    let surroundings: Surroundings
    let deviceName: DeviceName
    /// Nil where nobody is recognised on this device.
    let biometrics: (any BiometricProvider)?
    /// How far each server's clock is ahead of this device's.
    var clockOffsets: [ServerOrigin: Duration] = [:]
    private let executor = BlockingExecutor()

    /// Its own thread does the signing, and waits for the disk: no thread that others need.
    public nonisolated var unownedExecutor: UnownedSerialExecutor {
        executor.asUnownedSerialExecutor()
    }

    init(
        vault: Vault,
        deviceName: DeviceName,
        transport: any HTTPTransport,
        biometrics: (any BiometricProvider)? = nil,
        surroundings: Surroundings = Surroundings()
    ) {
        self.vault = vault
        self.deviceName = deviceName
        self.transport = transport
        self.biometrics = biometrics
        self.surroundings = surroundings
    }

    /// Uses the vault at `path`, a folder that is made at the first activation, and a store of secrets
    /// that is elsewhere; the verifiers are those that are trusted when an account is activated.
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

    /// The same over another way to the verifiers.
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
        var surroundings = Surroundings()
        surroundings.pinCost = pinCost
        self.init(
            vault: Vault(folder: PrivateFolder(path), secretStore: secrets),
            deviceName: name,
            transport: transport,
            biometrics: biometrics,
            surroundings: surroundings
        )
    }
}

/// Runs an actor on a queue of its own, which may block.
///
/// On Linux libdispatch serves concurrent queues with the threads of Swift's cooperative pool; a
/// serial queue has one of its own.
private final class BlockingExecutor: SerialExecutor {
    private let queue = DispatchQueue(label: "AuthenticationHandler")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let executor = asUnownedSerialExecutor()
        queue.async { job.runSynchronously(on: executor) }
    }
}
