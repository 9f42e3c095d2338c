/// The members of a policy document; durations are in whole seconds.
struct PolicyDocument: Decodable {
    struct Ceiling: Decodable {
        let currency: String
        let minorUnits: UInt64
    }

    struct RequiredFields: Decodable {
        let context: String
        let labels: [String]
    }

    struct PIN: Decodable {
        let minimumDigits: Int?
        let maximumDigits: Int?
        let allowsFourDigits: Bool?
    }

    struct Lock: Decodable {
        let failures: Int?
        let firstSeconds: Int?
        let temporaryLocks: Int?
        let failuresInWindow: Int?
        let windowSeconds: Int?
    }

    let authentication: [String]?
    let consentCeilings: [Ceiling]?
    let numberMatchingDigits: Int?
    let requiredFields: [RequiredFields]?
    let transactionSeconds: Int?
    let pendingTransactions: Int?
    let requestsInTenMinutes: Int?
    let requestsInADay: Int?
    let lock: Lock?
    let pin: PIN?
    let lookAhead: Int?
    let resynchronisationReach: Int?
    let minimumTokenDigits: Int?
    let activationSeconds: Int?
    let codeInActivationURI: Bool?
    let devicesPerAccount: Int?
    let linksAccounts: Bool?
    let returnAddresses: [String]?
}
