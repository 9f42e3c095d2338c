import Cryptography
package import OneTimePassword
package import TransactionApproval

/// Computes the typed codes of one device, to compare them.
///
/// Not `Sendable`, because `HOTP` is not.
package enum TypedCodeCheck: ~Copyable {
    case installation(TypedCodes)
    /// A token's codes are over its counter only.
    case token(HOTP, of: CredentialContext)

    /// The secrets of one credential, to be sent to the thread that checks its codes.
    package enum Keys: Sendable {
        case installation(TypedKeys)
        case token(Secret, TokenSuite, of: CredentialContext)
    }

    package init(_ keys: Keys) throws(SystemFailure) {
        switch keys {
        case .installation(let keys): self = .installation(try TypedCodes(keys))
        case .token(let secret, let suite, let credential):
            let hotp = try HOTP(secret: secret, digits: suite.digits, algorithm: suite.algorithm)
            self = .token(hotp, of: credential)
        }
    }

    package var credential: CredentialContext {
        switch self {
        case .installation(let codes): codes.credential
        case .token(_, let credential): credential
        }
    }

    /// Whether codes can be over the bank's data.
    var takesData: Bool {
        switch self {
        case .installation: true
        case .token: false
        }
    }

    /// Checks a code; never looks at counters below `counter`.
    func verify(
        _ code: OneTimeCode,
        over data: [UInt8]?,
        in epoch: Epoch,
        from counter: Counter,
        lookAhead: LookAhead
    ) throws(SystemFailure) -> CodeVerdict {
        switch self {
        case .installation(let codes):
            guard let data else {
                return codes.hotp.verify(code, from: counter, lookAhead: lookAhead)
            }
            return try codes.verify(
                code,
                over: data,
                in: epoch,
                from: counter,
                lookAhead: lookAhead
            )
        case .token(let hotp, _):
            guard data == nil else { return .rejected }
            return hotp.verify(code, from: counter, lookAhead: lookAhead)
        }
    }

    func resynchronise(
        _ first: OneTimeCode,
        then second: OneTimeCode,
        from counter: Counter,
        within reach: ResynchronisationReach
    ) -> CodeVerdict {
        switch self {
        case .installation(let codes):
            codes.hotp.resynchronise(first, then: second, from: counter, within: reach)
        case .token(let hotp, _):
            hotp.resynchronise(first, then: second, from: counter, within: reach)
        }
    }
}
