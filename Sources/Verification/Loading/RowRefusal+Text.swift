import OneTimePassword
import OneTimePasswordFormats

extension RowRefusal {
    /// The reason in words, without any content of the row.
    var text: String {
        switch self {
        case .quoting: "a quote is misplaced"
        case .notText: "it is not UTF-8"
        case .fieldCount(let count, let expected): "it has \(count) fields, not \(expected)"
        case .enterprise: "the enterprise is not a valid name"
        case .accountType: "the account type is not a valid name"
        case .accountID:
            "the account id must have 1 to 64 letters, digits, dots, underscores and dashes"
        case .incompleteToken: "a token needs a serial number and a secret"
        case .serial: "the serial number is missing or not displayable"
        case .secret: "the secret is not in the encoding of its column"
        case .secretTooShort(let count): "the secret has \(count) bytes, fewer than 16"
        case .secretTooLong: "the secret has more than 512 bytes"
        case .algorithm: "the algorithm must be HOTP with SHA1, SHA256 or SHA512"
        case .digits: "codes have 6, 7 or 8 digits"
        case .counter: "the counter is not a number, or too large"
        case .timeBased: "time-based codes are not supported"
        case .limitedUse: "the key has an expiry date or a usage limit"
        case .key(let refusal): refusal.text
        case .unknownEnterprise: "the enterprise does not exist"
        case .accountExists: "the account exists already"
        case .otherPerson: "the account exists already, with another person or none"
        case .token(let refusal): refusal.text
        }
    }
}

extension TokenRefusal {
    fileprivate var text: String {
        switch self {
        case .policy: "the policy accepts no tokens, or only longer codes"
        case .exists: "the token exists already"
        case .tooManyDevices: "the account has the maximum number of devices"
        case .accountReplaced: "another account replaced this one"
        }
    }
}

extension ImportedKey.Refusal {
    fileprivate var text: String {
        switch self {
        case .unsupportedAlgorithm: "the algorithm is not supported"
        case .suiteMissing, .unsupportedSuite: "the suite is not supported"
        case .unsupportedResponse: "codes must have 6, 7 or 8 digits and no check digit"
        case .unsupportedChallenge: "challenges with a check digit are not supported"
        case .counterMissing: "the counter is missing"
        case .unsupportedTime, .periodOutOfRange: "time-based codes are not supported"
        case .policyNotUnderstood: "the key has an unknown policy"
        case .usageNotAllowed: "the key is not for one-time passwords"
        case .pinRequired: "the code requires a PIN"
        case .secretMissing: "the secret is missing"
        case .secret(.tooShort(let count)): "the secret has \(count) bytes, fewer than 16"
        case .secret, .system: "the secret cannot be read"
        }
    }
}
