import CPKCS11
import Cryptography
import Sealing

/// The connection of this process with a token: at most one, which is opened when it is needed.
struct Connection: Sendable {
    typealias Failure = SecurityModule.Failure

    private let settings: SecurityModule.Settings
    private var library: Cryptoki?
    private var isInitialized = false
    private var session: Session?
    private var handles: [String: CK_OBJECT_HANDLE] = [:]
    /// A PIN that was rejected once.
    private var refusal: Failure?
    private var lastFailure: (failure: Failure, retry: ContinuousClock.Instant)?

    /// Requests that wait for a token that is gone would wait for each other.
    private static let pause = Duration.seconds(1)

    init(_ settings: SecurityModule.Settings) {
        self.settings = settings
    }

    /// Runs `work` with a session.
    ///
    /// After a failure the connection is opened again. If it was older than this call, `work` is
    /// repeated at once: the token may have been away in the meantime.
    mutating func perform<Outcome: ~Copyable>(
        _ work: (inout Connection, Session) throws(Failure) -> Outcome
    ) throws(Failure) -> Outcome {
        let isNew = session == nil
        do throws(Failure) {
            let session = try openSession()
            return try work(&self, session)
        } catch {
            close()
            guard !isNew else {
                note(error)
                throw error
            }
        }
        return try perform(work)
    }

    /// The handle of a key that was opened before; the token must still have the same key.
    mutating func handle(of key: HardwareKey, in session: Session) throws(Failure)
        -> CK_OBJECT_HANDLE
    {
        if let handle = handles[key.label] { return handle }
        let found = try session.key(key.label, for: key.use)
        guard found.publicKey == key.publicKey else { throw .otherKey(label: key.label) }
        handles[key.label] = found.handle
        return found.handle
    }

    /// A session that may change the token.
    func withWritingSession(
        _ session: Session,
        _ work: (Session) throws(Failure) -> Void
    ) throws(Failure) {
        let writing = try Session(session.library, in: session.slot, writes: true)
        defer { writing.close() }
        try work(writing)
    }

    private mutating func openSession() throws(Failure) -> Session {
        if let session { return session }
        if let refusal { throw refusal }
        if let lastFailure, .now < lastFailure.retry { throw lastFailure.failure }
        let pin = try pin()
        let library = if let library { library } else { try Cryptoki(loading: settings.library) }
        self.library = library
        try library.initialize()
        isInitialized = true
        let session = try Session(library, in: try library.slot(of: settings.token))
        try session.logIn(with: pin)
        self.session = session
        return session
    }

    /// Ends all sessions; the next use opens the connection again.
    mutating func close() {
        if isInitialized { library?.finalize() }
        (isInitialized, session) = (false, nil)
        handles = [:]
    }

    private mutating func note(_ failure: Failure) {
        // A call during the pause must not prolong it.
        if let lastFailure, .now < lastFailure.retry { return }
        switch failure {
        case .wrongPIN, .lockedPIN: refusal = failure
        case .keyMissing, .severalKeys, .extractable, .otherKey: break
        default: lastFailure = (failure, .now + Self.pause)
        }
    }

    /// Read for each connection, so that no PIN stays in memory.
    ///
    /// A line that an editor spoiled costs no attempt.
    private func pin() throws(Failure) -> SecureBytes {
        do throws(KeyFile.Failure) {
            let pin = try KeyFile.onlyLine(of: .file(settings.pinFile))
            let isPlain = pin.withBytes { pin in
                !pin.isEmpty
                    && pin.indices.allSatisfy { pin[$0] > UInt8(ascii: " ") && pin[$0] != 0x7f }
            }
            guard isPlain else { throw .malformedLine(1) }
            return pin
        } catch {
            throw .pinFile(error)
        }
    }
}
