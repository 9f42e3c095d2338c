import OneTimePassword
import OneTimePasswordFormats

extension RowRefusal {
    /// The reason in words, without any content of the row.
    var text: String {
        switch self {
        case .quoting: "a quote is not where one may be"
        case .notText: "it is not UTF-8"
        case .fieldCount(let count, let expected): "it has \(count) fields, not \(expected)"
        case .enterprise: "the enterprise is no name"
        case .accountType: "the account type is no name"
        case .accountID: "the account id is no name of 1 to 64 letters, digits, dots and dashes"
        case .incompleteToken: "a token needs a serial number and a secret"
        case .serial: "the serial number is missing, or cannot be shown"
        case .secret: "the secret is not in the encoding of its column"
        case .secretTooShort(let count): "the secret has \(count) bytes, fewer than 16"
        case .secretTooLong: "the secret has more than 512 bytes"
        case .algorithm: "the algorithm is none of SHA1, SHA256 and SHA512"
        case .digits: "codes have 6, 7 or 8 digits"
        case .counter: "the counter is no number, or beyond that of any token"
        case .timeBased: "codes that change with time are not taken"
        case .limitedUse: "the key may be used for a time or a number of codes only"
        case .key(let refusal): refusal.text
        case .unknownEnterprise: "there is no such enterprise"
        case .accountExists: "the account is there already"
        case .otherPerson: "the account is there already, of another person or of none"
        case .token(let refusal): refusal.text
        }
    }
}

extension TokenRefusal {
    fileprivate var text: String {
        switch self {
        case .policy: "the enterprise takes no tokens, or none with so few digits"
        case .exists: "the token is there already"
        case .tooManyDevices: "the account has as many devices as it may"
        case .accountReplaced: "another account took the place of this one"
        }
    }
}

extension ImportedKey.Refusal {
    fileprivate var text: String {
        switch self {
        case .unsupportedAlgorithm: "the key is of another algorithm"
        case .suiteMissing, .unsupportedSuite: "the key is of another suite"
        case .unsupportedResponse: "codes have 6, 7 or 8 digits, and no check digit"
        case .unsupportedChallenge: "challenges have no check digit"
        case .counterMissing: "the counter is missing"
        case .unsupportedTime, .periodOutOfRange: "codes that change with time are not taken"
        case .policyNotUnderstood: "the key has a policy that is not understood"
        case .usageNotAllowed: "the key is not for one-time passwords"
        case .pinRequired: "the code counts only with a PIN"
        case .secretMissing: "the secret is missing"
        case .secret(.tooShort(let count)): "the secret has \(count) bytes, fewer than 16"
        case .secret, .machine: "the secret cannot be read"
        }
    }
}
