import CPKCS11
import Cryptography
import PrivateFiles
import Sealing

/// The connection of this process with a token: at most one, which is opened when it is needed.
struct Connection: Sendable {
    typealias Failure = SecurityModule.Failure

    /// Whether the token has the PIN, and has not responded yet.
    let isLoggingIn = LockedValue(false)
    private let settings: SecurityModule.Settings
    private var library: Cryptoki?
    private var isInitialized = false
    private var current: (session: Session, token: TokenName, start: ContinuousClock.Instant)?
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
    /// If the session or the token is gone, opens the connection again, and repeats `work` once. The
    /// failure of one key does not disturb the other keys.
    mutating func perform<Outcome: ~Copyable>(
        _ work: (inout Connection, Session) throws(Failure) -> Outcome
    ) throws(Failure) -> Outcome {
        let session = try openSession()
        do throws(Failure) {
            return try work(&self, session)
        } catch {
            // An object may have been created again.
            handles = [:]
            guard isOver(after: error) else { throw error }
        }
        close()
        let newSession = try openSession()
        return try work(&self, newSession)
    }

    /// The handle of a key that was opened before; the token must still have the same key.
    mutating func handle(of key: HardwareKey, in session: Session) throws(Failure)
        -> CK_OBJECT_HANDLE
    {
        if let handle = handles[key.label] { return handle }
        let handle = try session.handle(key.label, for: key.use, of: key.publicKey)
        handles[key.label] = handle
        return handle
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

    /// Ends all sessions; the next use opens the connection again.
    mutating func close() {
        if isInitialized { library?.finalize() }
        (isInitialized, current) = (false, nil)
        handles = [:]
    }

    /// Whether another session may succeed.
    private func isOver(after failure: Failure) -> Bool {
        guard let current, current.start + Self.pause < .now else { return false }
        // `try?`: a token without a description is gone.
        if failure.endsSession || (try? current.session.tokenName()) != current.token {
            return true
        }
        // Some libraries do not see objects that changed since the session began.
        let isOld = current.start + settings.maximumAgeAfterFailure < .now
        return (failure.mayEndSession || isOld) && canLogInAgain(current.session)
    }

    /// A session in which other keys work is not given up for a login that would be refused.
    private func canLogInAgain(_ session: Session) -> Bool {
        do throws(Failure) {
            _ = try pin()
            try session.checkCountOfWrongPINs()
            return true
        } catch {
            return false
        }
    }

    private mutating func openSession() throws(Failure) -> Session {
        if let current { return current.session }
        if let refusal { throw refusal }
        if let lastFailure, .now < lastFailure.retry { throw lastFailure.failure }
        do throws(Failure) {
            let session = try newSession()
            current = (session, try session.tokenName(), .now)
            return session
        } catch {
            close()
            lastFailure = (error, .now + Self.pause)
            throw error
        }
    }

    private mutating func newSession() throws(Failure) -> Session {
        let pin = try pin()
        let library = if let library { library } else { try Cryptoki(loading: settings.library) }
        self.library = library
        try library.initialize()
        isInitialized = true
        let session = try Session(library, in: try library.slot(of: settings.token))
        try session.checkCountOfWrongPINs()
        isLoggingIn.withLock { $0 = true }
        defer { isLoggingIn.withLock { $0 = false } }
        do throws(Failure) {
            try session.logIn(with: pin)
        } catch {
            if error.mayCostPIN { refusal = error }
            throw error
        }
        return session
    }

    /// Read for each connection, so that no PIN stays in memory.
    ///
    /// A line that an editor spoiled costs no attempt.
    private func pin() throws(Failure) -> SecureBytes {
        do throws(KeyFile.Failure) {
            let pin = try KeyFile.onlyLine(of: .file(settings.pinFile))
            let isPlain = pin.withBytes { pin in
                !pin.isEmpty && !startsWithByteOrderMark(pin)
                    && pin.indices.allSatisfy { pin[$0] > UInt8(ascii: " ") && pin[$0] != 0x7f }
            }
            guard isPlain else { throw .malformedLine(1) }
            return pin
        } catch {
            throw .pinFile(error)
        }
    }
}

/// Some editors write this mark of UTF-8 at the begin of a file.
private func startsWithByteOrderMark(_ bytes: Span<UInt8>) -> Bool {
    let mark: [UInt8] = [0xef, 0xbb, 0xbf]
    return bytes.count >= mark.count && mark.indices.allSatisfy { bytes[$0] == mark[$0] }
}

extension SecurityModule.Failure {
    /// Whether the session can no longer be used.
    fileprivate var endsSession: Bool { hasCode(in: Self.codesOfEndedSessions) }

    /// Whether the session may be the cause; other keys of it can still work.
    fileprivate var mayEndSession: Bool {
        // The object stays in the token until the session ends.
        if case .call("C_DestroyObject", _) = self { true } else { hasCode(in: Self.generalCodes) }
    }

    private func hasCode(in codes: Set<CK_RV>) -> Bool {
        if case .call(_, let code) = self { codes.contains(code) } else { false }
    }

    private static let codesOfEndedSessions: Set<CK_RV> = [
        CKR_CRYPTOKI_NOT_INITIALIZED, CKR_DEVICE_REMOVED, CKR_SESSION_CLOSED,
        CKR_SESSION_HANDLE_INVALID, CKR_TOKEN_NOT_PRESENT, CKR_TOKEN_NOT_RECOGNIZED,
        CKR_USER_NOT_LOGGED_IN,
    ]

    private static let generalCodes: Set<CK_RV> = [
        CKR_DEVICE_ERROR, CKR_FUNCTION_FAILED, CKR_GENERAL_ERROR, CKR_OPERATION_ACTIVE,
    ]

    /// Whether the token may have counted the PIN as wrong.
    var mayCostPIN: Bool {
        switch self {
        case .wrongPIN, .lockedPIN, .login, .loginUnfinished: true
        default: false
        }
    }
}
