import Cryptography
import FailureTranslation
public import OneTimePassword

/// A key of a document that is fit to compute codes.
///
/// Its secret is long enough, its algorithm, hash and digits are supported, and its policy allows
/// codes. The caller must obey the dates and the counts in `policy`, and the dates of `device`.
public struct ImportedKey: Sendable {
    /// How codes are computed.
    public enum Kind: Equatable, Sendable {
        case hotp(HOTP.Digits, HMACAlgorithm, counter: Counter)
        case totp(HOTP.Digits, HMACAlgorithm, periodSeconds: Int)
        case ocra(OCRASuite, counter: Counter?)
    }

    public let kind: Kind
    public let secret: Secret
    public let policy: PSKCDocument.Policy
    public let device: PSKCDocument.Device

    public init(_ key: PSKCDocument.Key) throws(Refusal) {
        kind = try Kind(key)
        (policy, device) = (key.policy, key.device)
        try policy.allow(kind.usage)
        guard let secretBytes = key.secret else { throw .secretMissing }
        secret = try translating(Secret(importing: secretBytes), to: Refusal.secret)
        try kind.checkPeriod(with: secret)
    }
}

extension ImportedKey {
    /// The reason why a key cannot be used.
    public enum Refusal: Error, Equatable, Sendable {
        /// The algorithm's URI, if the key has one.
        case unsupportedAlgorithm(String?)
        case suiteMissing
        case unsupportedSuite(String)
        /// Not a decimal code of 6 to 8 digits without a check digit.
        case unsupportedResponse
        case unsupportedChallenge
        case counterMissing
        /// Time does not start in 1970.
        case unsupportedTime
        case periodOutOfRange
        /// RFC 6030, section 5: such a key must not be used.
        case policyNotUnderstood
        case usageNotAllowed
        /// The code requires a PIN, which this package does not check.
        case pinRequired
        case secretMissing
        case secret(Secret.Failure)
        case system(SystemFailure)
    }
}

extension ImportedKey.Kind {
    typealias Refusal = ImportedKey.Refusal

    fileprivate init(_ key: PSKCDocument.Key) throws(Refusal) {
        switch key.algorithm {
        case .hotp:
            // RFC 6030, section 10.1, requires a counter.
            guard let counter = key.counter else { throw .counterMissing }
            self = .hotp(try key.digits(), try key.hash(), counter: counter)
        case .totp:
            guard key.time ?? 0 == 0 else { throw .unsupportedTime }
            // RFC 6238, section 4.1, has this default.
            let period = Int(clamping: key.timeIntervalSeconds ?? 30)
            self = .totp(try key.digits(), try key.hash(), periodSeconds: period)
        case .ocra:
            let suite = try key.ocraSuite()
            if suite.takesCounter, key.counter == nil { throw .counterMissing }
            if key.responseFormat?.hasCheckDigit == true { throw .unsupportedResponse }
            if key.challengeFormat?.hasCheckDigit == true { throw .unsupportedChallenge }
            self = .ocra(suite, counter: key.counter)
        case nil, .pin, .other: throw .unsupportedAlgorithm(key.algorithm?.uri)
        }
    }

    fileprivate var usage: PSKCDocument.Usage {
        switch self {
        case .hotp, .totp: .oneTimePassword
        case .ocra: .challengeResponse
        }
    }

    /// `TOTP` decides which periods it supports.
    fileprivate func checkPeriod(with secret: Secret) throws(Refusal) {
        guard case .totp(let digits, let algorithm, let periodSeconds) = self else { return }
        do throws(TOTP.Failure) {
            _ = try TOTP(
                secret: secret,
                digits: digits,
                algorithm: algorithm,
                periodSeconds: periodSeconds
            )
        } catch {
            switch error {
            case .periodOutOfRange: throw .periodOutOfRange
            case .system(let failure): throw .system(failure)
            }
        }
    }
}

extension PSKCDocument.Key {
    fileprivate func digits() throws(ImportedKey.Refusal) -> HOTP.Digits {
        guard
            let format = responseFormat, format.format == .decimal, !format.hasCheckDigit,
            let digits = HOTP.Digits(rawValue: Int(format.length))
        else { throw .unsupportedResponse }
        return digits
    }

    fileprivate func ocraSuite() throws(ImportedKey.Refusal) -> OCRASuite {
        guard let suite else { throw .suiteMissing }
        return try translating(OCRASuite(suite)) { (_: OCRASuite.Failure) in
            ImportedKey.Refusal.unsupportedSuite(suite)
        }
    }

    /// Documents name the hash by a suite; the default is the hash of RFC 4226.
    fileprivate func hash() throws(ImportedKey.Refusal) -> HMACAlgorithm {
        guard let suite else { return .sha1 }
        guard let hash = HMACAlgorithm.allCases.first(where: { "HMAC-" + $0.rawValue == suite })
        else { throw .unsupportedSuite(suite) }
        return hash
    }
}

extension PSKCDocument.Policy {
    fileprivate func allow(_ usage: PSKCDocument.Usage) throws(ImportedKey.Refusal) {
        guard isUnderstood else { throw .policyNotUnderstood }
        guard usages.isEmpty || usages.contains(usage) else { throw .usageNotAllowed }
        guard pin == nil || pin?.usageMode == .local else { throw .pinRequired }
    }
}
