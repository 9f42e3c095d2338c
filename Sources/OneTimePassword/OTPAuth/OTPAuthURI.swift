/// A credential as authenticator apps exchange it: `otpauth://totp/Bank:user?secret=…`.
///
/// Reading is strict where a slip would change the codes or what a person sees: one value for each
/// parameter, plain decimal numbers, canonical base32, no characters that hide others.
public struct OTPAuthURI: Sendable {
    /// What moves the codes on.
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
    /// The parameters that are understood; all others are passed over.
    public enum Parameter: String, CaseIterable, Sendable {
        case secret, issuer, algorithm, digits, counter, period
    }

    public enum Failure: Error, Equatable, Sendable {
        /// Not `otpauth://hotp/…` or `otpauth://totp/…`, in at most 4096 characters of ASCII, without
        /// user, port or fragment.
        case malformedURI
        case malformedPercentEscape
        case invalidLabel
        case missing(Parameter)
        case duplicate(Parameter)
        case invalidValue(Parameter)
        /// The issuer before the label and the issuer parameter differ.
        case contradictoryIssuer
        case machine(SystemFailure)
    }

    static let maximumSecret = 128
    /// What others can store: a signed number of 64 bits.
    static let maximumCounter = Counter(1 << 63 - 1)

    /// A name that a label can hold and give back: shown as it is, not empty, without the colon
    /// that parts issuer and account, and without the space that may follow the colon.
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
