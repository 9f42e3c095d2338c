import OneTimePassword
import OneTimePasswordFormats

/// The expected values of a key; a missing value must be missing in the document too.
struct KeyFacts: Decodable, Equatable {
    var id: String?
    var algorithm: String?
    var secretHex: String?
    var issuer: String?
    var serial: String?
    var manufacturer: String?
    var model: String?
    var deviceUserid: String?
    var keyUserid: String?
    var cryptoModule: String?
    var keyProfile: String?
    var keyReference: String?
    var friendlyName: String?
    var ocraSuite: String?
    var responseEncoding: String?
    var responseLength: UInt32?
    var counter: Number?
    var timeOffset: Number?
    var timeInterval: Number?
    var policy: PolicyFacts?
}

struct PolicyFacts: Decodable, Equatable {
    var startDate: Moment?
    var expiryDate: Moment?
    var numberOfTransactions: Number?
    var keyUsage: [String]?
    var pinKeyId: String?
    var pinUsage: String?
    var pinEncoding: String?
    var pinMinLength: UInt32?
    var pinMaxLength: UInt32?
    var pinMaxFailedAttempts: UInt32?
    var unknownPolicyElements: Bool?
}

/// A natural number, which a file contains as a number or as decimal digits.
struct Number: Decodable, Equatable {
    let value: UInt64?

    init?(_ value: UInt64?) {
        guard let value else { return nil }
        self.value = value
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        // It is a number or a text.
        value = try (try? container.decode(UInt64.self)) ?? UInt64(container.decode(String.self))
    }
}

/// A date and time, whose zone a file contains as an offset or as a letter.
struct Moment: Decodable, Equatable {
    let text: String

    init?(_ text: String?) {
        guard let text else { return nil }
        self.text = text
    }

    init(from decoder: any Decoder) throws {
        text = try decoder.singleValueContainer().decode(String.self)
            .replacing("+00:00", with: "Z")
    }
}

extension KeyFacts {
    init(_ key: PSKCDocument.Key) {
        id = key.id
        algorithm = key.algorithm?.uri
        secretHex = key.secret.map(\.hexadecimal)
        issuer = key.issuer
        serial = key.device.serialNumber
        manufacturer = key.device.manufacturer
        model = key.device.model
        deviceUserid = key.device.userID
        keyUserid = key.userID
        cryptoModule = key.cryptoModuleID
        keyProfile = key.profile
        keyReference = key.reference
        friendlyName = key.friendlyName
        ocraSuite = key.suite
        responseEncoding = key.responseFormat?.format.rawValue
        responseLength = key.responseFormat?.length
        counter = Number(key.counter?.value)
        timeOffset = Number(key.time)
        timeInterval = Number(key.timeIntervalSeconds)
        policy = PolicyFacts(key.policy)
    }
}

extension PolicyFacts {
    init?(_ policy: PSKCDocument.Policy) {
        if policy == PSKCDocument.Policy() { return nil }
        startDate = Moment(policy.startDate)
        expiryDate = Moment(policy.expiryDate)
        numberOfTransactions = Number(policy.numberOfTransactions)
        keyUsage = policy.usages.isEmpty ? nil : policy.usages.map(\.rawValue)
        pinKeyId = policy.pin?.keyID
        pinUsage = policy.pin?.usageMode?.rawValue
        pinEncoding = policy.pin?.format?.rawValue
        pinMinLength = policy.pin?.minimumLength
        pinMaxLength = policy.pin?.maximumLength
        pinMaxFailedAttempts = policy.pin?.maximumFailedAttempts
        unknownPolicyElements = policy.isUnderstood ? nil : true
    }
}

extension SecretBytes {
    fileprivate var hexadecimal: String {
        withBytes { bytes in
            bytes.indices.map { index in
                let digits = String(bytes[index], radix: 16)
                return digits.count == 1 ? "0" + digits : digits
            }.joined()
        }
    }
}
