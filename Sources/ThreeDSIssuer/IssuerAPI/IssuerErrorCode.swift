/// The error codes of the issuer's API.
///
/// A code that the bank's API has too has the same meaning. Programs of the issuer depend on the raw values.
enum IssuerErrorCode: String, CaseIterable, Encodable, Sendable {
    case notFound
    case methodNotAllowed
    case invalidQuery
    case contentTooLarge
    case unsupportedContentType
    case malformedContent
    case invalidContent
    case idempotencyKeyMalformed
    case idempotencyKeyReused
    case unauthorized
    case cardOfOtherAccount
    case serverUnavailable

    /// The HTTP status (RFC 9110, section 15).
    var status: Int {
        switch self {
        case .invalidQuery, .malformedContent, .idempotencyKeyMalformed: 400
        case .unauthorized: 401
        case .notFound: 404
        case .methodNotAllowed: 405
        case .cardOfOtherAccount: 409
        case .contentTooLarge: 413
        case .unsupportedContentType: 415
        case .invalidContent, .idempotencyKeyReused: 422
        case .serverUnavailable: 503
        }
    }

    /// For developers and operators of the issuer's programs.
    var title: String {
        switch self {
        case .notFound: "The resource does not exist; resource names it."
        case .methodNotAllowed:
            "The path does not support this method; Allow lists the supported methods."
        case .invalidQuery: "The query breaks rules; errors names each parameter and its rule."
        case .contentTooLarge: "The content exceeds the size limit."
        case .unsupportedContentType: "The content must be application/json."
        case .malformedContent:
            "The content is not valid JSON. Repeated names are not allowed, and nesting is limited."
        case .invalidContent: "The content breaks rules; errors names each member and its rule."
        case .idempotencyKeyMalformed:
            "Idempotency-Key must have 1 to 64 letters, digits, dots, underscores and hyphens."
        case .idempotencyKeyReused: "This Idempotency-Key was used before with another request."
        case .unauthorized: "A valid token is required: Authorization: Bearer TOKEN."
        case .cardOfOtherAccount:
            "The card exists with another account, as card. Remove it first to change its account."
        case .serverUnavailable: "The store failed; repeat the call."
        }
    }
}
