/// The reason why the server itself responds; the connection then closes.
///
/// Metrics and logs contain the raw values.
package enum RequestRefusal: String, Error, CaseIterable, Sendable {
    /// It breaks RFC 9112, or two servers could read it differently.
    case malformed
    case timedOut
    case bodyTooLarge
    case targetTooLong
    case expectationUnknown
    case headTooLarge
    /// The handler's response is not valid HTTP.
    case unsendableResponse
    /// The server does not support this method or transfer coding.
    case notImplemented
    case versionNotSupported

    package var status: Int {
        switch self {
        case .malformed: 400
        case .timedOut: 408
        case .bodyTooLarge: 413
        case .targetTooLong: 414
        case .expectationUnknown: 417
        case .headTooLarge: 431
        case .unsendableResponse: 500
        case .notImplemented: 501
        case .versionNotSupported: 505
        }
    }
}
