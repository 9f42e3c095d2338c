import CPKCS11
package import Cryptography
import FailureTranslation
import PrivateFiles

/// A token of an HSM, over PKCS#11: keys are created and used in it, and cannot leave it.
///
/// Its library runs one call at a time, on a thread of its own. No caller waits longer than a timeout,
/// because a call may never return. Callers on an event loop use `P256.PrivateKey.withoutBlocking`.
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
        /// After this time, a failure of one key opens the connection again.
        let maximumAgeAfterFailure: Duration

        package init(
            library: String,
            token: Token,
            pinFile: String,
            maximumAgeAfterFailure: Duration = .seconds(60)
        ) {
            self.library = library
            self.token = token
            self.pinFile = pinFile
            self.maximumAgeAfterFailure = maximumAgeAfterFailure
        }
    }

    package enum KeyUse: Sendable {
        case signing, agreement, sealing
    }

    package enum Change: Equatable, Sendable {
        case lost(Failure)
        case returned
    }

    package struct ObserverID: Hashable, Sendable {
        fileprivate let number: Int
    }

    /// The maximum wait for the use of a key, with all calls before it.
    static let timeout = Duration.seconds(5)
    /// The maximum wait of a command or of a start, which may connect to the token first.
    private static let openingTimeout = Duration.seconds(30)
    /// Less than a health check waits.
    private static let checkTimeout = Duration.milliseconds(1500)
    /// The number of different failures that observers get of one loss.
    private static let maximumReports = 8
    /// A key that was used in this time needs no check.
    private static let freshness = Duration.seconds(3)

    private struct Status: Sendable {
        /// The labels of the keys that failed at their last use.
        var lost: Set<String> = []
        /// The failures of this loss that observers know.
        var reported: Set<String> = []
        var keys: [String: HardwareKey] = [:]
        /// The last successful use of each key.
        var successes: [String: ContinuousClock.Instant] = [:]
        /// The number of requests that wait.
        var waiting: [KeyUse: Int] = [:]
        var observerCount = 0
        var observers: [ObserverID: @Sendable (Change) -> Void] = [:]

        /// The change that observers do not know yet.
        mutating func change(by failure: Failure?, of key: HardwareKey) -> Change? {
            successes[key.label] = failure == nil ? .now : nil
            guard let failure else {
                guard lost.remove(key.label) != nil, lost.isEmpty else { return nil }
                reported = []
                return .returned
            }
            lost.insert(key.label)
            // A refused login can follow, after which only a restart helps.
            guard failure.mayCostPIN || reported.count < maximumReports,
                reported.insert(failure.text).inserted
            else { return nil }
            return .lost(failure)
        }
    }

    let executor: BlockingExecutor
    private let thread: TokenThread
    private let connection: LockedValue<Connection>
    private let isLoggingIn: LockedValue<Bool>
    private let status = LockedValue(Status())

    private init(_ settings: Settings) throws(Failure) {
        let connection = Connection(settings)
        isLoggingIn = connection.isLoggingIn
        self.connection = LockedValue(connection)
        do throws(ThreadUnavailable) {
            (executor, thread) = (try BlockingExecutor(), try TokenThread())
        } catch {
            throw .call("pthread_create", code: UInt(error.errorNumber))
        }
    }

    private static let modules = LockedValue<[Settings: SecurityModule]>([:])

    /// The token with these settings.
    ///
    /// A library has one state in each process. A second connection would end the sessions of the
    /// first one, so other settings for the same library are refused.
    package static func shared(_ settings: Settings) throws(Failure) -> SecurityModule {
        try modules.withLock { modules throws(Failure) in
            if let module = modules[settings] { return module }
            guard
                !modules.keys.contains(where: {
                    Cryptoki.isOneLibrary($0.library, settings.library)
                })
            else { throw .libraryInUse }
            let module = try SecurityModule(settings)
            modules[settings] = module
            return module
        }
    }

    /// Ends the sessions of this process, before it exits.
    ///
    /// A token that does not respond is left alone.
    package static func closeAll() {
        for module in modules.withLock({ Array($0.values) }) {
            // The process ends in any case: `try?`.
            try? module.thread.run(before: .now + checkTimeout) {
                [connection = module.connection] () throws(Failure) in
                connection.withLock { $0.close() }
            }
        }
    }

    /// Calls `observer` for each different failure of keys, and when all can be used again.
    package func addObserver(_ observer: @escaping @Sendable (Change) -> Void) -> ObserverID {
        status.withLock { status in
            status.observerCount += 1
            let id = ObserverID(number: status.observerCount)
            status.observers[id] = observer
            return id
        }
    }

    package func removeObserver(_ id: ObserverID) {
        status.withLock { $0.observers[id] = nil }
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

    private func perform<Outcome: ~Copyable & Sendable>(
        before deadline: ContinuousClock.Instant? = nil,
        _ work: @escaping @Sendable (inout Connection, Session) throws(Failure) -> Outcome
    ) throws(Failure) -> Outcome {
        do throws(Failure) {
            return try thread.run(before: deadline ?? .now + Self.openingTimeout) {
                [connection] () throws(Failure) in
                try connection.withLock { connection throws(Failure) in
                    try connection.perform(work)
                }
            }
        } catch .timedOut where deadline == nil && isLoggingIn.withLock({ $0 }) {
            // The deadlines of keys in use are too short for a verdict about a login.
            throw .loginUnfinished
        }
    }
}

// MARK: Keys in use

extension SecurityModule {
    /// Uses each key that this process has opened and not used just now; nil if all work.
    package func check() async -> Failure? {
        let (end, now) = (ContinuousClock.now + Self.checkTimeout, ContinuousClock.now)
        let keys = status.withLock { status in
            status.keys.values.filter { key in
                status.successes[key.label].map { $0 + Self.freshness < now } ?? true
            }
        }
        guard !keys.isEmpty else { return nil }
        do throws(ThreadUnavailable) {
            // Not behind the requests.
            let result = try await Thread.run { () throws(Failure) in
                var first: Failure?
                for var key in keys {
                    key.deadline = end
                    do throws(Failure) { try key.check() } catch { first = first ?? error }
                }
                if let first { throw first }
            }
            if case .failure(let failure) = result { return failure }
            return nil
        } catch {
            return .call("pthread_create", code: UInt(error.errorNumber))
        }
    }

    /// Uses a key, and reports a change between working and failing.
    func use<Outcome: ~Copyable & Sendable>(
        _ key: HardwareKey,
        _ work: @escaping @Sendable (Session, CK_OBJECT_HANDLE) throws(Failure) -> Outcome
    ) throws(Failure) -> Outcome {
        do throws(Failure) {
            let outcome = try perform(before: key.deadline ?? .now + Self.timeout) {
                connection,
                session throws(Failure) in
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
        // The observers run under the lock, so that they get changes in their order. They must not wait.
        status.withLock { status in
            let change = status.change(by: failure, of: key)
            if let change { for observer in status.observers.values { observer(change) } }
        }
    }
}

// MARK: Requests that wait

extension SecurityModule {
    /// Returns false if too many requests wait; otherwise, call `leave` at the end.
    ///
    /// Strangers can claim activations, and each claim needs the agreement key for longer than a
    /// signature. So these uses have a limit of their own.
    func admits(_ use: KeyUse) -> Bool {
        status.withLock { status in
            guard status.waiting[use, default: 0] < use.maximumWaiting else { return false }
            status.waiting[use, default: 0] += 1
            return true
        }
    }

    func leave(_ use: KeyUse) {
        status.withLock { $0.waiting[use, default: 1] -= 1 }
    }
}

extension SecurityModule.KeyUse {
    fileprivate var maximumWaiting: Int {
        switch self {
        case .signing: 64
        case .agreement, .sealing: 16
        }
    }
}
