import Cryptography

/// Counter-based one-time passwords (RFC 4226), with the key kept ready for the next code.
///
/// It is not `Sendable`: use one value per task. During its life OpenSSL keeps data derived from
/// the key in ordinary memory, and wipes that data at the end.
public struct HOTP: ~Copyable {
    /// RFC 4226, section 5.3, requires at least six; with nine or more, some codes are clearly
    /// likelier.
    public enum Digits: Int, CaseIterable, Sendable {
        case six = 6
        case seven, eight
    }

    public let digits: Digits
    private var hmac: HMAC

    public init(
        secret: Secret,
        digits: Digits = .six,
        algorithm: HMACAlgorithm = .sha1
    ) throws(SystemFailure) {
        hmac = try secret.keyedHMAC(algorithm)
        self.digits = digits
    }

    /// Switches to another secret, which is faster than another `HOTP`.
    public mutating func setSecret(_ secret: Secret) throws(SystemFailure) {
        try hmac.setSecret(secret)
    }

    public func code(at counter: Counter) -> OneTimeCode {
        let movingFactor = counter.bigEndianBytes
        return OneTimeCode(
            hmac.truncatedTotal(of: movingFactor.span),
            digitCount: digits.rawValue
        )
    }

    /// Verifies one code; counters below `counter` are used up and never checked.
    public func verify(
        _ code: OneTimeCode,
        from counter: Counter,
        lookAhead: LookAhead = .default
    ) -> CodeVerdict {
        CodeSearch(first: counter, reach: lookAhead.count)
            .verdict(on: code) { self.code(at: $0) }
    }

    /// Resynchronises a counter by two consecutive codes, and uses up both.
    public func resynchronise(
        _ code: OneTimeCode,
        then following: OneTimeCode,
        from counter: Counter,
        within reach: ResynchronisationReach = .default
    ) -> CodeVerdict {
        CodeSearch(first: counter, reach: reach.count)
            .verdict(on: code, then: following) { self.code(at: $0) }
    }
}
