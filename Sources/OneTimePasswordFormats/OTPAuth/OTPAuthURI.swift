import Cryptography
public import OneTimePassword

/// A credential in the form that authenticator apps read: `otpauth://totp/Bank:user?secret=…`.
///
/// Reading is strict: one value per parameter, plain decimal numbers, canonical base32, and no
/// characters that hide other characters.
public struct OTPAuthURI: Sendable {
    /// The moving factor.
    public enum Kind: Equatable, Sendable {
        case hotp(counter: Counter)
        case totp(periodSeconds: Int)
    }

    public let kind: Kind
    public let label: String
    public let issuer: String?
    public let secret: SecretBytes
    public let algorithm: HMACAlgorithm
    public let digits: HOTP.Digits

    public init(
        kind: Kind,
        label: String,
        issuer: String? = nil,
        secret: SecretBytes,
        algorithm: HMACAlgorithm = .sha1,
        digits: HOTP.Digits = .six
    ) throws(Failure) {
        guard secret.byteCount <= Self.maximumSecret else { throw .invalidValue(.secret) }
        guard Self.isName(label) else { throw .invalidLabel }
        if let issuer, !Self.isName(issuer) { throw .invalidValue(.issuer) }
        guard kind.isInRange else { throw .invalidValue(kind.parameter) }
        self.kind = kind
        self.label = label
        self.issuer = issuer
        self.secret = secret
        self.algorithm = algorithm
        self.digits = digits
    }
}

extension OTPAuthURI {
    /// The known parameters; all others are ignored.
    public enum Parameter: String, CaseIterable, Sendable {
        case secret, issuer, algorithm, digits, counter, period
    }

    public enum Failure: Error, Equatable, Sendable {
        /// Not `otpauth://hotp/…` or `otpauth://totp/…` in at most 4096 ASCII characters without
        /// user, port and fragment.
        case malformedURI
        case malformedPercentEscape
        case invalidLabel
        case missing(Parameter)
        case duplicate(Parameter)
        case invalidValue(Parameter)
        /// The issuer in the label and the issuer parameter differ.
        case contradictoryIssuer
        case system(SystemFailure)
    }

    static let maximumSecret = 128
    /// The maximum for most readers: a signed 64-bit number.
    static let maximumCounter = Counter(1 << 63 - 1)

    /// A name that a label can carry: visible, not empty, without a colon, and without a leading
    /// space, because a space may follow the colon.
    static func isName(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.first != UInt8(ascii: " ")
            && !text.utf8.contains(UInt8(ascii: ":")) && isPlainText(text)
    }
}

extension OTPAuthURI.Kind {
    var parameter: OTPAuthURI.Parameter {
        switch self {
        case .hotp: .counter
        case .totp: .period
        }
    }

    fileprivate var isInRange: Bool {
        switch self {
        case .hotp(let counter): counter <= OTPAuthURI.maximumCounter
        case .totp(let periodSeconds): TOTP.periods.contains(periodSeconds)
        }
    }
}

extension OTPAuthURI: Equatable {}
