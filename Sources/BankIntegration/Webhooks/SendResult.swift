package import HTTPClient

/// The result of one delivery attempt.
package enum SendResult: Equatable, Sendable {
    case delivered
    case failed(Failure, minimumWait: Duration = .zero)
    /// Not attempted: the receiver is in its cooldown.
    case postponed(by: Duration)

    package enum Failure: Error, Equatable, Sendable {
        /// No connection, or no trusted one.
        case unreachable
        /// No response, or no valid one.
        case noResponse
        /// A response that is not a success.
        case refused(status: Int)
        /// The store cannot provide the message, or this machine cannot write it.
        case unavailable
    }
}

extension SendResult {
    package var isTry: Bool {
        if case .postponed = self { false } else { true }
    }

    /// One word for metrics and logs.
    package var name: String {
        switch self {
        case .delivered: "delivered"
        case .failed(.unreachable, _): "unreachable"
        case .failed(.noResponse, _): "noResponse"
        case .failed(.refused, _): "refused"
        case .failed(.unavailable, _): "unavailable"
        case .postponed: "postponed"
        }
    }

    /// The name, with the status of a response.
    package var text: String {
        guard case .failed(.refused(let status), _) = self else { return name }
        return "\(name).\(status)"
    }
}

extension SendResult.Failure {
    package init(_ failure: HTTPFailure) {
        self =
            switch failure {
            case .networkUnavailable, .serverUntrusted, .unusableCertificateFile: .unreachable
            case .responseMissing, .responseLate, .responseTooLarge, .malformedResponse,
                .cancelled:
                .noResponse
            case .invalidRequest, .library: .unavailable
            }
    }
}

extension HTTPResponse {
    /// In seconds (RFC 9110, section 10.2.3); the form with a date is ignored.
    package var retryAfter: Duration? {
        headers.first { $0.name.lowercased() == "retry-after" }
            .flatMap { UInt32($0.value) }
            .map { .seconds(Int64($0)) }
    }
}
