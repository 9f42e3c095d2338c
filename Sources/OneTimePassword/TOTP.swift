import Cryptography
import FailureTranslation

/// Time-based one-time passwords (RFC 6238): HOTP over the count of periods since 1970.
///
/// The caller passes the time, in seconds since 1 January 1970 UTC.
public struct TOTP: ~Copyable {
    public enum Failure: Error, Equatable, Sendable {
        /// A period must be between 5 seconds and 1 hour.
        case periodOutOfRange
        case system(SystemFailure)
    }

    /// How many periods a device's clock may be slow or fast.
    public struct Drift: Equatable, Sendable {
        public let periodsBehind: UInt8
        public let periodsAhead: UInt8

        public init(periodsBehind: UInt8, periodsAhead: UInt8) {
            self.periodsBehind = periodsBehind
            self.periodsAhead = periodsAhead
        }

        /// RFC 6238, section 5.2: one period for the network delay.
        public static let `default` = Drift(periodsBehind: 1, periodsAhead: 0)
    }

    public static let periods = 5...3600

    public let periodSeconds: Int
    private let hotp: HOTP

    public init(
        secret: Secret,
        digits: HOTP.Digits = .six,
        algorithm: HMACAlgorithm = .sha1,
        periodSeconds: Int = 30
    ) throws(Failure) {
        guard Self.periods.contains(periodSeconds) else { throw .periodOutOfRange }
        hotp = try translating(
            HOTP(secret: secret, digits: digits, algorithm: algorithm),
            to: Failure.system
        )
        self.periodSeconds = periodSeconds
    }

    public func code(secondsSince1970 seconds: UInt64) -> OneTimeCode {
        hotp.code(at: step(secondsSince1970: seconds))
    }

    /// The count of whole periods, which is the moving factor (RFC 6238, section 4.2).
    public func step(secondsSince1970 seconds: UInt64) -> Counter {
        Counter(seconds / UInt64(periodSeconds))
    }

    /// Verifies one code; steps before `minimum` are used up.
    ///
    /// Store the `next` of the verdict and pass it in the next time: each code is valid once.
    public func verify(
        _ code: OneTimeCode,
        secondsSince1970 seconds: UInt64,
        notBefore minimum: Counter,
        drift: Drift = .default
    ) -> CodeVerdict {
        let now = step(secondsSince1970: seconds).value
        let behind = min(UInt64(drift.periodsBehind), now)
        let search = CodeSearch(
            first: Counter(now - behind),
            reach: Int(behind) + Int(drift.periodsAhead)
        )
        return search.verdict(on: code, notBefore: minimum) { hotp.code(at: $0) }
    }
}
