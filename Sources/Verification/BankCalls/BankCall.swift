import Cryptography
import Sealing
package import TransactionApproval

/// One call of the bank with its idempotency key: a repeated call has no second effect.
///
/// Two tokens with the same key make two calls, so a token cannot get the secrets in the response to
/// another one (SEC-105).
///
/// The call may contain a code, so its fingerprint is a MAC: the database alone cannot be used to
/// test a code.
package struct BankCall: Equatable, Sendable {
    package let enterprise: EnterpriseID
    let caller: Caller
    package let key: IdempotencyKey
    let fingerprint: [UInt8]

    /// The key in the store; no key contains a slash.
    var storedKey: String { "\(caller.text)/\(key)" }

    /// A caller with idempotency keys of its own.
    package enum Caller: Equatable, Sendable {
        case operatorCommand
        case token(BankTokenID)
        /// All tokens of the enterprise for card payments, whose calls return no activation code.
        ///
        /// A purchase gets one transaction, also if the token is replaced before a repeated call.
        case cards

        package init(_ token: BankToken) {
            self = token.role == .cards ? .cards : .token(token.id)
        }

        fileprivate var text: String {
            switch self {
            case .operatorCommand: "operator"
            case .token(let id): id.description
            case .cards: "cards"
            }
        }
    }
}

/// The outcome of a call; the details are in the store.
package enum CallOutcome: Equatable, Sendable {
    case activation(ActivationID)
    case transaction(TransactionID)
    case login(TransactionID)
    /// A typed code was accepted or rejected.
    case judged(AttemptVerdict)
}

/// The earlier call with the same idempotency key.
enum EarlierCall: Equatable, Sendable {
    case repeated(CallOutcome)
    /// The key was used for a different call.
    case keyReused
}

extension Verifier {
    /// Creates the call for `content`; `content` must contain every member that matters.
    package func call(
        _ key: IdempotencyKey,
        of caller: BankCall.Caller,
        in enterprise: EnterpriseID,
        for content: [UInt8]
    ) async throws(Failure) -> BankCall {
        BankCall(
            enterprise: enterprise,
            caller: caller,
            key: key,
            fingerprint: try await fingerprint(of: content)
        )
    }

    func fingerprint(of content: [UInt8]) async throws(Failure) -> [UInt8] {
        let key = try await fingerprintKey()
        return try translatingSystemFailure(key.fingerprint(of: content), to: Failure.system)
    }
}

extension CallOutcome {
    /// The outcome as one line of text for the store.
    var stored: String {
        switch self {
        case .activation(let id): "activation \(id)"
        case .transaction(let id): "transaction \(id)"
        case .login(let id): "login \(id)"
        case .judged(let verdict): verdict.stored
        }
    }

    /// Nil if the text is not such a line.
    init?(stored: String) {
        let words = stored.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        switch (words[0], words.dropFirst().last) {
        case ("activation", let text?):
            guard let id = ActivationID(text) else { return nil }
            self = .activation(id)
        case ("transaction", let text?):
            guard let id = TransactionID(text) else { return nil }
            self = .transaction(id)
        case ("login", let text?):
            guard let id = TransactionID(text) else { return nil }
            self = .login(id)
        default:
            guard let verdict = AttemptVerdict(stored: stored) else { return nil }
            self = .judged(verdict)
        }
    }
}
