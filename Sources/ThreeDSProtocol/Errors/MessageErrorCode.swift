/// The reason for an error message.
package enum MessageErrorCode: String, CaseIterable, Sendable {
    case messageInvalid = "101"
    case versionNotSupported = "102"
    case messageLimitExceeded = "103"
    case elementMissing = "201"
    case extensionNotRecognised = "202"
    case elementInvalid = "203"
    case elementRepeated = "204"
    case cardRangesOverlap = "205"
    case cardRangeActionImpossible = "206"
    case valueReserved = "207"
    case transactionIDNotRecognised = "301"
    case decryptionFailed = "302"
    case accessDenied = "303"
    case isoCodeInvalid = "304"
    case transactionDataInvalid = "305"
    case merchantCategoryInvalid = "306"
    case serialNumberInvalid = "307"
    case signatureInvalid = "308"
    case contentPolicyFailed = "309"
    case algorithmNotAllowed = "310"
    case keyIDInvalid = "311"
    case messageRepeated = "312"
    case resultWithoutChallenge = "313"
    case severalChallengeRequests = "314"
    case challengeRequestAfterResult = "315"
    case timedOut = "402"
    case transientFailure = "403"
    case permanentFailure = "404"
    case connectionFailed = "405"

    /// The first version that has the code.
    package var since: ProtocolVersion {
        switch self {
        case .cardRangesOverlap, .cardRangeActionImpossible, .valueReserved, .signatureInvalid,
            .contentPolicyFailed, .algorithmNotAllowed, .keyIDInvalid, .messageRepeated,
            .resultWithoutChallenge, .severalChallengeRequests, .challengeRequestAfterResult:
            .twoThree
        default: .twoOne
        }
    }

    /// This code, or the nearest one of a version that does not have it.
    func available(in version: ProtocolVersion) -> MessageErrorCode {
        guard version < since else { return self }
        return switch self {
        case .signatureInvalid, .algorithmNotAllowed, .keyIDInvalid: .decryptionFailed
        case .messageRepeated: .transactionIDNotRecognised
        case .resultWithoutChallenge, .severalChallengeRequests, .challengeRequestAfterResult:
            .transactionDataInvalid
        default: .elementInvalid
        }
    }

    /// The `errorDescription` that this project sends.
    package var description: String {
        switch self {
        case .messageInvalid: "The message is not valid for the receiver."
        case .versionNotSupported: "The message version is not supported."
        case .messageLimitExceeded: "Too many messages were sent."
        case .elementMissing: "A required data element is missing."
        case .extensionNotRecognised: "A critical message extension is not recognised."
        case .elementInvalid: "The format or the value of a data element is invalid."
        case .elementRepeated: "A data element is repeated."
        case .cardRangesOverlap: "Card ranges overlap."
        case .cardRangeActionImpossible: "The action for a card range is impossible."
        case .valueReserved: "The value of a data element is reserved."
        case .transactionIDNotRecognised: "The transaction ID is not recognised."
        case .decryptionFailed: "The data cannot be decrypted."
        case .accessDenied: "Access is denied: the endpoint is invalid."
        case .isoCodeInvalid: "An ISO code is invalid."
        case .transactionDataInvalid: "The transaction data are invalid."
        case .merchantCategoryInvalid: "The merchant category code is invalid."
        case .serialNumberInvalid: "The serial number is invalid."
        case .signatureInvalid: "The signature of the SDK server is invalid."
        case .contentPolicyFailed: "The content violates the security policy."
        case .algorithmNotAllowed: "The cryptographic algorithm is not allowed."
        case .keyIDInvalid: "The key ID is invalid."
        case .messageRepeated: "The message was received before."
        case .resultWithoutChallenge: "The result belongs to no challenge."
        case .severalChallengeRequests: "Only one challenge request is accepted."
        case .challengeRequestAfterResult: "The challenge request came after the result."
        case .timedOut: "The transaction timed out."
        case .transientFailure: "The system failed temporarily."
        case .permanentFailure: "The system failed permanently."
        case .connectionFailed: "The connection failed."
        }
    }
}
