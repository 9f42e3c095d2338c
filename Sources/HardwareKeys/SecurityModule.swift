import CPKCS11
package import Cryptography
import FailureTranslation
import PrivateFiles

/// A token of an HSM, over PKCS#11: keys are created and used in it, and cannot leave it.
///
/// Its library runs one call at a time. Callers on an event loop use
/// `P256.PrivateKey.withoutBlocking`.
package final class SecurityModule: Sendable {
    package enum Token: Hashable, Sendable {
        case label(String)
        case slot(UInt)
    }

    package struct Settings: Hashable, Sendable {
        /// The shared object of the vendor.
        let library: String
        let token: Token
        /// A private file with the PIN of the user.
        let pinFile: String

        package init(library: String, token: Token, pinFile: String) {
            self.library = library
            self.token = token
            self.pinFile = pinFile
        }
    }

    package enum KeyUse: Sendable {
        case signing, agreement, sealing
    }

    package enum Change: Equatable, Sendable {
        case lost(Failure)
        case returned
    }

    private struct Status: Sendable {
        /// The labels of the keys that failed at their last use.
        var lost: Set<String> = []
        var keys: [String: HardwareKey] = [:]
        var observers: [@Sendable (Change) -> Void] = []
    }

    let executor: BlockingExecutor
    private let connection: LockedValue<Connection>
    private let status = LockedValue(Status())

    private init(_ settings: Settings) throws(Failure) {
        connection = LockedValue(Connection(settings))
        executor = try translating(BlockingExecutor()) { (failure: ThreadUnavailable) in
            Failure.call("pthread_create", code: UInt(failure.errorNumber))
        }
    }

    private static let modules = LockedValue<[Settings: SecurityModule]>([:])

    /// The token with these settings: a library has one state in each process.
    package static func shared(_ settings: Settings) throws(Failure) -> SecurityModule {
        try modules.withLock { modules throws(Failure) in
            if let module = modules[settings] { return module }
            let module = try SecurityModule(settings)
            modules[settings] = module
            return module
        }
    }

    /// Calls `observer` when a key cannot be used, and when all can be used again.
    package func addObserver(_ observer: @escaping @Sendable (Change) -> Void) {
        status.withLock { $0.observers.append(observer) }
    }
}

// MARK: Keys

extension SecurityModule {
    package func hasKey(_ label: String) throws(Failure) -> Bool {
        try perform { _, session throws(Failure) in try session.hasKey(label) }
    }

    /// Creates a key; never replaces a key.
    package func createKey(_ label: String, for use: KeyUse) throws(Failure) {
        try perform { connection, session throws(Failure) in
            guard try !session.hasKey(label) else { return }
            try connection.withWritingSession(session) { session throws(Failure) in
                try session.createKey(label, for: use)
            }
        }
    }

    package func key(_ label: String, for use: KeyUse) throws(Failure) -> P256.PrivateKey {
        let publicKey = try perform { _, session throws(Failure) in
            try session.key(label, for: use).publicKey
        }
        let key = HardwareKey(module: self, label: label, use: use, publicKey: publicKey)
        status.withLock { $0.keys[label] = key }
        return P256.PrivateKey(key, publicKey: publicKey)
    }

    /// Uses each key that this process has opened; nil if all work.
    package func check() async -> Failure? {
        let keys = status.withLock { Array($0.keys.values) }
        return await withTaskExecutorPreference(executor) {
            for key in keys {
                do throws(Failure) {
                    try key.check()
                } catch {
                    return error
                }
            }
            return nil
        }
    }

    private func perform<Outcome: ~Copyable & Sendable>(
        _ work: (inout Connection, Session) throws(Failure) -> Outcome
    ) throws(Failure) -> Outcome {
        try connection.withLock { connection throws(Failure) in try connection.perform(work) }
    }

    /// Uses a key, and reports a change between working and failing.
    func use<Outcome: ~Copyable & Sendable>(
        _ key: HardwareKey,
        _ work: (Session, CK_OBJECT_HANDLE) throws(Failure) -> Outcome
    ) throws(Failure) -> Outcome {
        do throws(Failure) {
            let outcome = try perform { connection, session throws(Failure) in
                try work(session, try connection.handle(of: key, in: session))
            }
            note(nil, of: key)
            return outcome
        } catch {
            note(error, of: key)
            throw error
        }
    }

    private func note(_ failure: Failure?, of key: HardwareKey) {
        let observers = status.withLock { status in
            let wasComplete = status.lost.isEmpty
            if failure != nil {
                status.lost.insert(key.label)
            } else {
                status.lost.remove(key.label)
            }
            return status.lost.isEmpty == wasComplete ? [] : status.observers
        }
        for observer in observers { observer(failure.map(Change.lost) ?? .returned) }
    }
}
