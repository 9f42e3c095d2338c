import HTTPClient

/// What became of one try to deliver something.
enum DeliveryOutcome: Equatable, Sendable {
    case delivered
    /// There is nobody to tell, or nothing any more.
    case needless
    case failed(Failure, minimumWait: Duration = .zero)
    /// It was not tried: whoever it is for is left alone for that long.
    case postponed(by: Duration)

    enum Failure: Error, Equatable, Sendable {
        /// Nobody is there, or nobody who is trusted.
        case unreachable
        /// No answer, or none that is one.
        case unanswered
        /// An answer that says no.
        case refused(status: Int)
        /// The store does not tell what there is to say, or this machine cannot say it.
        case unreadable
    }
}

extension DeliveryOutcome {
    var isTry: Bool {
        if case .postponed = self { false } else { true }
    }

    /// One word for counts and logs.
    var name: String {
        switch self {
        case .delivered: "delivered"
        case .needless: "needless"
        case .failed(.unreachable, _): "unreachable"
        case .failed(.unanswered, _): "unanswered"
        case .failed(.refused, _): "refused"
        case .failed(.unreadable, _): "unreadable"
        case .postponed: "postponed"
        }
    }

    /// The same, with what an answer said.
    var text: String {
        guard case .failed(.refused(let status), _) = self else { return name }
        return "\(name).\(status)"
    }
}

extension DeliveryOutcome.Failure {
    init(_ failure: HTTPFailure) {
        self =
            switch failure {
            case .networkUnavailable, .serverUntrusted, .unusableCertificateFile: .unreachable
            case .responseMissing, .responseTooLarge, .malformedResponse, .cancelled: .unanswered
            case .invalidRequest, .library: .unreadable
            }
    }
}

extension HTTPResponse {
    /// In seconds (RFC 9110, section 10.2.3); a date is not read.
    var retryAfter: Duration? {
        headers.first { $0.name.lowercased() == "retry-after" }
            .flatMap { UInt32($0.value) }
            .map { .seconds(Int64($0)) }
    }
}
