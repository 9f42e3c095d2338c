/// Why the server itself answers, and no handler; the connection then ends.
package enum Rejection: Error, CaseIterable, Sendable {
    /// Not what RFC 9112 has clients send, or what two servers could read in two ways.
    case malformed
    case timedOut
    case bodyTooLarge
    case targetTooLong
    case expectationUnknown
    case headTooLarge
    /// The handler's answer would not be HTTP.
    case unanswerable
    /// A method or a transfer coding that this server does not have.
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
        case .unanswerable: 500
        case .notImplemented: 501
        case .versionNotSupported: 505
        }
    }
}
