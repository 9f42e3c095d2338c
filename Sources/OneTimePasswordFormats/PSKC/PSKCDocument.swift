public import OneTimePassword

/// A Portable Symmetric Key Container (RFC 6030): keys that one system exports to another.
///
/// A document is accepted or rejected as a whole. The MAC of an encrypted value is verified before
/// decryption. Signatures are ignored, so nothing proves who wrote a document. `ImportedKey`
/// decides whether a key can compute codes.
public struct PSKCDocument: Equatable, Sendable {
    public var id: String?
    public var keys: [Key]

    public init(id: String? = nil, keys: [Key]) {
        self.id = id
        self.keys = keys
    }
}

extension PSKCDocument {
    /// A key and its description.
    public struct Key: Equatable, Sendable {
        public var id: String?
        public var algorithm: Algorithm?
        /// Nil if both sides derive it from `profile` and `reference`.
        public var secret: SecretBytes?
        public var device = Device()
        public var cryptoModuleID: String?
        public var issuer: String?
        public var userID: String?
        public var friendlyName: String?
        public var profile: String?
        /// The name of the key that this key is derived from.
        public var reference: String?
        /// A parameter that the algorithm needs, such as an OCRA suite or a hash.
        public var suite: String?
        public var challengeFormat: ChallengeFormat?
        public var responseFormat: ResponseFormat?
        public var counter: Counter?
        public var time: UInt64?
        public var timeIntervalSeconds: UInt64?
        public var timeDrift: UInt64?
        public var policy = Policy()

        public init(id: String?, algorithm: Algorithm?, secret: SecretBytes?) {
            self.id = id
            self.algorithm = algorithm
            self.secret = secret
        }
    }

    /// The purpose of a key, as the URI of its profile.
    public enum Algorithm: Equatable, Sendable {
        case hotp, totp, ocra, pin
        case other(String)
    }

    /// The device that has the key.
    public struct Device: Equatable, Sendable {
        public var manufacturer: String?
        public var serialNumber: String?
        public var model: String?
        public var issueNumber: String?
        /// The thing that the device must be part of, such as a phone.
        public var binding: String?
        public var startDate: String?
        public var expiryDate: String?
        public var userID: String?

        public init() {}
    }

    public enum ValueFormat: String, CaseIterable, Sendable {
        case decimal = "DECIMAL"
        case hexadecimal = "HEXADECIMAL"
        case alphanumeric = "ALPHANUMERIC"
        case base64 = "BASE64"
        case binary = "BINARY"
    }

    public struct ChallengeFormat: Equatable, Sendable {
        public var format: ValueFormat
        public var lengths: ClosedRange<UInt32>
        public var hasCheckDigit: Bool

        public init(
            format: ValueFormat,
            lengths: ClosedRange<UInt32>,
            hasCheckDigit: Bool = false
        ) {
            self.format = format
            self.lengths = lengths
            self.hasCheckDigit = hasCheckDigit
        }
    }

    public struct ResponseFormat: Equatable, Sendable {
        public var format: ValueFormat
        public var length: UInt32
        public var hasCheckDigit: Bool

        public init(format: ValueFormat = .decimal, length: UInt32, hasCheckDigit: Bool = false) {
            self.format = format
            self.length = length
            self.hasCheckDigit = hasCheckDigit
        }
    }
}

extension PSKCDocument.Algorithm {
    private static let profile = "urn:ietf:params:xml:ns:keyprov:pskc:"

    public init(uri: String) {
        self = [.hotp, .totp, .ocra, .pin].first { $0.uri == uri } ?? .other(uri)
    }

    public var uri: String {
        switch self {
        case .hotp: Self.profile + "hotp"
        case .totp: Self.profile + "totp"
        case .ocra: Self.profile + "ocra"
        case .pin: Self.profile + "pin"
        case .other(let uri): uri
        }
    }
}
